// What rows are told: class probabilities and values, of the nodes in which they end or of all that they reach in
// parts.
#pragma once

#include <cstdint>
#include <span>

#include "bough/base/watch.hpp"
#include "bough/feature/row.hpp"
#include "bough/leaf/constant.hpp"
#include "bough/leaf/linear.hpp"
#include "bough/predict/apply.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// The value that a node of a regression tree answers a row with: its constant, or what its model says of the row.
class ValueAnswers {
 public:
  // Throws InvalidInput if a model does not fit the columns. Tree and columns must outlive it.
  ValueAnswers(const Tree& tree, std::span<const ColumnView> columns);

  [[nodiscard]] double operator()(std::int32_t node, std::int64_t row) const {
    if (tree_.models.of(node) < 0) return tree_.value[node];
    return answer_of(tree_.models, node, tree_.value[node], ValueRow(columns_, row, true));
  }

 private:
  const Tree& tree_;
  std::span<const ColumnView> columns_;
};

// Row r is answered by nodes[r]. Throws InvalidInput on an id that is no node.
void answer_values(const Tree& tree, std::span<const ColumnView> columns, std::span<const std::int32_t> nodes,
                   std::int32_t n_threads, Watch& watch, std::span<double> out);

// Class probabilities for the rows of a table, where a row that is spread is told the sum of the answers times its
// shares.
void spread_probabilities(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows,
                          const Smoothing& smoothing, std::int32_t n_threads, Watch& watch, std::span<double> out);

// Regression: the answer of the node in which a row ends, or the mean of those in which its parts end, by their shares.
void spread_values(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows, std::int32_t n_threads,
                   Watch& watch, std::span<double> out);

}  // namespace bough
