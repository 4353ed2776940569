// A search whose sums are carried from candidate to candidate and compared bit by bit: where two candidates are equal
// in exact arithmetic, rounding decides, as it does in rpart. For parity with it only; every other search counts such
// candidates as equal and takes the first.
#pragma once

#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "bough/engine/options.hpp"
#include "bough/search/cut.hpp"

namespace bough {

// A row of the node whose value in the column is known.
struct CarriedRow {
  std::uint32_t row = 0;    // of the table
  std::uint32_t value = 0;  // rank or code
  std::uint32_t label = 0;
  double y = 0.0;
  double weight = 1.0;
};

// The best split of a column. Its first side is the low one, or the levels that left the other side.
struct CarriedSplit {
  bool any = false;
  double gain = 0.0;                // drop of impurity (natural logarithms) times the scaled weight of the rows
  bool first_is_left = true;        // the first side leans to the first classes, or to low values
  std::size_t position = 0;         // cuts: how many rows are on the first side
  std::vector<std::int32_t> code;   // sets: the levels present, ascending
  std::vector<std::uint8_t> first;  // sets: which of them are on the first side

  [[nodiscard]] bool improved_by(double other, const CutLimits& limits) const {
    return other > gain || (limits.zero_gain && !any);
  }
};

// How much of the gain above is one unit of the criterion: entropies are told in bits.
inline double carried_unit(Criterion criterion) { return criterion == Criterion::entropy ? std::numbers::ln2 : 1.0; }

// Cuts of rows sorted by value; criteria gini, entropy and squared error.
CarriedSplit carried_cut(std::span<const CarriedRow> rows, const Target& target, Criterion criterion,
                         const CutLimits& limits);

// Sets of the levels present, out of `levels` declared ones, from rows in the order of the table. Two classes and
// squared error: cuts of the levels in the order of their answers. More classes: all sets in Gray code order, in which
// the last declared level stays put; without it all levels move, and every partition is met twice.
CarriedSplit carried_subset(std::span<const CarriedRow> rows, std::uint32_t levels, const Target& target,
                            Criterion criterion, const CutLimits& limits);

}  // namespace bough
