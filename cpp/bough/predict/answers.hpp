// What rows are told: class probabilities and values, of the nodes in which they end or of all that they reach in
// parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/predict/apply.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// A node answers (scaled count + m * prior) / (sum of the scaled counts + m); m = 0: its shares as they are.
struct Smoothing {
  double m = 0.0;
  std::vector<double> prior;  // by class, with sum 1; empty: the same for all

  // Throws InvalidInput on a negative m, or a prior that is none of so many classes.
  void check(std::size_t classes) const;
};

// Row by row, one column a class; `out` has nodes x classes entries. Throws InvalidInput on an id that is no node.
void class_probabilities(const Tree& tree, std::span<const std::int32_t> nodes, const Smoothing& smoothing,
                         std::span<double> out);

// The same for the rows of a table, where a row that is spread is told the sum of the answers times its shares.
void spread_probabilities(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows,
                          const Smoothing& smoothing, std::int32_t n_threads, Watch& watch, std::span<double> out);

// Regression: the value of the node in which a row ends, or the mean of those in which its parts end, by their shares.
void spread_values(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows, std::int32_t n_threads,
                   Watch& watch, std::span<double> out);

}  // namespace bough
