// Reduced-error pruning (Quinlan 1987): rows that were kept back from growing say which nodes are not worth their test.
#pragma once

#include <cstdint>
#include <span>

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/pruning/log.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

enum class ErrorRule : std::uint8_t { not_worse, strict };  // a leaf may be as bad as the subtree, or must be better
enum class ValueError : std::uint8_t { squared, absolute };

struct ReducedErrorOptions {
  ErrorRule rule = ErrorRule::not_worse;
  ValueError value_error = ValueError::squared;  // regression
  double epsilon = 0.0;  // absolute tolerance of comparisons; 0: 1e-12 of the larger error
};

// `holdout` has the weight of each row of the table in the judgement, 0: it takes no part. Rows go down by the routing
// of the tree and are judged by the answers of its nodes, classes by scaled weights and costs.
[[nodiscard]] PrunedTree prune_reduced_error(const Tree& tree, const RankedTable& table, const Target& target,
                                             std::span<const double> holdout, const ReducedErrorOptions& options,
                                             Watch& watch);

}  // namespace bough
