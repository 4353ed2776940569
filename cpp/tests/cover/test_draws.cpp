// The draws of a covering: Java's generator as it is documented, and the orders of classes that follow.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/cover/class_order.hpp"
#include "bough/cover/draws.hpp"
#include "bough/cover/java_random.hpp"

namespace bough::testing {

TEST_CASE("Java's numbers") {
  JavaRandom any(42);
  CHECK(any.next_int() == -1170105035);
  JavaRandom small(42);
  std::vector<std::size_t> drawn(5);
  for (std::size_t& one : drawn) one = small.below(10);
  CHECK(drawn == std::vector<std::size_t>{0, 3, 8, 4, 0});
  JavaRandom power(0);
  CHECK(power.below(16) == 11);
}

TEST_CASE("the rarest class comes first, and equal ones by number") {
  const std::vector<double> weight = {3.0, 1.0, 3.0, 0.0, 1.0};
  CHECK(class_order(weight) == std::vector<std::uint32_t>{3, 1, 4, 0, 2});
}

TEST_CASE("JRip's order is by weight as well, whatever is drawn") {
  for (std::int64_t seed = 0; seed < 50; ++seed) {
    std::vector<double> weight(static_cast<std::size_t>(2 + seed % 9));
    for (std::size_t c = 0; c < weight.size(); ++c)
      weight[c] = static_cast<double>((c * 7 + static_cast<std::size_t>(seed)) % 5);
    JavaRandom main(seed);
    const std::vector<std::uint32_t> order = jrip_class_order(weight, main);
    REQUIRE(order.size() == weight.size());
    std::vector<bool> seen(weight.size(), false);
    for (std::size_t i = 0; i < order.size(); ++i) {
      CHECK(!seen[order[i]]);
      seen[order[i]] = true;
      if (i > 0) CHECK(weight[order[i - 1]] <= weight[order[i]]);
    }
  }
}

TEST_CASE("a shuffle keeps what it is given") {
  std::vector<std::uint32_t> items = {0, 1, 2, 3, 4, 5, 6};
  Draws(JavaRandom(7)).shuffle(std::span(items));
  std::uint32_t bits = 0;
  for (const std::uint32_t item : items) bits |= 1U << item;
  CHECK(bits == 127);
}

}  // namespace bough::testing
