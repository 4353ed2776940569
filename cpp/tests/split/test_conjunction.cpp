#include "bough/split/conjunction.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

namespace bough::testing {

TEST_CASE("a known term that fails decides, else an unknown one leaves the conjunction open") {
  const auto of = [](const std::vector<Met>& terms) {
    return all_met(std::size_t{0}, terms.size(), [&](std::size_t t) { return terms[t]; });
  };
  CHECK(of({Met::yes, Met::yes}) == Met::yes);
  CHECK(of({Met::yes, Met::unknown}) == Met::unknown);
  CHECK(of({Met::unknown, Met::no}) == Met::no);
  CHECK(of({Met::no, Met::unknown}) == Met::no);
  CHECK(met(true, false) == Met::yes);
  CHECK(met(true, true) == Met::no);
  CHECK(met(false, true) == Met::yes);
}

}  // namespace bough::testing
