// What becomes of a row that the test of a node does not decide: one rule, for growing, pruning and prediction.
// A missing value takes the branch that the split has for it, else that of the first surrogate that knows one, else
// what the fallback says. Levels absent from the node in training, and those never seen, have rules of their own.
#pragma once

#include <cstdint>

#include "bough/engine/options.hpp"
#include "bough/split/branch_of.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// What is said instead of a branch.
struct Way {
  static constexpr std::int32_t stops = -1;    // the row goes no further
  static constexpr std::int32_t spreads = -2;  // it goes down every branch, in parts
  static constexpr std::int32_t refused = -3;  // it may not be asked about
};

// A missing value, at a split with a branch `own` for it and a node of that `majority` (-1: none).
template <class BySurrogate>
[[nodiscard]] std::int32_t route_missing(const Routing& routing, std::int32_t own, std::int32_t majority,
                                         const BySurrogate& by_surrogate) {
  if (own >= 0) return own;
  const std::int32_t branch = routing.surrogates ? by_surrogate() : State::missing;
  if (branch >= 0) return branch;
  if (routing.fallback == Otherwise::spread) return Way::spreads;
  return routing.fallback == Otherwise::majority && majority >= 0 ? majority : Way::stops;
}

// The branch of a row that is in a `state` at a node, or a Way. `pool` holds the splits of the tree in the number
// system of the row.
template <class Row>
[[nodiscard]] std::int32_t route(const Tree& tree, const SplitPool& pool, std::int32_t node, std::int32_t state,
                                 const Row& row) {
  const Routing& routing = tree.routing;
  Otherwise rule = Otherwise::missing;
  if (state == State::unseen) rule = routing.unseen;
  if (state == State::absent) rule = routing.absent;
  if (rule == Otherwise::error) return Way::refused;
  if (rule == Otherwise::majority && tree.majority[node] >= 0) return tree.majority[node];
  if (rule != Otherwise::missing) return Way::stops;
  const std::int64_t primary = tree.split_begin[node];
  return route_missing(routing, pool.missing_branch(primary), tree.majority[node], [&] {
    for (std::int64_t s = primary + 1; s < tree.split_begin[node + 1]; ++s) {
      if (pool.role[s] != SplitRole::surrogate) continue;
      const std::int32_t branch = branch_of(pool, s, row);
      if (branch >= 0) return branch;
    }
    return State::missing;
  });
}

// How the rows of training are sent under these options, and those of prediction after it.
[[nodiscard]] Routing routing_of(const GrowOptions& options);

}  // namespace bough
