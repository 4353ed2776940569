// See cut.hpp. A node owns the range [i, end[i]), so cutting deletes ranges: one pass to choose, one to copy.
#include "bough/tree/cut.hpp"

#include <string>

#include "bough/base/error.hpp"
#include "bough/tree/structure.hpp"

namespace bough {
namespace {

// The nodes that stay, and among them (closed) those that become leaves.
struct Survivors {
  std::vector<std::int32_t> origin;
  std::vector<std::int32_t> position;  // the new id of an old node that stays
  std::vector<bool> closed;            // by new id
};

Survivors choose(const Tree& tree, std::span<const std::int32_t> nodes) {
  const std::int32_t n = tree.size();
  std::vector<bool> chosen(static_cast<std::size_t>(n), false);
  for (const std::int32_t node : nodes) {
    if (node < 0 || node >= n) {
      throw InvalidInput("nodes", "expected ids below " + std::to_string(n) + ", found " + std::to_string(node));
    }
    chosen[node] = true;
  }
  Survivors s;
  s.position.assign(static_cast<std::size_t>(n), -1);
  for (std::int32_t i = 0; i < n; i = chosen[i] ? tree.end[i] : i + 1) {
    s.position[i] = static_cast<std::int32_t>(s.origin.size());
    s.origin.push_back(i);
    s.closed.push_back(chosen[i] || tree.is_leaf(i));
  }
  return s;
}

template <class T>
std::vector<T> pick(const std::vector<T>& from, const std::vector<std::int32_t>& origin) {
  std::vector<T> to;
  if (from.empty()) return to;
  to.reserve(origin.size());
  for (const std::int32_t i : origin) to.push_back(from[i]);
  return to;
}

}  // namespace

CutTree cut(const Tree& tree, std::span<const std::int32_t> nodes) {
  Survivors kept = choose(tree, nodes);
  CutTree result;
  Tree& t = result.tree;
  t.rows = pick(tree.rows, kept.origin);
  t.weight = pick(tree.weight, kept.origin);
  t.impurity = pick(tree.impurity, kept.origin);
  t.risk = pick(tree.risk, kept.origin);
  t.complexity = pick(tree.complexity, kept.origin);
  t.majority = pick(tree.majority, kept.origin);
  t.label = pick(tree.label, kept.origin);
  t.value = pick(tree.value, kept.origin);
  t.class_scale = tree.class_scale;
  t.growth_scale = tree.growth_scale;
  t.routing = tree.routing;
  t.split_begin = {0};
  for (std::size_t j = 0; j < kept.origin.size(); ++j) {
    const std::int32_t i = kept.origin[j];
    t.parent.push_back(i == 0 ? -1 : kept.position[tree.parent[i]]);
    if (kept.closed[j]) {
      t.majority[j] = -1;
      t.complexity[j] = 0.0;
    } else {
      for (std::int64_t s = tree.split_begin[i]; s < tree.split_begin[i + 1]; ++s) {
        copy_split(tree.splits, s, t.splits);
      }
    }
    t.split_begin.push_back(t.splits.size());
    copy_model(tree.models, tree.models.of(i), static_cast<std::int32_t>(j), t.models);
    if (!tree.is_classifier()) continue;
    for (std::int64_t k = tree.count_begin[i]; k < tree.count_begin[i + 1]; ++k) {
      t.count_class.push_back(tree.count_class[k]);
      t.count_weight.push_back(tree.count_weight[k]);
    }
    t.count_begin.push_back(static_cast<std::int64_t>(t.count_class.size()));
  }
  tidy(t.splits);
  tidy(t.models, t.parent.size());
  link(t);
  result.origin = std::move(kept.origin);
  return result;
}

}  // namespace bough
