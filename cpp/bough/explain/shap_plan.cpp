// See shap_plan.hpp.
#include "bough/explain/shap_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "bough/base/error.hpp"
#include "bough/tree/require_cells.hpp"
#include "bough/tree/shares.hpp"
#include "bough/tree/structure.hpp"

namespace bough {
std::size_t points_for(std::size_t factors) {
  const auto enough = static_cast<std::size_t>(std::ceil(7.0 * std::sqrt(static_cast<double>(factors))));
  const std::size_t points = std::max<std::size_t>(1, std::min((factors + 1) / 2, enough));
  return points + points % 2;  // pairs fill the registers
}

ShapPlan::ShapPlan(const Tree& tree, const Smoothing& smoothing) : depth(node_depths(tree)) {
  deepest = *std::max_element(depth.begin(), depth.end());
  name_players(tree);
  weigh(tree);
  follow_paths(tree);
  read_answers(tree, smoothing);
}

void ShapPlan::name_players(const Tree& tree) {
  require_cells(tree, "Shapley values need tests on single columns");
  player.assign(tree.parent.size(), -1);
  std::map<std::vector<std::int32_t>, std::int32_t> number;
  for (std::int32_t i = 0; i < tree.size(); ++i) {
    if (tree.is_leaf(i)) continue;
    const auto [at, fresh] =
        number.try_emplace(columns_of(tree.splits, tree.split_begin[i]), static_cast<std::int32_t>(players.size()));
    if (fresh) players.push_back(at->first);
    player[i] = at->second;
  }
}

void ShapPlan::weigh(const Tree& tree) {
  share.assign(tree.parent.size(), 0.0);
  keeps.assign(tree.parent.size(), 0);
  share[0] = 1.0;
  for (std::int32_t i = 0; i < tree.size(); ++i) {
    if (tree.is_leaf(i)) continue;
    const ChildShares shares(tree, i);
    keeps[i] = shares.any() ? 0 : 1;
    if (!shares.any()) continue;
    for (std::int32_t c = tree.child_begin[i]; c < tree.child_begin[i + 1]; ++c) {
      share[tree.children[c]] = shares.of(tree.children[c]);
    }
  }
}

void ShapPlan::follow_paths(const Tree& tree) {
  last.assign(tree.parent.size(), 0);
  zero.assign(tree.parent.size(), 1.0);
  std::vector<std::int32_t> latest(players.size(), 0);  // by player: the node that its last edge leads to
  std::vector<std::int32_t> before(tree.parent.size(), 0);  // what `latest` was above the edge to a node
  std::vector<std::int32_t> path;
  std::size_t distinct = 0;
  const auto leave = [&] {
    const std::int32_t node = path.back();
    path.pop_back();
    if (node == 0) return;
    latest[player[tree.parent[node]]] = before[node];
    if (before[node] == 0) --distinct;
  };
  for (std::int32_t i = 0; i < tree.size(); ++i) {
    while (!path.empty() && path.back() != tree.parent[i]) leave();
    path.push_back(i);
    if (i > 0) {
      std::int32_t& own = latest[player[tree.parent[i]]];
      before[i] = own;
      zero[i] = zero[own] * share[i];
      if (own == 0) most_players = std::max(most_players, ++distinct);
      own = i;
    }
    if (player[i] >= 0) last[i] = latest[player[i]];
  }
}

void ShapPlan::read_answers(const Tree& tree, const Smoothing& smoothing) {
  for (std::int32_t i = 0; i < tree.size(); ++i) {
    if (tree.models.of(i) < 0) continue;
    throw InvalidInput(
        "tree", "Shapley values need constant answers; node " + std::to_string(i) + " answers by a linear model");
  }
  const std::size_t nodes = tree.parent.size();
  std::vector<double> all = tree.value;
  outputs = solved = 1;
  if (tree.is_classifier()) {
    outputs = solved = tree.class_scale.size();
    std::vector<std::int32_t> every(nodes);
    std::iota(every.begin(), every.end(), 0);
    all.assign(nodes * outputs, 0.0);
    class_probabilities(tree, every, smoothing, all);
    bool whole = true;
    for (std::size_t i = 0; i < nodes && whole; ++i) {
      const auto own = all.begin() + static_cast<std::ptrdiff_t>(i * outputs);
      whole = std::abs(std::accumulate(own, own + static_cast<std::ptrdiff_t>(outputs), -1.0)) <= 1e-12;
    }
    if (whole) solved = outputs - 1;
  }
  base.assign(outputs, 0.0);
  std::vector<double> reach(nodes, 1.0);
  for (std::size_t i = 0; i < nodes; ++i) {
    if (i > 0) reach[i] = reach[tree.parent[i]] * share[i];
    if (!tree.is_leaf(static_cast<std::int32_t>(i)) && keeps[i] == 0) continue;
    for (std::size_t c = 0; c < outputs; ++c) base[c] += reach[i] * all[i * outputs + c];
  }
  // Values around the base keep all their digits, and a constant is no player's merit.
  answer.resize(nodes * solved);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t c = 0; c < solved; ++c) answer[i * solved + c] = all[i * outputs + c] - base[c];
  }
}

}  // namespace bough
