// The distinct values (or levels) of a column present in a node, each with its statistics: what remains of the rows
// for columns of few values, and the ground on which sets of levels are searched.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bough/criterion/superclass.hpp"
#include "bough/engine/options.hpp"
#include "bough/search/cut.hpp"
#include "bough/split/split.hpp"

namespace bough {

// Codes of a column of few values, marked as they occur, so that a small node pays for its rows and not for the width
// of the column.
class CodeSet {
 public:
  void add(std::size_t code) { marks_[code / 64] |= std::uint64_t{1} << (code % 64); }
  // In ascending order.
  template <class Use>
  void for_each(Use use) const {
    for (std::size_t word = 0; word < marks_.size(); ++word) {
      for (std::uint64_t bits = marks_[word]; bits != 0; bits &= bits - 1)
        use(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }
  }

 private:
  std::array<std::uint64_t, 4> marks_{};
};

struct ValueTable {
  std::size_t width = 0;             // statistics of each value
  std::vector<std::uint32_t> code;   // ascending
  std::vector<double> rows;
  std::vector<double> weight;        // sums of sample weights
  std::vector<double> stat;          // size() x width: class counts times scales, or as the criterion says

  [[nodiscard]] std::size_t size() const { return code.size(); }
  [[nodiscard]] const double* at(std::size_t value) const { return stat.data() + value * width; }
  void clear(std::size_t new_width) {
    width = new_width;
    code.clear();
    rows.clear();
    weight.clear();
    stat.clear();
  }
};

// A set of levels: low[v] says whether value number v of the table takes the first side.
struct Subset {
  double drop = 0.0;
  bool any = false;
  Found found = Found::exact;
  std::vector<std::uint8_t> low;
};

// Constraint answers of two sides: share of class 1, or mean.
struct Answers {
  bool regression = false;
  [[nodiscard]] double operator()(const std::vector<double>& stat) const {
    return regression ? stat[1] / stat[0] : stat[1] / (stat[0] + stat[1]);
  }
};

// Rows, weights and statistics of the two sides while values change sides.
struct TwoSides {
  double rows[2] = {0.0, 0.0};
  double weight[2] = {0.0, 0.0};
  std::vector<double> stat[2];
  double rounding = 0.0;   // one rounding of the amount of both sides, in their unit; none of whole counts
  double light = HUGE_VAL;  // a side of so much weight is no rounding for certain

  // All values on side 1.
  void start(const ValueTable& table);
  // Group statistics only.
  void move(const ValueTable& table, std::size_t value, int to);
  [[nodiscard]] bool admissible(const CutLimits& limits) const {
    return std::min(rows[0], rows[1]) >= static_cast<double>(limits.min_rows) &&
           std::min(weight[0], weight[1]) >= limits.min_weight && weight[0] > 0.0 && weight[1] > 0.0;
  }
  // Whether both sides hold more than rounding after so many moves (side.hpp). Asked of records only: a gain that is
  // infinite for want of a side is one.
  [[nodiscard]] bool hold(const Answers& answers, std::uint64_t moves) const {
    return std::min(weight[0], weight[1]) >= light || exceed_rounding(answers, moves);
  }
  [[nodiscard]] bool exceed_rounding(const Answers& answers, std::uint64_t moves) const;
};

// The order in which one pass of cuts finds the best set: exact for two classes and for squared error.
std::vector<std::uint32_t> order_by_share(const ValueTable& table, std::size_t numerator, std::size_t parts);
// By the first principal component of the class shares: a heuristic for three classes and more.
std::vector<std::uint32_t> order_by_component(const ValueTable& table);

// Cuts of the table's values taken in the given order (null: as they stand).
template <class Drop>
Cut cut_table(const ValueTable& table, const std::uint32_t* order, const Drop& drop, const CutLimits& limits,
              double floor, TwoSides& sides, const Answers& answers) {
  Cut best;
  sides.start(table);
  double bar = limits.first_bar(floor);
  for (std::size_t i = 0; i + 1 < table.size(); ++i) {
    sides.move(table, order != nullptr ? order[i] : i, 0);
    if (!sides.admissible(limits)) continue;
    const double gain = drop(sides.stat[0].data(), sides.stat[1].data());
    if (!(gain > bar) || !sides.hold(answers, i)) continue;
    if (limits.constrained() && !limits.allows(answers(sides.stat[0]), answers(sides.stat[1]))) continue;
    bar = limits.next_bar(gain, 0.1 * floor);
    best.drop = gain;
    best.position = i + 1;
    best.low_weight = sides.weight[0];
  }
  return best;
}

// Every set of levels, in reflected Gray code order: step t moves level number (trailing zeros of t); the last level
// present never moves. `evaluate(low)` gives the drop of a set, or kNoCut if it is not admissible;
// `accept(step)` is asked of those that would be the best so far.
template <class Evaluate, class Accept>
Subset enumerate_subsets(std::size_t levels, const CutLimits& limits, double floor, Evaluate evaluate, Accept accept) {
  Subset best;
  std::vector<std::uint8_t> low(levels, 0);
  double bar = limits.first_bar(floor);
  const std::uint64_t last = levels >= 1 ? std::uint64_t{1} << (levels - 1) : 1;
  for (std::uint64_t step = 1; step < last; ++step) {
    if (step % 64 == 0) limits.poll(64 * levels);
    const auto level = static_cast<std::size_t>(std::countr_zero(step));
    low[level] ^= 1;
    const double gain = evaluate(low, level);
    if (!(gain > bar) || !accept(step)) continue;
    bar = limits.next_bar(gain, 0.1 * floor);
    best.any = true;
    best.drop = gain;
    best.low = low;
  }
  return best;
}

inline Subset subset_of_cut(const ValueTable& table, const std::uint32_t* order, const Cut& cut, Found found) {
  Subset subset;
  subset.found = found;
  subset.any = cut.position > 0;
  subset.drop = cut.drop;
  subset.low.assign(table.size(), 0);
  for (std::size_t i = 0; i < cut.position; ++i) subset.low[order[i]] = 1;
  return subset;
}

// Sets up to this many levels are searched completely.
inline constexpr std::size_t kExactLevels = 12;

// Every set of levels.
template <class Drop>
Subset best_of_all_subsets(const ValueTable& table, const Drop& drop, const CutLimits& limits, double floor,
                           TwoSides& sides, const Answers& answers) {
  sides.start(table);
  const auto evaluate = [&](const std::vector<std::uint8_t>& low, std::size_t moved) {
    sides.move(table, moved, low[moved] != 0 ? 0 : 1);
    if (!sides.admissible(limits)) return kNoCut;
    if (limits.constrained() && !limits.allows(answers(sides.stat[0]), answers(sides.stat[1]))) return kNoCut;
    return drop(sides.stat[0].data(), sides.stat[1].data());
  };
  const auto accept = [&](std::uint64_t step) { return sides.hold(answers, step); };
  return enumerate_subsets(table.size(), limits, floor, evaluate, accept);
}

// Sets of levels for a criterion on three and more classes.
template <class Drop>
Subset subset_by_classes(const ValueTable& table, const Drop& drop, const CutLimits& limits, double floor,
                         SubsetRule rule, TwoSides& sides) {
  const bool exact = rule == SubsetRule::exact || rule == SubsetRule::all ||
                     (rule == SubsetRule::automatic && table.size() <= kExactLevels);
  if (exact) return best_of_all_subsets(table, drop, limits, floor, sides, {});
  const std::vector<std::uint32_t> order = order_by_component(table);
  return subset_of_cut(table, order.data(), cut_table(table, order.data(), drop, limits, floor, sides, {}), Found::pca);
}

// Sets of levels for two classes and squared error: the best set is a cut of the levels in `order`. Under minima or
// bounds the best admissible one need not be, so that asking for all sets means to look at them, unless the best of all
// is admissible anyway.
template <class Drop>
Subset subset_by_order(const ValueTable& table, const std::vector<std::uint32_t>& order, const Drop& drop,
                       const CutLimits& limits, double floor, SubsetRule rule, TwoSides& sides,
                       const Answers& answers) {
  const auto cut = [&](const CutLimits& within) {
    return cut_table(table, order.data(), drop, within, floor, sides, answers);
  };
  const Cut best = cut(limits);
  if (rule == SubsetRule::all) {
    CutLimits none;
    none.tie = limits.tie;
    none.zero_gain = limits.zero_gain;
    none.watch = limits.watch;
    if (cut(none).position != best.position) return best_of_all_subsets(table, drop, limits, floor, sides, answers);
  }
  return subset_of_cut(table, order.data(), best, Found::ordered);
}

// Twoing: for every way to make two superclasses of the classes, the best set is a cut of the levels ordered by the
// share of one of them. Exact while 2^(K-1) <= 1024; beyond that the superclasses are the single classes and the two
// sides of the first principal component.
// `impurity` is that of the superclasses.
Subset subset_by_superclasses(const ValueTable& table, TwoingImpurity impurity, const CutLimits& limits, double floor,
                              TwoSides& sides);

}  // namespace bough
