#include "bough/search/gain_cut.hpp"

namespace bough {

bool limit_cut(GainCutNode& node, std::size_t classes, const GainRule& rule, const GainOptions& options) {
  if (options.relative_minimum) {
    const double tenth = 0.1 * node.weight / static_cast<double>(classes);
    if (rule.greater(tenth, node.minimum)) node.minimum = rule.greater(tenth, 25.0) ? 25.0 : tenth;
  }
  // Weka, whose tolerance is absolute, compares with the number of rows here, whatever they weigh.
  return !rule.greater(2.0 * node.minimum, options.epsilon > 0.0 ? node.rows : node.weight);
}

std::optional<Judgement> judge_cut(const GainCut& cut, const GainCutNode& node, double weight, double floor,
                                   const GainRule& rule, const GainOptions& options) {
  if (cut.position == 0) return std::nullopt;
  // With an absolute tolerance the rule has looked already.
  if (options.epsilon == 0.0 && !node.zero_gain && !(cut.gain > floor)) return std::nullopt;
  Judgement judgement{cut.gain, 0.0};
  if (options.threshold_penalty) {
    judgement.gain -= std::log2(static_cast<double>(cut.cuts)) / weight;
    if (!rule.greater(judgement.gain, 0.0)) {
      if (!node.zero_gain) return std::nullopt;
      judgement.gain = 0.0;  // what the choice costs makes no test worse than one that gains nothing
    }
  }
  const double branch_terms = rule.term(cut.low_amount) + rule.term(node.known - cut.low_amount);
  judgement.ratio = rule.ratio(judgement.gain, branch_terms, node.known, node.all);
  return judgement;
}

}  // namespace bough
