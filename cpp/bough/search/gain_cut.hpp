// Cuts of a sorted column judged by information gain with the rules of C4.5: admissible cuts are counted, because the
// choice among them costs bits, and the first of equal ones is kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/search/gain.hpp"

namespace bough {

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
};

// Class counts of both sides while amounts move from high to low. Only the terms of the class that moves change, so a
// step costs the same for any number of classes.
class GainSides {
 public:
  GainSides(const GainRule& rule, const double* whole, std::size_t classes)
      : rule_(rule), high_(whole, whole + classes) {
    low_.assign(classes, 0.0);
    low_term_.assign(classes, 0.0);
    high_term_.resize(classes);
    for (std::size_t k = 0; k < classes; ++k) high_terms_ += high_term_[k] = rule.term(high_[k]);
    before_ = -high_terms_;
  }
  void move(std::size_t k, double amount) {
    low_[k] += amount;
    high_[k] -= amount;
    const double low = rule_.term(low_[k]);
    const double high = rule_.term(high_[k]);
    low_terms_ += low - low_term_[k];
    high_terms_ += high - high_term_[k];
    low_term_[k] = low;
    high_term_[k] = high;
  }
  // Information saved by the cut as it stands, of `low` on one side and `all - low` on the other.
  [[nodiscard]] double saved(double low, double all) const {
    return (rule_.term(all) + before_) - (rule_.term(low) - low_terms_) - (rule_.term(all - low) - high_terms_);
  }

 private:
  const GainRule& rule_;
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<double> low_term_;
  std::vector<double> high_term_;
  double low_terms_ = 0.0;
  double high_terms_ = 0.0;
  double before_ = 0.0;
};

// Takes `steps` steps upwards: advance(i, sides, state) moves step number i (a row or a value) to the low side and adds
// to state.weight, state.amount and state.rows; may_cut(i) tells whether steps i - 1 and i are told apart.
struct GainState {
  double weight = 0.0;
  double amount = 0.0;
  double rows = 0.0;
};
template <class Advance, class MayCut>
GainCut best_gain_cut(std::size_t steps, const GainCutNode& node, const GainRule& rule, GainSides& sides,
                      Advance advance, MayCut may_cut) {
  GainCut best;
  GainState state;
  for (std::size_t i = 0; i + 1 < steps; ++i) {
    advance(i, sides, state);
    if (!rule.at_least(state.weight, node.minimum) || state.rows < node.min_rows) continue;
    if (!rule.at_least(node.weight - state.weight, node.minimum) || node.rows - state.rows < node.min_rows) break;
    if (!may_cut(i + 1)) continue;
    ++best.cuts;
    const double gain = rule.gain(sides.saved(state.amount, node.known), node.known, node.all);
    if (!rule.greater(gain, best.gain)) continue;
    best.gain = gain;
    best.position = i + 1;
    best.low_weight = state.weight;
    best.low_amount = state.amount;
  }
  return best;
}

}  // namespace bough
