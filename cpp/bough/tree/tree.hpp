// The fitted tree: flat arrays in preorder with pooled side tables; immutable once the builder has frozen it.
// Node i owns the range [i, end[i]); its children are children[child_begin[i] .. child_begin[i + 1]), in the order of
// their branches, which is also their order in the arrays: branch 0 of node i is node i + 1.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/leaf/linear.hpp"
#include "bough/split/split.hpp"

namespace bough {

// What happens to a case whose value at a node is missing, absent from the node in training, or never seen.
// `spread`: it goes down every branch whose child has weight, with the child's share of the children's weight; a node
// none of whose children has weight keeps it.
enum class Otherwise : std::uint8_t { missing = 0, majority = 1, stop = 2, error = 3, spread = 4 };

struct Routing {
  bool surrogates = true;                  // a missing value asks the surrogates first
  Otherwise fallback = Otherwise::majority;  // then: majority, stop or spread
  Otherwise absent = Otherwise::missing;   // missing, majority or stop
  Otherwise unseen = Otherwise::missing;   // missing, majority, stop or error
};

struct Tree {
  // Structure, one entry a node.
  std::vector<std::int32_t> parent;        // -1 for the root
  std::vector<std::int32_t> branch;        // which branch of the parent leads here, 0 for the root
  std::vector<std::int32_t> end;
  std::vector<std::int32_t> child_begin;   // nodes + 1 entries
  std::vector<std::int32_t> children;
  std::vector<std::int64_t> split_begin;   // nodes + 1 entries; a node's primary comes first, a leaf has no splits

  // What is known of each node; every node has an answer, because a case may stop anywhere.
  std::vector<std::int64_t> rows;  // training rows of positive weight; one that was spread counts in each branch
  std::vector<double> weight;  // the sum of their sample weights, of the parts of those that were spread
  std::vector<double> impurity;
  std::vector<double> risk;  // not divided by the total weight
  std::vector<double> complexity;  // the node is a leaf in the subtree of every larger alpha (risk units)
  std::vector<std::int32_t> majority;  // the branch for cases that nothing else decides, -1: they stop here

  // Classification: label, and counts of the classes present (sums of sample weights) as pooled pairs.
  std::vector<std::int32_t> label;
  std::vector<std::int64_t> count_begin = {0};  // nodes + 1 entries, or just {0} in regression
  std::vector<std::int32_t> count_class;
  std::vector<double> count_weight;
  std::vector<double> class_scale;  // probabilities are proportional to count * scale; size = number of classes
  std::vector<double> growth_scale;  // by class: factors of the counts in the choice of splits (priors, costs)
  // Regression: the mean or the median, or a model that answers in its place.
  std::vector<double> value;
  LeafModels models;

  SplitPool splits;
  Routing routing;

  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(parent.size()); }
  [[nodiscard]] bool is_leaf(std::int32_t node) const { return child_begin[node] == child_begin[node + 1]; }
  [[nodiscard]] bool is_classifier() const { return !class_scale.empty(); }
};

}  // namespace bough
