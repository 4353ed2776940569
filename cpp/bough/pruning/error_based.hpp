// Error-based pruning (Quinlan 1993): from the leaves up, a node becomes a leaf, or gives way to its largest branch,
// where that is not expected to make more errors on new cases. Before it, subtrees that get no fewer training rows
// right than a leaf would are collapsed.
#pragma once

#include <optional>
#include <span>

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/pruning/log.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

struct ErrorBasedOptions {
  std::optional<double> confidence = 0.25;  // none: collapse only
  std::optional<double> complement;         // 1 - confidence, for programs that round it on its own
  bool raising = true;
  bool collapse = true;
  double epsilon = 0.0;  // absolute tolerance of comparisons; 0: 1e-12 of the weight of the root
  Criterion criterion = Criterion::entropy;  // of the impurities of nodes that got other rows
};

// The rows of the table are those that the tree was grown on. Nodes below a raised one hold the rows that come down to
// them now; splits keep the scores with which they were found. Raising needs a tree in which no
// case stops at a test whose value is missing. Throws InvalidInput on regression trees and
// costs.
[[nodiscard]] PrunedTree prune_error_based(const Tree& tree, const RankedTable& table, const Target& target,
                                           const ErrorBasedOptions& options, Watch& watch);

// The tree after the first steps of a log: nodes below raised ones hold the rows that come down to them. Of the options
// the tolerance and the criterion count. The log that comes back has the sizes, but not the risks below raised nodes.
[[nodiscard]] PrunedTree replay_cuts(const Tree& tree, const RankedTable& table, const Target& target,
                                     std::span<const PruningStep> cuts, const ErrorBasedOptions& options, Watch& watch);

}  // namespace bough
