#include "bough/engine/open/after_split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bough/base/distributions.hpp"
#include "bough/engine/open/selection.hpp"
#include "bough/stats/contingency.hpp"

namespace bough {
namespace {

double log_p_one_sided(const std::vector<CellSum>& sums) {
  std::vector<double> count;
  for (const CellSum& sum : sums) count.insert(count.end(), sum.stat.begin(), sum.stat.end());
  const ChiSquared found = chi_squared_of_first(count, sums.front().stat.size());
  return log_chi_squared_tail(found.value, found.df);
}

}  // namespace

bool AfterSplit::significant(const std::vector<CellSum>& sums, std::size_t tests) const {
  if (!(stop_.significance > 0.0)) return true;
  double log_p = 0.0;
  if (stop_.significance_test == SignificanceTest::one_sided) {
    log_p = log_p_one_sided(sums);
  } else {
    std::vector<const CellSum*> groups;
    groups.reserve(sums.size());
    for (const CellSum& sum : sums) groups.push_back(&sum);
    log_p = log_p_of_groups(groups, target_.classes > 0 ? StatKind::classes : StatKind::moments);
  }
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

bool AfterSplit::pays(const NodeStats& node, const std::vector<NodeStats>& children) const {
  if (!(stop_.size_penalty > 0.0)) return true;
  const auto impurity = [&](const NodeStats& stats) {
    return stop_.size_weighted ? stats.impurity * stats.effective : stats.impurity;
  };
  const auto branches = static_cast<double>(children.size());
  double change = stop_.size_penalty * (stop_.size_unit == SizeUnit::leaves ? branches - 1.0 : branches);
  change -= impurity(node);
  // A branch without rows is no leaf that could be impure.
  for (const NodeStats& child : children) change += child.weight > 0.0 ? impurity(child) : 0.0;
  return change < -options_.tie * impurity(node);
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
