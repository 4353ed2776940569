// All of several properties: a known one that fails decides, else an unknown one leaves the whole unknown.
#include "bough/feature/all_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace bough::testing {
namespace {

// A row of codes, below 0: its state.
struct Codes {
  std::vector<std::int32_t> codes;
  [[nodiscard]] std::int32_t state(std::int32_t column, bool) const { return codes[column] < 0 ? codes[column] : 0; }
  [[nodiscard]] std::int32_t code(std::int32_t column) const { return codes[column]; }
  [[nodiscard]] bool is_low(std::int32_t column, const Threshold& threshold) const {
    return codes[column] <= threshold.as_i64();
  }
};

}  // namespace

TEST_CASE("a known property that fails decides, else an unknown one leaves the conjunction open") {
  const PropertyLists lists = {{0, 2, 4}, {0, 1, 0, 1}, {3, 5, 3, 5}, {0, 0, 1, 0}};
  const auto both = [&](std::int32_t a, std::int32_t b) { return all_of(lists, 0, Codes{{a, b}}); };
  CHECK(both(3, 5) == 1);
  CHECK(both(3, 4) == 0);
  CHECK(both(3, State::missing) == State::missing);
  CHECK(both(State::missing, 4) == 0);
  CHECK(both(4, State::missing) == 0);
  CHECK(both(State::missing, State::unseen) == State::unseen);
  const auto negated = [&](std::int32_t a, std::int32_t b) { return all_of(lists, 1, Codes{{a, b}}); };
  CHECK(negated(2, 5) == 1);
  CHECK(negated(3, 5) == 0);
  CHECK(negated(State::missing, 5) == State::missing);
}

TEST_CASE("a threshold is a property as well, and lists of levels alone keep none") {
  PropertyLists lists;
  lists.add({0, 3, false});
  lists.close();
  CHECK(lists.bits.empty());
  const Threshold four = {4, ValueType::i64, Side::le};
  lists.add({0, 3, true});
  lists.add({1, Property::kThreshold, false, four});
  lists.close();
  lists.add({1, Property::kThreshold, true, four});
  lists.close();
  REQUIRE(lists.bits.size() == 4);
  const auto both = [&](std::int32_t a, std::int32_t b) { return all_of(lists, 1, Codes{{a, b}}); };
  CHECK(both(2, 4) == 1);
  CHECK(both(2, 5) == 0);
  CHECK(both(3, 4) == 0);
  CHECK(both(State::missing, 5) == 0);
  CHECK(both(2, State::missing) == State::missing);
  const auto above = [&](std::int32_t b) { return all_of(lists, 2, Codes{{0, b}}); };
  CHECK(above(5) == 1);
  CHECK(above(4) == 0);
}

}  // namespace bough::testing
