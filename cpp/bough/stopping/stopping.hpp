// When is a node a leaf? Asked before the search (is it worth looking?) and after it (is the best test good enough?);
// the third hook, which branches are admissible, sits inside the search (CutLimits).
#pragma once

#include <algorithm>
#include <cmath>

#include "bough/engine/options.hpp"
#include "bough/stats/node_stats.hpp"

namespace bough {

class Stopping {
 public:
  explicit Stopping(const GrowOptions& options) : options_(options) {}

  // The root is known: thresholds relative to it can be set.
  void begin(const NodeStats& root) {
    root_effective_ = root.effective;
    least_risk_ = options_.risk_share < 0.0 ? -1.0 : options_.risk_share * root.risk;
  }

  [[nodiscard]] bool before_search(const NodeStats& node, std::int64_t depth) const {
    if (node.pure || node.rows < 2) return false;
    if (options_.max_depth >= 0 && depth >= options_.max_depth) return false;
    if (node.weight < options_.min_split_weight || static_cast<std::int64_t>(node.rows) < options_.min_split_rows)
      return false;
    const double epsilon = options_.gain.epsilon;
    if (node.weight < 2.0 * (options_.min_leaf_weight - epsilon)) return false;
    if (epsilon > 0.0 && node.weight - *std::max_element(node.counts.begin(), node.counts.end()) < epsilon)
      return false;
    return node.risk > least_risk_ && !good_enough(node);
  }

  // Whether a node answers well enough as it is.
  [[nodiscard]] bool good_enough(const NodeStats& node) const {
    const StoppingOptions& stop = options_.stop;
    if (stop.max_impurity >= 0.0 && node.impurity <= stop.max_impurity * (1.0 + options_.tie)) return true;
    if (node.counts.empty()) {
      if (stop.error_threshold < 0.0) return false;
      const bool squared =
          options_.criterion != Criterion::absolute_error && options_.criterion != Criterion::worst_error;
      return (squared ? std::sqrt(node.impurity) : node.impurity) <= stop.error_threshold * (1.0 + options_.tie);
    }
    return stop.majority_share <= 1.0 && *std::max_element(node.counts.begin(), node.counts.end()) >=
                                             stop.majority_share * node.weight * (1.0 - options_.tie);
  }

  [[nodiscard]] bool after_search(const NodeStats& node, double gain) const {
    // A drop is one of the weight that gains see, with priors and class weights, as in scikit-learn.
    const double share = node.effective / root_effective_;
    if (options_.stop.min_gain > 0.0 && !(gain > options_.stop.min_gain)) return false;
    return options_.min_impurity_decrease <= 0.0 ||
           share * gain >= options_.min_impurity_decrease * (1.0 - options_.tie);
  }

  // What monotone constraints compare: the value, or the share of the second class.
  [[nodiscard]] double answer(const NodeStats& node, const Target& target) const {
    if (node.counts.empty()) return node.value;
    const double second = node.counts[1] * target.growth_scale[1];
    return second / (node.counts[0] * target.growth_scale[0] + second);
  }

 private:
  const GrowOptions& options_;
  double root_effective_ = 1.0;
  double least_risk_ = -1.0;
};

}  // namespace bough
