// The walk along a column against every cut, one by one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "bough/engine/sorted/walk.hpp"

namespace bough::testing {
namespace {

using Entry = EntryOf<std::uint32_t>;

struct Column {
  std::vector<Entry> known;
  std::vector<std::uint8_t> side;   // by id
  std::vector<std::uint32_t> value;  // by id
  Joint joint = {0, 0};

  Column(std::mt19937& random, std::size_t rows, std::uint32_t values, bool stays) : side(rows), value(rows) {
    for (std::size_t id = 0; id < rows; ++id) {
      known.push_back(Entry::make(id, 0));
      value[id] = static_cast<std::uint32_t>(random() % values);
      side[id] = static_cast<std::uint8_t>(random() % (stays ? 3 : 2));
      if (side[id] != kStays) ++joint[side[id]];
    }
    std::stable_sort(known.begin(), known.end(), [&](Entry a, Entry b) { return value[a.id()] < value[b.id()]; });
  }

  // All cuts between two values in turn; a later one must be better.
  [[nodiscard]] WalkedCut best(double least, unsigned allowed) const {
    WalkedCut best;
    std::size_t below[2] = {0, 0};
    for (std::size_t p = 1; p < known.size(); ++p) {
      const std::uint32_t id = known[p - 1].id();
      if (side[id] != kStays) ++below[side[id]];
      if (value[id] == value[known[p].id()]) continue;
      const auto low_rows = static_cast<double>(below[0] + below[1]);
      if (low_rows < least || static_cast<double>(joint[0] + joint[1]) - low_rows < least) continue;
      for (const std::uint8_t low : {std::uint8_t{1}, std::uint8_t{0}}) {
        const std::size_t agreement = below[low] + joint[1 - low] - below[1 - low];
        if ((allowed >> low & 1U) == 0 || (best.position > 0 && agreement <= best.agreement)) continue;
        best = {p, agreement, low};
      }
    }
    return best;
  }
};

}  // namespace

TEST_CASE("a walk finds the first of the best cuts") {
  for (unsigned round = 0; round < 3000; ++round) {
    std::mt19937 random(round);
    const Column column(random, 1 + random() % 24, 1 + random() % 30, round % 2 == 0);
    const double least = 0.5 * static_cast<double>(1 + random() % 8);
    const unsigned allowed = 1 + random() % 3;
    const auto tied = [&](std::uint32_t a, std::uint32_t b) { return column.value[a] == column.value[b]; };
    const WalkedCut found =
        best_walked(std::span<const Entry>(column.known), column.side.data(), column.joint, least, allowed, tied);
    const WalkedCut wanted = column.best(least, allowed);
    CHECK(found.position == wanted.position);
    CHECK(found.agreement == wanted.agreement);
    CHECK(found.low == wanted.low);
  }
}

}  // namespace bough::testing
