// The cuts of a sorted column that imitate a split of whole rows best, in one pass. Behind a cut, every row of branch 0
// below it speaks for "low values take branch 0" and every row of branch 1 against it: the agreement of all cuts is a
// walk that goes up and down by one, and the best cuts are where it is highest and lowest.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bough/engine/sorted/cohort.hpp"

namespace bough {

// Numbers of rows with both values known, by branch of the primary split.
using Joint = std::size_t[2];

struct WalkedCut {
  std::size_t position = 0;  // entries below the cut; 0: there is none
  std::size_t agreement = 0;
  std::uint8_t low = 0;  // the branch of low values
};

// A place of the walk that is the better, the higher it lies, and of two that lie equally high the earlier one: one
// number holds both, so that the best place so far is a maximum and nothing branches on data.
class Place {
 public:
  // What a row adds, by its branch; `up` is the branch of rows that count for the cut.
  static constexpr std::int64_t step(std::uint8_t branch, std::uint8_t up) {
    if (branch == kStays) return -1;
    return (branch == up ? kHeight : -kHeight) - 1;
  }
  void move(std::int64_t step) { packed_ += step; }
  void keep_better(Place other) { packed_ = std::max(packed_, other.packed_); }
  [[nodiscard]] std::int64_t height() const { return (packed_ + (kHeight - 1)) >> kBits; }
  [[nodiscard]] std::size_t position() const { return static_cast<std::size_t>(height() * kHeight - packed_); }

 private:
  static constexpr int kBits = 32;
  static constexpr std::int64_t kHeight = std::int64_t{1} << kBits;
  std::int64_t packed_ = 0;
};

// The best cut of the known entries of a node with at least `least` > 0 rows of the joint cases on either side; bit b
// of `allowed`: low values may take branch b. Where equally good cuts are left the first one is taken, and of both
// directions there the one that sends low values to branch 1. `tied(a, b)` says whether two neighbours share a value.
template <class Entry, class Tied>
WalkedCut best_walked(std::span<const Entry> known, const std::uint8_t* side, const Joint& joint, double least,
                      unsigned allowed, const Tied& tied) {
  WalkedCut best;
  const auto enough = static_cast<std::size_t>(std::ceil(least));
  if (allowed == 0 || joint[0] + joint[1] < 2 * enough) return best;
  const std::int64_t straight_step[3] = {Place::step(0, 0), Place::step(1, 0), Place::step(kStays, 0)};
  const std::int64_t crossed_step[3] = {Place::step(0, 1), Place::step(1, 1), Place::step(kStays, 1)};
  Place straight;
  Place crossed;
  std::size_t first = 0;
  for (std::size_t rows = 0; rows < enough; ++first) {
    const std::uint8_t branch = side[known[first].id()];
    rows += static_cast<std::size_t>(branch != kStays);
    straight.move(straight_step[branch]);
    crossed.move(crossed_step[branch]);
  }
  std::size_t last = known.size();
  for (std::size_t rows = 0; rows < enough;) rows += static_cast<std::size_t>(side[known[--last].id()] != kStays);
  while (first <= last && tied(known[first - 1].id(), known[first].id())) {
    const std::uint8_t branch = side[known[first++].id()];
    straight.move(straight_step[branch]);
    crossed.move(crossed_step[branch]);
  }
  if (first > last) return best;
  Place best_straight = straight;
  Place best_crossed = crossed;
  for (std::size_t i = first; i < last; ++i) {
    const std::uint32_t id = known[i].id();
    const std::uint8_t branch = side[id];
    straight.move(straight_step[branch]);
    crossed.move(crossed_step[branch]);
    if (tied(id, known[i + 1].id())) continue;
    best_straight.keep_better(straight);
    best_crossed.keep_better(crossed);
  }
  const auto take = [&](const Place& place, std::uint8_t low) {
    const auto agreement = static_cast<std::size_t>(static_cast<std::int64_t>(joint[1 - low]) + place.height());
    const bool better = agreement > best.agreement || (agreement == best.agreement && place.position() < best.position);
    if (best.position == 0 || better) best = {place.position(), agreement, low};
  };
  if ((allowed & 2U) != 0) take(best_crossed, 1);
  if ((allowed & 1U) != 0) take(best_straight, 0);
  return best;
}

}  // namespace bough
