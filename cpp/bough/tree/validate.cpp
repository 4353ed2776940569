// See validate.hpp: sizes first, so that every later loop may index freely; then structure, facts, answers, splits.
#include "bough/tree/validate.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/tree/check_splits.hpp"
#include "bough/tree/check_terms.hpp"
#include "bough/tree/checks.hpp"
#include "bough/tree/structure.hpp"

namespace bough {
namespace {

void check_sizes(const Tree& tree) {
  const std::size_t n = tree.parent.size();
  const SplitPool& pool = tree.splits;
  expect_size("rows", tree.rows.size(), n);
  expect_size("weight", tree.weight.size(), n);
  expect_size("impurity", tree.impurity.size(), n);
  expect_size("risk", tree.risk.size(), n);
  expect_size("complexity", tree.complexity.size(), n);
  expect_size("majority", tree.majority.size(), n);
  check_offsets("split_begin", tree.split_begin, n, pool.column.size());
  check_pool_sizes(pool);
  check_term_sizes(tree.models.terms, model_terms);
  expect_size("count_weight", tree.count_weight.size(), tree.count_class.size());
  const bool classifier = tree.is_classifier();
  check_offsets("count_begin", tree.count_begin, classifier ? n : 0, tree.count_class.size());
  expect_size("growth_scale", tree.growth_scale.size(), tree.class_scale.size());
  expect_size("label", tree.label.size(), classifier ? n : 0);
  expect_size("value", tree.value.size(), classifier ? 0 : n);
  if (!tree.models.index.empty()) expect_size("model_index", tree.models.index.size(), classifier ? 0 : n);
  expect_size("model_bias", tree.models.bias.size(), tree.models.terms.begin.size() - 1);
}

void expect_same(const char* field, const std::vector<std::int32_t>& found, const std::vector<std::int32_t>& derived) {
  expect_size(field, found.size(), derived.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == derived[i]) continue;
    fail(field, i,
         "does not follow from the parents: expected " + std::to_string(derived[i]) + ", found " +
             std::to_string(found[i]));
  }
}

void check_structure(const Tree& tree) {
  const Structure derived = derive_structure(tree.parent);
  expect_same("branch", tree.branch, derived.branch);
  expect_same("end", tree.end, derived.end);
  expect_same("child_begin", tree.child_begin, derived.child_begin);
  expect_same("children", tree.children, derived.children);
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    const std::int32_t branches = tree.child_begin[i + 1] - tree.child_begin[i];
    if (branches == 1) fail("parent", i + 1, "an only child: a split has at least two branches");
    if (tree.majority[i] < -1 || tree.majority[i] >= branches) {
      fail("majority", i,
           "expected -1 or a branch below " + std::to_string(branches) + ", found " + std::to_string(tree.majority[i]));
    }
    if (tree.rows[i] < 0) fail("rows", i, "expected at least 0, found " + std::to_string(tree.rows[i]));
  }
}

void check_classes(const Tree& tree) {
  const auto classes = static_cast<std::int64_t>(tree.class_scale.size());
  check_amounts("class_scale", tree.class_scale);
  check_amounts("growth_scale", tree.growth_scale);
  check_amounts("count_weight", tree.count_weight);
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    if (tree.label[i] < 0 || tree.label[i] >= classes) {
      fail("label", i,
           "expected a class below " + std::to_string(classes) + ", found " + std::to_string(tree.label[i]));
    }
    double mass = 0.0;
    std::int64_t previous = -1;
    for (std::int64_t k = tree.count_begin[i]; k < tree.count_begin[i + 1]; ++k) {
      const std::int32_t c = tree.count_class[k];
      if (c <= previous || c >= classes) {
        fail("count_class", k,
             "the classes of a node rise and are below " + std::to_string(classes) + ", found " + std::to_string(c));
      }
      previous = c;
      mass += tree.count_weight[k] * tree.class_scale[c];
    }
    if (!std::isfinite(mass) || mass <= 0.0) {
      fail("count_begin", i, "the scaled counts of a node have a finite sum above 0, else it has no probabilities");
    }
  }
}

void check_models(const LeafModels& models) {
  check_terms(models.terms, model_terms);
  check_finite("model_bias", models.bias);
  std::size_t next = 0;
  for (std::size_t i = 0; i < models.index.size(); ++i) {
    if (models.index[i] == -1) continue;
    if (models.index[i] != static_cast<std::int64_t>(next) || next == models.bias.size()) {
      fail("model_index", i, "expected -1 or the next model, found " + std::to_string(models.index[i]));
    }
    ++next;
  }
  if (next != models.bias.size()) fail("model_bias", next, "a model without a node");
  if (!models.terms.whole.empty()) throw InvalidInput("model_whole", "a model always fills what is missing");
}

void check_routing(const Routing& routing) {
  if (routing.fallback != Otherwise::majority && routing.fallback != Otherwise::stop &&
      routing.fallback != Otherwise::spread) {
    throw InvalidInput("routing.fallback", "expected majority, stop or spread");
  }
  if (routing.absent > Otherwise::stop) throw InvalidInput("routing.absent", "expected missing, majority or stop");
  if (routing.unseen > Otherwise::error) {
    throw InvalidInput("routing.unseen", "expected missing, majority, stop or error");
  }
}

}  // namespace

void validate(const Tree& tree) {
  check_sizes(tree);
  check_structure(tree);
  check_amounts("weight", tree.weight);
  check_amounts("impurity", tree.impurity);
  check_amounts("risk", tree.risk);
  check_amounts("complexity", tree.complexity);
  if (tree.is_classifier()) {
    check_classes(tree);
  } else {
    check_finite("value", tree.value);
  }
  check_models(tree.models);
  check_splits(tree);
  check_routing(tree.routing);
}

}  // namespace bough
