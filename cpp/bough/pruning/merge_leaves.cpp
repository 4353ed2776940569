// See merge_leaves.hpp.
#include "bough/pruning/merge_leaves.hpp"

#include <cmath>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/pruning/ledger.hpp"
#include "bough/pruning/tolerance.hpp"
#include "bough/tree/growth_weight.hpp"

namespace bough {
namespace {

struct Joining {
  double before;
  double after;
  [[nodiscard]] double increase() const { return after - before; }
};

class Merging {
 public:
  Merging(const Tree& tree, const MergeOptions& options) : tree_(tree), options_(options), ledger_(tree, tree.risk) {
    ledger_.open();
    weight_.reserve(tree.parent.size());
    for (std::int32_t node = 0; node < tree.size(); ++node) weight_.push_back(growth_weight(tree, node));
    split_children_.assign(tree.parent.size(), 0);
    for (std::int32_t node = 1; node < tree.size(); ++node) {
      if (!tree.is_leaf(node)) ++split_children_[tree.parent[node]];
    }
    for (std::int32_t node = 0; node < tree.size(); ++node) {
      if (!tree.is_leaf(node) && split_children_[node] == 0) offer(node);
    }
  }

  PrunedTree run() {
    const Tolerance tolerance = {1e-12 * tree_.impurity.front()};
    while (!offers_.empty() && ledger_.leaves() > options_.leaves) {
      const auto [increase, node] = offers_.top();
      if (!tolerance.at_most(increase, options_.most)) break;
      offers_.pop();
      const Joining joining = join(node);
      ledger_.make_leaf(node, joining.before, joining.after);
      if (node > 0 && --split_children_[tree_.parent[node]] == 0) offer(tree_.parent[node]);
    }
    return finish(tree_, ledger_);
  }

 private:
  using Offer = std::pair<double, std::int32_t>;

  void offer(std::int32_t node) { offers_.emplace(join(node).increase(), node); }

  [[nodiscard]] Joining join(std::int32_t node) const {
    double sum = 0.0;
    double all = 0.0;
    for (std::int32_t c = tree_.child_begin[node]; c < tree_.child_begin[node + 1]; ++c) {
      const std::int32_t child = tree_.children[c];
      sum += weight_[child] * tree_.impurity[child];
      all += weight_[child];
    }
    const double own = tree_.impurity[node];
    const double share = options_.by_weight ? (weight_.front() > 0.0 ? weight_[node] / weight_.front() : 0.0) : 1.0;
    return {(all > 0.0 ? sum / all : own) * share, own * share};
  }

  const Tree& tree_;
  const MergeOptions& options_;
  Ledger ledger_;
  std::vector<double> weight_;                // effective, by node
  std::vector<std::int32_t> split_children_;  // how many children of a node are still split
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers_;  // the smallest increase on top
};

}  // namespace

PrunedTree merge_leaves(const Tree& tree, const MergeOptions& options) {
  if (std::isnan(options.most)) throw InvalidInput("most", "expected a number");
  if (options.leaves < 1) throw InvalidInput("leaves", "expected at least 1");
  return Merging(tree, options).run();
}

}  // namespace bough
