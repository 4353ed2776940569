// See builder.hpp. Only what the validator cannot see later is checked here: the order of the calls.
#include "bough/tree/builder.hpp"

#include <limits>
#include <string>
#include <utility>

#include "bough/base/error.hpp"
#include "bough/tree/structure.hpp"
#include "bough/tree/validate.hpp"

namespace bough {

TreeBuilder::TreeBuilder(std::vector<double> class_scale, const Routing& routing) {
  tree_.growth_scale = class_scale;
  tree_.class_scale = std::move(class_scale);
  tree_.routing = routing;
  tree_.split_begin = {0};
}

void TreeBuilder::require_open() const {
  if (frozen_) throw InvalidInput("builder", "this builder has already handed over its tree; start a new one");
}

std::int32_t TreeBuilder::add_node(std::int32_t parent, std::int32_t branch, const NodeFacts& facts) {
  require_open();
  const std::int32_t id = tree_.size();
  const std::string place = "node " + std::to_string(id);
  if (id == std::numeric_limits<std::int32_t>::max() - 1) throw InvalidInput(place, "more nodes than 32-bit ids");
  if (id == 0 ? parent != -1 : (parent < 0 || parent >= id)) {
    throw InvalidInput(place,
                       "the root has parent -1 and every other node an earlier one, found " + std::to_string(parent));
  }
  const std::int32_t expected = id == 0 ? 0 : born_[parent];
  if (branch != expected) {
    throw InvalidInput(place, "siblings come in the order of their branches: expected branch " +
                                  std::to_string(expected) + ", found " + std::to_string(branch));
  }
  if (id > 0) ++born_[parent];
  born_.push_back(0);
  tree_.parent.push_back(parent);
  tree_.rows.push_back(facts.rows);
  tree_.weight.push_back(facts.weight);
  tree_.impurity.push_back(facts.impurity);
  tree_.risk.push_back(facts.risk);
  tree_.complexity.push_back(facts.complexity);
  tree_.majority.push_back(facts.majority);
  tree_.split_begin.push_back(tree_.split_begin.back());
  return id;
}

std::int32_t TreeBuilder::add_class_node(std::int32_t parent, std::int32_t branch, const NodeFacts& facts,
                                         std::int32_t label, std::span<const std::int32_t> classes,
                                         std::span<const double> weights) {
  if (!tree_.is_classifier()) throw InvalidInput("builder", "a regression tree takes a value for each node");
  if (classes.size() != weights.size()) throw InvalidInput("builder", "as many classes as weights");
  const std::int32_t id = add_node(parent, branch, facts);
  tree_.label.push_back(label);
  tree_.count_class.insert(tree_.count_class.end(), classes.begin(), classes.end());
  tree_.count_weight.insert(tree_.count_weight.end(), weights.begin(), weights.end());
  tree_.count_begin.push_back(static_cast<std::int64_t>(tree_.count_class.size()));
  return id;
}

std::int32_t TreeBuilder::add_value_node(std::int32_t parent, std::int32_t branch, const NodeFacts& facts,
                                         double value) {
  if (tree_.is_classifier()) throw InvalidInput("builder", "a classification tree takes a label for each node");
  const std::int32_t id = add_node(parent, branch, facts);
  tree_.value.push_back(value);
  return id;
}

void TreeBuilder::set_model(double bias, const std::vector<LinearTerm>& terms) {
  require_open();
  if (tree_.size() == 0) throw InvalidInput("builder", "add a node before its model");
  if (tree_.is_classifier()) throw InvalidInput("builder", "a classification tree has no linear models");
  LeafModels& models = tree_.models;
  if (models.index.size() == tree_.parent.size()) {
    throw InvalidInput("builder", "the node has a model already");
  }
  models.index.resize(tree_.parent.size(), -1);
  models.index.back() = static_cast<std::int32_t>(models.bias.size());
  models.bias.push_back(bias);
  add_terms(models.terms, terms, false);
}

void TreeBuilder::add_split(const SplitFacts& facts) {
  require_open();
  if (tree_.size() == 0) throw InvalidInput("builder", "add a node before its splits");
  SplitPool& pool = tree_.splits;
  pool.role.push_back(facts.role);
  pool.found.push_back(facts.found);
  pool.column.push_back(facts.column);
  pool.score.push_back(facts.score);
  pool.adjusted.push_back(facts.adjusted);
  set_missing_of_last(pool, facts.missing);
  if (facts.missing < -1) throw InvalidInput("builder", "a branch of missing values, or -1");
  ++tree_.split_begin.back();
}

void TreeBuilder::add_threshold(const SplitFacts& facts, const Threshold& threshold, std::uint8_t low) {
  add_split(facts);
  SplitPool& pool = tree_.splits;
  pool.kind.push_back(SplitKind::threshold);
  pool.value_type.push_back(threshold.type);
  pool.side.push_back(threshold.side);
  pool.low.push_back(low);
  pool.payload.push_back(threshold.bits);
}

void TreeBuilder::add_levels(const SplitFacts& facts, std::span<const std::int32_t> codes,
                             std::span<const std::int32_t> branches) {
  if (codes.size() != branches.size()) throw InvalidInput("builder", "as many codes as branches");
  add_split(facts);
  SplitPool& pool = tree_.splits;
  pool.kind.push_back(SplitKind::levels);
  pool.value_type.push_back(ValueType::f64);
  pool.side.push_back(Side::le);
  pool.low.push_back(0);
  pool.payload.push_back(static_cast<std::uint64_t>(pool.set_begin.size() - 1));
  pool.set_code.insert(pool.set_code.end(), codes.begin(), codes.end());
  pool.set_branch.insert(pool.set_branch.end(), branches.begin(), branches.end());
  pool.set_begin.push_back(static_cast<std::int64_t>(pool.set_code.size()));
}

void TreeBuilder::add_intervals(const SplitFacts& facts, std::span<const Threshold> edges,
                                std::span<const std::int32_t> branches) {
  if (branches.size() != edges.size() + 1) throw InvalidInput("builder", "one branch more than edges");
  add_split(facts);
  SplitPool& pool = tree_.splits;
  pool.kind.push_back(SplitKind::intervals);
  pool.value_type.push_back(ValueType::f64);
  pool.side.push_back(edges.empty() ? Side::le : edges[0].side);
  pool.low.push_back(0);
  pool.payload.push_back(static_cast<std::uint64_t>(pool.edge_begin.size() - 1));
  for (const Threshold& edge : edges) {
    if (edge.side != edges[0].side) throw InvalidInput("builder", "all edges of a split have one side");
    pool.edge_type.push_back(edge.type);
    pool.edge_bits.push_back(edge.bits);
  }
  pool.interval_branch.insert(pool.interval_branch.end(), branches.begin(), branches.end());
  pool.edge_begin.push_back(static_cast<std::int64_t>(pool.edge_bits.size()));
}

void TreeBuilder::add_conjunction(SplitFacts facts, std::span<const Property> terms, std::uint8_t low) {
  if (terms.empty()) throw InvalidInput("builder", "a conjunction has at least one term");
  facts.column = terms[0].column;
  add_split(facts);
  SplitPool& pool = tree_.splits;
  pool.kind.push_back(SplitKind::holds);
  pool.value_type.push_back(ValueType::f64);
  pool.side.push_back(Side::le);
  pool.low.push_back(low);
  pool.payload.push_back(static_cast<std::uint64_t>(pool.terms.begin.size() - 1));
  for (const Property& term : terms) pool.terms.add(term);
  pool.terms.close();
}

void TreeBuilder::ask_sum(const std::vector<LinearTerm>& terms, bool whole, std::span<const double> machine) {
  ask_terms(terms, whole, {}, machine);
}

void TreeBuilder::ask_network(const std::vector<LinearTerm>& terms, bool whole, const Layer& layer) {
  if (layer.units < 1) throw InvalidInput("builder", "a network has at least one unit");
  ask_terms(terms, whole, layer, {});
}

void TreeBuilder::ask_terms(const std::vector<LinearTerm>& terms, bool whole, const Layer& layer,
                            std::span<const double> machine) {
  require_open();
  const SplitPool& pool = tree_.splits;
  const bool of_numbers =
      pool.size() > 0 && (pool.kind.back() == SplitKind::threshold || pool.kind.back() == SplitKind::intervals);
  const bool of_levels = pool.size() > 0 && pool.kind.back() == SplitKind::levels;
  if (!(machine.empty() ? of_numbers : of_levels)) {
    throw InvalidInput(
        "builder", "a sum is asked by a threshold or intervals, the largest of several by levels: add the split first");
  }
  // `derived` reaches as far as the last split that asks a sum.
  if (pool.derived.size() == pool.column.size()) throw InvalidInput("builder", "a split asks one sum");
  if (terms.empty()) throw InvalidInput("builder", "a sum has at least two terms");
  add_terms(tree_.splits.sums, terms, whole, layer, machine);
  set_sum_of_last(tree_.splits);
}

Tree TreeBuilder::freeze() {
  require_open();
  frozen_ = true;
  SplitPool& pool = tree_.splits;
  if (!pool.missing.empty()) pool.missing.resize(pool.column.size(), -1);
  if (!pool.derived.empty()) pool.derived.resize(pool.column.size(), -1);
  tidy(pool.sums);
  tidy(tree_.models, tree_.parent.size());
  link(tree_);
  validate(tree_);
  return std::move(tree_);
}

}  // namespace bough
