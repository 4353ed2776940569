#include "bough/engine/open/after_split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bough/base/distributions.hpp"
#include "bough/stats/significance.hpp"

namespace bough {

bool AfterSplit::significant(const std::vector<CellSum>& sums, std::size_t tests) const {
  if (!(stop_.significance > 0.0)) return true;
  std::vector<double> stat;
  for (const CellSum& sum : sums) stat.insert(stat.end(), sum.stat.begin(), sum.stat.end());
  double log_p = log_p_of_difference({stat, sums.front().stat.size(), target_.classes > 0}, stop_.significance_test);
  if (stop_.bonferroni) log_p += std::log(static_cast<double>(std::max<std::size_t>(1, tests)));
  return log_p <= std::log(stop_.significance);
}

bool AfterSplit::stands_out(double gain) {
  if (!(stop_.gains_level > 0.0)) return true;
  if (gains_.size() >= 2) {
    const double mean = std::accumulate(gains_.begin(), gains_.end(), 0.0) / static_cast<double>(gains_.size());
    double squares = 0.0;
    for (const double seen : gains_) squares += (seen - mean) * (seen - mean);
    const double variance = squares / static_cast<double>(gains_.size() - 1);
    if (variance > 0.0 && log_chi_squared_tail(gain * gain / variance, 1.0) >= std::log(stop_.gains_level))
      return false;
  }
  gains_.push_back(gain);
  return true;
}

double AfterSplit::errors(const NodeStats& node, const Holding& held) const {
  double sum = 0.0;
  double answer = node.value + centre_;
  if (target_.classes == 0 && node.answer_rows[0] >= 0) {
    answer = std::midpoint(target_.value[static_cast<std::size_t>(node.answer_rows[0])],
                           target_.value[static_cast<std::size_t>(node.answer_rows[1])]);
  }
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (target_.classes == 0) {
      const double off = target_.value[held.row[i]] - answer;
      sum += held.weight[i] * (options_.criterion == Criterion::absolute_error ? std::abs(off) : off * off);
      continue;
    }
    const std::uint32_t truth = target_.label[held.row[i]];
    const auto decided = static_cast<std::size_t>(node.label);
    const double cost = target_.cost.empty()
                            ? (truth == decided ? 0.0 : 1.0)
                            : target_.cost[truth * static_cast<std::size_t>(target_.classes) + decided];
    sum += held.weight[i] * target_.class_scale[truth] * cost;
  }
  return sum;
}

AfterSplit::Verdict AfterSplit::validated(const NodeStats& node, const Holding& held,
                                          const std::vector<NodeStats>& children,
                                          const std::vector<Holding>& children_held) const {
  Verdict verdict;
  if (stop_.validation.empty()) return verdict;
  verdict.without = errors(node, held);
  for (std::size_t b = 0; b < children_held.size(); ++b)
    verdict.with += errors(b < children.size() ? children[b] : node, children_held[b]);
  const double slack = options_.tie * verdict.without;
  verdict.serves = stop_.validation_rule == ValidationRule::strict ? verdict.with < verdict.without - slack
                                                                   : verdict.with <= verdict.without + slack;
  return verdict;
}

}  // namespace bough
