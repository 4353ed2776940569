// Linear models in place of constants: a node of a regression tree may answer with a sum of terms and an intercept.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/feature/linear.hpp"

namespace bough {

// The models of a tree, numbered in the order of their nodes; all empty in a tree of constants.
struct LeafModels {
  std::vector<std::int32_t> index;  // by node: the number of its model, -1: it answers with its value; empty: all do
  TermLists terms;                  // list k belongs to model k
  std::vector<double> bias;         // by model: the intercept

  [[nodiscard]] std::int32_t of(std::int32_t node) const { return index.empty() ? -1 : index[node]; }
};

// Bias, then terms in their order; a missing value counts what its fill says, a level never seen is missing. Where the
// sum is no number (infinite values of both signs) the node answers with its `constant`.
template <class Row>
[[nodiscard]] double answer_of(const LeafModels& models, std::int32_t node, double constant, const Row& row) {
  const std::int32_t k = models.of(node);
  if (k < 0) return constant;
  const double answer = sum_of(models.terms, k, models.bias[static_cast<std::size_t>(k)], row).value;
  return std::isnan(answer) ? constant : answer;
}

// Gives node number `node`, the last one so far, model k of others, or none.
void copy_model(const LeafModels& from, std::int32_t k, std::int32_t node, LeafModels& to);
// An index for every node, or none if no node has a model.
void tidy(LeafModels& models, std::size_t nodes);

}  // namespace bough
