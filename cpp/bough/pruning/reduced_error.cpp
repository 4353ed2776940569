// See reduced_error.hpp. Each row leaves its loss at every node that it passes; nodes are then judged from the leaves
// up.
#include "bough/pruning/reduced_error.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/predict/answers.hpp"
#include "bough/predict/compile.hpp"
#include "bough/predict/route.hpp"
#include "bough/predict/spread.hpp"
#include "bough/pruning/ledger.hpp"
#include "bough/pruning/tolerance.hpp"

namespace bough {
namespace {

// What an answer of a node costs, for a case of weight 1.
class Loss {
 public:
  Loss(const Tree& tree, std::span<const ColumnView> columns, const Target& target, ValueError value_error)
      : tree_(tree), answers_(tree, columns), target_(target), value_error_(value_error) {}

  [[nodiscard]] double operator()(std::int32_t node, std::size_t row) const {
    if (tree_.is_classifier()) {
      const std::uint32_t label = target_.label[row];
      const auto decided = static_cast<std::uint32_t>(tree_.label[node]);
      const double cost = target_.cost.empty() ? (label == decided ? 0.0 : 1.0)
                                               : target_.cost[std::size_t{label} * target_.classes + decided];
      return cost * tree_.class_scale[label];
    }
    const double error = std::abs(target_.value[row] - answers_(node, static_cast<std::int64_t>(row)));
    return value_error_ == ValueError::squared ? error * error : error;
  }

 private:
  const Tree& tree_;
  ValueAnswers answers_;
  const Target& target_;
  ValueError value_error_;
};

struct Judgement {
  std::vector<double> as_leaf;  // by node: the loss of all rows that come here
  std::vector<double> stopped;  // of those that go no further, though the node is no leaf
};

Judgement judge(const Tree& tree, std::span<const ColumnView> columns, std::size_t rows, const Loss& loss,
                std::span<const double> holdout, Watch& watch) {
  const Router router(tree, columns);
  const HotTree hot = compile(tree, columns, router);
  Spread spread(tree, router, &hot);
  Judgement found = {std::vector<double>(tree.parent.size(), 0.0), std::vector<double>(tree.parent.size(), 0.0)};
  for (std::size_t row = 0; row < rows; ++row) {
    watch.done(1.0);
    if (!(holdout[row] > 0.0)) continue;
    spread.walk(static_cast<std::int64_t>(row), 0, watch, [&](std::int32_t node, double share, bool ends) {
      const double lost = holdout[row] * share * loss(node, row);
      found.as_leaf[node] += lost;
      if (ends) found.stopped[node] += lost;
    });
  }
  return found;
}

void check(const Tree& tree, const RankedTable& table, const Target& target, std::span<const double> holdout,
           const ReducedErrorOptions& options) {
  if (tree.class_scale.size() != target.classes) {
    throw InvalidInput("tree", "the tree and the target have the same classes, or both none");
  }
  if ((tree.is_classifier() ? target.label.size() : target.value.size()) != table.rows) {
    throw InvalidInput("target", "one entry for each row is needed");
  }
  if (holdout.size() != table.rows) throw InvalidInput("holdout_weight", "one for each row is needed");
  for (const double weight : holdout) {
    if (!std::isfinite(weight) || weight < 0.0) {
      throw InvalidInput("holdout_weight", "expected finite numbers of at least 0");
    }
  }
  if (!std::isfinite(options.epsilon) || options.epsilon < 0.0) {
    throw InvalidInput("epsilon", "expected a finite number of at least 0");
  }
}

}  // namespace

PrunedTree prune_reduced_error(const Tree& tree, const RankedTable& table, const Target& target,
                               std::span<const double> holdout, const ReducedErrorOptions& options, Watch& watch) {
  check(tree, table, target, holdout, options);
  std::vector<ColumnView> columns;
  columns.reserve(table.columns.size());
  for (const RankedColumn& column : table.columns) columns.push_back(column.view);
  const Loss loss(tree, columns, target, options.value_error);
  const Judgement found = judge(tree, columns, table.rows, loss, holdout, watch);
  Ledger ledger(tree, tree.risk);
  ledger.open();
  std::vector<double> below(found.stopped);
  for (std::int32_t node = tree.size(); node-- > 0;) {
    if (tree.is_leaf(node)) continue;
    for (std::int32_t c = tree.child_begin[node]; c < tree.child_begin[node + 1]; ++c) {
      below[node] += below[tree.children[c]];
    }
    const double as_leaf = found.as_leaf[node];
    const double as_tree = below[node];
    const Tolerance tolerance = {options.epsilon > 0.0 ? options.epsilon : relative_tie * std::max(as_leaf, as_tree)};
    const bool prunes =
        options.rule == ErrorRule::not_worse ? tolerance.at_most(as_leaf, as_tree) : tolerance.above(as_tree, as_leaf);
    if (!prunes) continue;
    ledger.make_leaf(node, as_tree, as_leaf);
    below[node] = as_leaf;
  }
  return finish(tree, ledger);
}

}  // namespace bough
