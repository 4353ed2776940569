// Is the best test good enough, seen with what it makes of the node? Rules that ask for the branches: significance,
// gains so far, a validation set.
#pragma once

#include <vector>

#include "bough/engine/open/cells.hpp"
#include "bough/engine/options.hpp"
#include "bough/stats/node_stats.hpp"

namespace bough {

class AfterSplit {
 public:
  AfterSplit(const Target& target, const GrowOptions& options, double centre)
      : target_(target), stop_(options.stop), options_(options), centre_(centre) {}

  [[nodiscard]] bool asks_for_children() const {
    return !stop_.validation.empty() && options_.selection.search != SearchRule::omnivariate;
  }
  [[nodiscard]] bool breadth_first() const { return stop_.gains_level > 0.0; }

  // `sums`: what the test sends to each branch; `tests`: how many columns had one.
  [[nodiscard]] bool significant(const std::vector<CellSum>& sums, std::size_t tests) const;
  // Against the gains of the nodes split so far; a gain that passes joins them.
  [[nodiscard]] bool stands_out(double gain);
  // What the rows of the validation set say of a split. `held`: those in the node, in each child, and behind them those
  // that stay in the node.
  struct Verdict {
    double without = 0.0;  // errors
    double with = 0.0;
    bool serves = true;
  };
  [[nodiscard]] Verdict validated(const NodeStats& node, const Holding& held, const std::vector<NodeStats>& children,
                                  const std::vector<Holding>& children_held) const;

 private:
  [[nodiscard]] double errors(const NodeStats& node, const Holding& held) const;

  const Target& target_;
  const StoppingOptions& stop_;
  const GrowOptions& options_;
  double centre_;
  std::vector<double> gains_;
};

}  // namespace bough
