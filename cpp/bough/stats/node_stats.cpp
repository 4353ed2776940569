#include "bough/stats/node_stats.hpp"

#include <algorithm>
#include <cmath>

#include "bough/criterion/costs.hpp"

namespace bough {
namespace {

// A later class takes the label only if it is better by more than this, so that the first of equal ones keeps it
// whatever priors and costs do to the last bit.
constexpr double kLabelTie = 1e-12;

}  // namespace

double class_impurity(const std::vector<double>& counts, const Target& target, Criterion criterion) {
  const std::size_t classes = counts.size();
  double all = 0.0;
  for (std::size_t k = 0; k < classes; ++k) all += counts[k] * target.growth_scale[k];
  if (!(all > 0.0)) return 0.0;
  const auto share = [&](std::size_t k) { return counts[k] * target.growth_scale[k] / all; };
  double impurity = 0.0;
  switch (criterion) {
    case Criterion::entropy:
    case Criterion::gain_ratio:
      for (std::size_t k = 0; k < classes; ++k) {
        const double p = share(k);
        if (p > 0.0) impurity -= p * std::log2(p);
      }
      break;
    case Criterion::misclassification: {
      double most = 0.0;
      for (std::size_t k = 0; k < classes; ++k) most = std::max(most, share(k));
      impurity = 1.0 - most;
      break;
    }
    case Criterion::weighted_entropy: {
      const std::vector<double> factor = cost_by_class(target);
      for (std::size_t k = 0; k < classes; ++k) {
        const double p = share(k);
        if (p > 0.0) impurity -= factor[k] * p * std::log2(p);
      }
      break;
    }
    case Criterion::expected_cost: {
      std::vector<double> shares(classes);
      for (std::size_t k = 0; k < classes; ++k) shares[k] = share(k);
      impurity = least_cost(shares.data(), target);
      break;
    }
    case Criterion::weighted_gini:
      for (std::size_t i = 0; i < classes; ++i) {
        for (std::size_t j = 0; j < classes; ++j) impurity += target.cost[i * classes + j] * share(i) * share(j);
      }
      break;
    default:
      for (std::size_t k = 0; k < classes; ++k) {
        const double p = share(k);
        impurity += p * (1.0 - p);
      }
      if (criterion == Criterion::gini_half) impurity *= 0.5;
  }
  return std::max(0.0, impurity);
}

void settle_classes(NodeStats& stats, const Target& target, Criterion criterion) {
  const std::size_t classes = stats.counts.size();
  std::size_t present = 0;
  stats.effective = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    present += static_cast<std::size_t>(stats.counts[k] > 0.0);
    stats.effective += stats.counts[k] * target.growth_scale[k];
  }
  stats.pure = present <= 1;
  stats.impurity = stats.pure ? 0.0 : class_impurity(stats.counts, target, criterion);
  stats.risk = 0.0;
  // With costs of 0 and 1 the expected cost of a decision is what the other classes weigh: no need to go over pairs.
  if (target.cost.empty()) {
    double all = 0.0;
    double most = -1.0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double mass = stats.counts[k] * target.class_scale[k];
      all += mass;
      if (mass > most * (1.0 + kLabelTie)) {
        most = mass;
        stats.label = static_cast<std::int32_t>(k);
      }
    }
    stats.risk = std::max(0.0, all - most);
    return;
  }
  for (std::size_t decided = 0; decided < classes; ++decided) {
    double expected = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      expected += stats.counts[k] * target.cost[k * classes + decided] * target.class_scale[k];
    }
    if (decided == 0 || expected < stats.risk * (1.0 - kLabelTie)) {
      stats.risk = expected;
      stats.label = static_cast<std::int32_t>(decided);
    }
  }
}

}  // namespace bough
