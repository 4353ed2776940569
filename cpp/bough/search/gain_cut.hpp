// Cuts of a sorted column judged by information gain with the rules of C4.5: admissible cuts are counted, because the
// choice among them costs bits, and the first of equal ones is kept.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "bough/search/gain.hpp"
#include "bough/search/value_table.hpp"

namespace bough {

inline constexpr double kGainSlack = 1e-12;  // of the weight of a node: bits that rounding may add

struct GainCut {
  double gain = 0.0;           // not yet corrected for the number of cuts
  std::size_t cuts = 0;        // how many were admissible
  std::size_t position = 0;    // steps that go low; 0: none
  double low_weight = 0.0;     // their sample weight
  double low_amount = 0.0;     // the same with the scales of growth
};

// What a cut must respect, and what gains refer to.
struct GainCutNode {
  double known = 0.0;    // amounts
  double all = 0.0;
  double weight = 0.0;   // sample weight of the known rows
  double minimum = 0.0;
  double min_rows = 1.0;
  double rows = 0.0;
  bool zero_gain = false;  // the first cut is taken whatever it gains
};

// Class counts of both sides while amounts move from high to low. Terms are made when they are asked for, and only
// those of classes that moved since: steps that are not judged cost two additions.
class GainSides {
 public:
  GainSides(const GainRule& rule, const double* whole, std::size_t classes)
      : rule_(rule), high_(whole, whole + classes) {
    low_.assign(classes, 0.0);
    low_term_.assign(classes, 0.0);
    high_term_.resize(classes);
    moved_.assign(classes, 0);
    double all = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      all += high_[k];
      high_terms_ += high_term_[k] = rule.term(high_[k]);
    }
    before_ = rule.term(all) - high_terms_;
  }
  void move(std::size_t k, double amount) {
    low_[k] += amount;
    high_[k] -= amount;
    if (moved_[k] != 0) return;
    moved_[k] = 1;
    changed_.push_back(k);
  }
  // Information saved by the cut as it stands, of `low` on one side and `all - low` on the other.
  [[nodiscard]] double saved(double low, double all) {
    for (const std::size_t k : changed_) {
      moved_[k] = 0;
      const double low_term = rule_.term(low_[k]);
      const double high_term = rule_.term(high_[k]);
      low_terms_ += low_term - low_term_[k];
      high_terms_ += high_term - high_term_[k];
      low_term_[k] = low_term;
      high_term_[k] = high_term;
    }
    changed_.clear();
    return before_ - (rule_.term(low) - low_terms_) - (rule_.term(all - low) - high_terms_);
  }

 private:
  const GainRule& rule_;
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<double> low_term_;
  std::vector<double> high_term_;
  std::vector<std::uint8_t> moved_;
  std::vector<std::size_t> changed_;
  double low_terms_ = 0.0;
  double high_terms_ = 0.0;
  double before_ = 0.0;
};

// The next whole number above log2(x), for x > 0.
inline double above_log2(double x) {
  return static_cast<double>(static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(x) >> 52) - 1022);
}

// How much may move from a high side of `high` before `missing` more bits can be saved. Moving an amount d of K classes
// saves at most the information in it and that of telling it from the rest: d log2 K + d log2(e high / d). So with
// c = log2(e K high) and D >= c + log2(D / missing), an amount of missing / D saves no more than what is missing. Whole
// numbers above the logarithms do.
inline double harmless_amount(double missing, double high, double information) {
  if (!(missing > 0.0) || !(high > 0.0)) return 0.0;
  const double c = information + above_log2(high);
  const double fine = 1.0 - above_log2(missing);  // above log2(1 / missing)
  const double wide = std::max(4.0, 2.0 * (c + std::max(0.0, fine)) + 4.0);
  return missing / std::max(1.0, c + above_log2(wide) + fine);
}

// Takes `steps` steps upwards: advance(i, sides, state) moves step number i (a row or a value) to the low side and adds
// to state.weight, state.amount and state.rows; may_cut(i) tells whether steps i - 1 and i are told apart.
struct GainState {
  double weight = 0.0;
  double amount = 0.0;
  double rows = 0.0;
};
template <class Advance, class MayCut>
GainCut best_gain_cut(std::size_t steps, const GainCutNode& node, const GainRule& rule, GainSides& sides,
                      Advance advance, MayCut may_cut, std::size_t classes) {
  GainCut best;
  GainState state;
  const double per_bit = rule.gain_of_one_bit(node.known, node.all);
  const double information = std::log2(std::numbers::e * static_cast<double>(classes));
  const double rounding = kGainSlack * node.known;  // bits
  double needed = -rounding;  // fewer bits saved are not more than the best
  double judged_from = -1.0;  // the amount from which on a cut may save them; below it none is judged
  for (std::size_t i = 0; i + 1 < steps; ++i) {
    const double before = state.amount;
    advance(i, sides, state);
    if (!rule.at_least(state.weight, node.minimum) || state.rows < node.min_rows) continue;
    if (!rule.at_least(node.weight - state.weight, node.minimum) || node.rows - state.rows < node.min_rows) break;
    if (!may_cut(i + 1)) continue;
    ++best.cuts;
    if (state.amount < judged_from) continue;
    const double saved = sides.saved(state.amount, node.known);
    const double missing = needed - saved;
    if (missing > 4.0 * (state.amount - before)) {  // else one more step like this one may be enough
      judged_from = state.amount + harmless_amount(missing, node.known - state.amount, information);
      continue;
    }
    if (missing > 0.0) continue;
    const bool none = node.zero_gain && std::abs(saved) <= rounding;
    const double gain = none ? 0.0 : rule.gain(saved, node.known, node.all);
    const bool first = node.zero_gain && best.position == 0;
    if (!first && !rule.greater(gain, best.gain)) continue;
    best.gain = gain;
    best.position = i + 1;
    best.low_weight = state.weight;
    best.low_amount = state.amount;
    needed = gain / per_bit - rounding;
  }
  return best;
}

// The same for the values of a table, which rise; its statistics are class counts times the scales of growth. `whole`
// is a buffer.
template <class MayCut>
GainCut best_table_cut(const ValueTable& table, const GainCutNode& node, const GainRule& rule,
                       std::vector<double>& whole, MayCut may_cut) {
  const std::size_t classes = table.width;
  whole.assign(classes, 0.0);
  for (std::size_t v = 0; v < table.size(); ++v) {
    for (std::size_t k = 0; k < classes; ++k) whole[k] += table.at(v)[k];
  }
  GainSides sides(rule, whole.data(), classes);
  return best_gain_cut(
      table.size(), node, rule, sides,
      [&](std::size_t v, GainSides& moving, GainState& state) {
        for (std::size_t k = 0; k < classes; ++k) {
          if (table.at(v)[k] > 0.0) moving.move(k, table.at(v)[k]);
          state.amount += table.at(v)[k];
        }
        state.weight += table.weight[v];
        state.rows += table.rows[v];
      },
      may_cut, classes);
}

// Sets the least weight of a side as the options ask; false if the rows are too few for two sides.
[[nodiscard]] bool limit_cut(GainCutNode& node, std::size_t classes, const GainRule& rule, const GainOptions& options);

// What the best cut of a column is worth once it has paid for the choice; none if nothing is left, or if it gains no
// more than `floor`, which rounding may add. `weight`: of all rows of the node.
[[nodiscard]] std::optional<Judgement> judge_cut(const GainCut& cut, const GainCutNode& node, double weight,
                                                 double floor, const GainRule& rule, const GainOptions& options);

}  // namespace bough
