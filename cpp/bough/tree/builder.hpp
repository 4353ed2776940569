// The way to make a tree by hand: nodes in preorder, each followed by its splits; `freeze` links and validates.
// Translators from other programs and tests use it, so that no tree exists that was not checked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/tree/tree.hpp"

namespace bough {

// What is known of a node besides its answer.
struct NodeFacts {
  std::int64_t rows = 0;
  double weight = 0.0;
  double impurity = 0.0;
  double risk = 0.0;
  double complexity = 0.0;
  std::int32_t majority = -1;
};

// What is known of a split besides its test.
struct SplitFacts {
  SplitRole role = SplitRole::primary;
  std::int32_t column = 0;
  double score = 0.0;
  double adjusted = 0.0;
  Found found = Found::exact;
  std::int32_t missing = -1;  // the branch of cases whose value is missing
};

class TreeBuilder {
 public:
  // An empty `class_scale` makes a regression tree. Splits of a tree made by hand count the classes by the same scale.
  TreeBuilder(std::vector<double> class_scale, const Routing& routing);

  // Both return the id of the new node. `branch` must be the number of children that `parent` already has.
  std::int32_t add_class_node(std::int32_t parent, std::int32_t branch, const NodeFacts& facts, std::int32_t label,
                              std::span<const std::int32_t> classes, std::span<const double> weights);
  std::int32_t add_value_node(std::int32_t parent, std::int32_t branch, const NodeFacts& facts, double value);

  // The node added last, of a regression tree, answers with bias + terms in place of its value.
  void set_model(double bias, const std::vector<LinearTerm>& terms);

  // Splits belong to the node added last; the primary comes first.
  void add_threshold(const SplitFacts& facts, const Threshold& threshold, std::uint8_t low);
  void add_levels(const SplitFacts& facts, std::span<const std::int32_t> codes, std::span<const std::int32_t> branches);
  // One branch more than edges; all edges have one side.
  void add_intervals(const SplitFacts& facts, std::span<const Threshold> edges, std::span<const std::int32_t> branches);
  // The column is that of the first term; `low` is the branch where all terms hold.
  void add_conjunction(SplitFacts facts, std::span<const Property> terms, std::uint8_t low);

  // The split added last, a threshold or intervals, asks a sum of terms in place of a column; its column becomes that
  // of the term which weighs most. `whole`: one missing term makes the test missing. With the numbers of a machine the
  // split, a set of levels, asks which of its sums is the largest.
  void ask_sum(const std::vector<LinearTerm>& terms, bool whole, std::span<const double> machine = {});
  // A network of the terms in place of their sum: the weight of a term is what it pulls (pull_of).
  void ask_network(const std::vector<LinearTerm>& terms, bool whole, const Layer& layer);

  // Hands over the finished tree, or throws InvalidInput; the builder is used up either way.
  [[nodiscard]] Tree freeze();

 private:
  void ask_terms(const std::vector<LinearTerm>& terms, bool whole, const Layer& layer, std::span<const double> machine);
  std::int32_t add_node(std::int32_t parent, std::int32_t branch, const NodeFacts& facts);
  void add_split(const SplitFacts& facts);
  void require_open() const;

  Tree tree_;
  std::vector<std::int32_t> born_;
  bool frozen_ = false;
};

}  // namespace bough
