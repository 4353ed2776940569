// A tree while it grows: nodes are appended in preorder, subtrees grown elsewhere are grafted on in one piece, and
// `finish` adds what follows from the parents. Only growth uses it; hand-made trees go through the TreeBuilder.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/engine/options.hpp"
#include "bough/engine/pool_writer.hpp"
#include "bough/missing/surrogates.hpp"
#include "bough/search/candidate.hpp"
#include "bough/stats/node_stats.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

class Sprout {
 public:
  Sprout(const RankedTable& table, const Target& target, const GrowOptions& options, double centre,
         const DistinctRows* distinct);

  // Appends a node without splits and returns its number. Children of a node come in the order of its branches.
  std::int32_t add_node(std::int32_t parent, const NodeStats& stats);
  // The splits of the node added last: the first candidate is the primary.
  void add_splits(const std::vector<Candidate>& ranked, const std::vector<Surrogate>& surrogates, std::uint8_t low,
                  std::int32_t majority);
  // Writes the thresholds of the splits added so far; once a subtree, because it is quicker in one go.
  void settle() { writer_.settle(tree_.splits); }
  // Appends a whole subtree, settled, under `parent` and leaves `other` empty.
  void graft(std::int32_t parent, Sprout&& other);
  // Room for what will be grafted, so that appending never copies.
  void reserve(const std::vector<Sprout>& others);

  // The finished tree: ends, children, probabilities' scales and routing.
  Tree finish() &&;

 private:
  const Target* target_;
  const GrowOptions* options_;
  double centre_;
  PoolWriter writer_;
  Tree tree_;
};

}  // namespace bough
