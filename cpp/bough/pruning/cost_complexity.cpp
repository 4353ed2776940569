#include "bough/pruning/cost_complexity.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "bough/base/error.hpp"
#include "bough/pruning/ledger.hpp"
#include "bough/tree/cut.hpp"

namespace bough {
namespace {

// Leftist heaps of nodes, largest alpha on top; melding follows right spines, which are logarithmic.
class Heaps {
 public:
  explicit Heaps(std::size_t nodes) : alpha(nodes, 0.0), left_(nodes, -1), right_(nodes, -1), distance_(nodes, 1) {}

  std::vector<double> alpha;

  // Recursion follows right spines, at most twice the binary logarithm of the number of nodes.
  std::int32_t meld(std::int32_t a, std::int32_t b) {  // NOLINT(misc-no-recursion)
    if (a < 0) return b;
    if (b < 0) return a;
    if (alpha[a] < alpha[b]) std::swap(a, b);
    right_[a] = meld(right_[a], b);
    if (distance(left_[a]) < distance(right_[a])) std::swap(left_[a], right_[a]);
    distance_[a] = distance(right_[a]) + 1;
    return a;
  }
  std::int32_t pop(std::int32_t top) { return meld(left_[top], right_[top]); }

 private:
  [[nodiscard]] std::int32_t distance(std::int32_t node) const { return node < 0 ? 0 : distance_[node]; }
  std::vector<std::int32_t> left_;
  std::vector<std::int32_t> right_;
  std::vector<std::int32_t> distance_;
};

// Complexities that differ by no more than this, relatively, are equal: rounding must not order the weakest links.
constexpr double kTie = 1e-12;

double own_reduction(const Tree& tree, std::span<const double> risk, std::int32_t node) {
  double reduction = risk[node];
  for (std::int32_t c = tree.child_begin[node]; c < tree.child_begin[node + 1]; ++c) {
    reduction -= risk[tree.children[c]];
  }
  return reduction > kTie * risk[node] ? reduction : 0.0;
}

// A node goes together with those below it that would go later: their reductions and leaves are pooled until the
// alphas fall from the root downwards. Pooling the largest first does each merger once, so the whole sequence of
// weakest links costs n log n, however deep the tree.
std::vector<double> pooled(const Tree& tree, std::span<const double> risk, std::span<const double> charge) {
  const std::int32_t n = tree.size();
  Heaps heaps(static_cast<std::size_t>(n));
  std::vector<double> reduction(static_cast<std::size_t>(n), 0.0);
  std::vector<double> leaves(static_cast<std::size_t>(n), 0.0);
  std::vector<std::int32_t> heap(static_cast<std::size_t>(n), -1);
  for (std::int32_t node = n; node-- > 0;) {
    if (tree.is_leaf(node)) continue;
    std::int32_t below = -1;
    for (std::int32_t c = tree.child_begin[node]; c < tree.child_begin[node + 1]; ++c) {
      below = heaps.meld(below, heap[tree.children[c]]);
    }
    double gain = own_reduction(tree, risk, node);
    double size = static_cast<double>(tree.child_begin[node + 1] - tree.child_begin[node] - 1);
    if (!charge.empty()) size *= charge[node];
    while (below >= 0 && heaps.alpha[below] > gain / size) {
      gain += reduction[below];
      size += leaves[below];
      below = heaps.pop(below);
    }
    reduction[node] = gain;
    leaves[node] = size;
    heaps.alpha[node] = gain / size;
    heap[node] = heaps.meld(below, node);
  }
  return std::move(heaps.alpha);
}

std::vector<double> accounts(const Tree& tree, double alpha) {
  const std::int32_t n = tree.size();
  std::vector<double> complexity(static_cast<std::size_t>(n), alpha);
  std::vector<double> risk(tree.risk);                             // of the subtree as it stands in the account
  std::vector<double> splits(static_cast<std::size_t>(n), 0.0);
  for (std::int32_t node = n; node-- > 0;) {
    if (tree.is_leaf(node)) continue;
    const std::int32_t left = tree.children[tree.child_begin[node]];
    const std::int32_t right = tree.children[tree.child_begin[node] + 1];
    double branch_risk[2] = {risk[left], risk[right]};
    double branch_splits[2] = {splits[left], splits[right]};
    const double branch_complexity[2] = {complexity[left], complexity[right]};
    const double own_risk[2] = {tree.risk[left], tree.risk[right]};
    const auto average = [&] {
      return (tree.risk[node] - (branch_risk[0] + branch_risk[1])) / (branch_splits[0] + branch_splits[1] + 1.0);
    };
    const int first = branch_complexity[1] > branch_complexity[0] ? 0 : 1;
    for (const int b : {first, 1 - first}) {
      if (!(average() > branch_complexity[b])) break;
      branch_risk[b] = own_risk[b];
      branch_splits[b] = 0.0;
    }
    complexity[node] = average();
    if (complexity[node] > alpha) {
      risk[node] = branch_risk[0] + branch_risk[1];
      splits[node] = branch_splits[0] + branch_splits[1] + 1.0;
    } else {
      risk[node] = tree.risk[node];
      splits[node] = 0.0;
    }
  }
  return complexity;
}

// The inner nodes of complexity at most `alpha`, children before their parent.
std::vector<std::int32_t> weak_nodes(const Tree& tree, ComplexityRule rule, double alpha) {
  // An alpha that was a complexity once, divided and multiplied since, still cuts its node.
  const double most = rule == ComplexityRule::weakest_link ? alpha * (1.0 + kTie) : alpha;
  std::vector<std::int32_t> weak;
  for (std::int32_t node = tree.size(); node-- > 0;) {
    if (!tree.is_leaf(node) && tree.complexity[node] <= most) weak.push_back(node);
  }
  return weak;
}

// The tree without what is below its weak nodes. Complexities stay as they were; accounts know that of a lone root.
Tree without(const Tree& tree, ComplexityRule rule, const std::vector<std::int32_t>& weak) {
  Tree pruned = cut(tree, weak).tree;
  if (rule == ComplexityRule::accounts && pruned.size() == 1) {
    pruned.complexity.front() = std::max(0.0, tree.complexity.front());
  }
  return pruned;
}

}  // namespace

std::vector<double> weakest_links(const Tree& tree, std::span<const double> risk, std::span<const double> charge) {
  std::vector<double> complexity = pooled(tree, risk, charge);
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    if (tree.is_leaf(node)) {
      complexity[node] = 0.0;
    } else if (node > 0) {
      complexity[node] = std::min(complexity[node], complexity[tree.parent[node]]);
    }
  }
  return complexity;
}

std::vector<double> node_complexity(const Tree& tree, ComplexityRule rule, double alpha) {
  if (rule == ComplexityRule::weakest_link) return weakest_links(tree, tree.risk);
  std::vector<double> complexity = accounts(tree, alpha);
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    if (tree.is_leaf(node)) {
      complexity[node] = node == 0 ? std::max(alpha, 0.0) : 0.0;
    } else if (node > 0) {
      complexity[node] = std::min(complexity[node], std::max(complexity[tree.parent[node]], alpha));
    }
  }
  return complexity;
}

Tree prune(Tree&& tree, ComplexityRule rule, double alpha) {
  tree.complexity = node_complexity(tree, rule, alpha);
  if (alpha < 0.0) return std::move(tree);
  const std::vector<std::int32_t> weak = weak_nodes(tree, rule, alpha);
  return weak.empty() ? std::move(tree) : without(tree, rule, weak);
}

PrunedTree prune_weak(const Tree& tree, ComplexityRule rule, double alpha, const std::vector<double>& risk) {
  std::vector<std::int32_t> weak = weak_nodes(tree, rule, alpha);
  // By accounts a child may be the stronger one and go with its parent all the same: it goes before it.
  std::vector<double> turn = tree.complexity;
  for (const std::int32_t node : weak) {
    if (node > 0) turn[tree.parent[node]] = std::max(turn[tree.parent[node]], turn[node]);
  }
  std::stable_sort(weak.begin(), weak.end(), [&](std::int32_t a, std::int32_t b) { return turn[a] < turn[b]; });
  Ledger ledger(tree, tree.risk);
  Ledger measured(tree, risk);
  ledger.open();
  measured.open();
  for (const std::int32_t node : weak) {
    const double below = measured.risk_below(node);
    ledger.make_leaf(node, below, risk[node]);
    measured.make_leaf(node, below, risk[node]);
  }
  return {without(tree, rule, weak), ledger.take_log()};
}

std::vector<std::int32_t> ends_at(const Tree& tree, std::span<const std::int32_t> last, std::span<const double> alpha) {
  std::vector<std::int32_t> result(last.size() * alpha.size());
  std::vector<std::int32_t> path;
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (last[i] < 0 || last[i] >= tree.size()) throw InvalidInput("last", "no node " + std::to_string(last[i]));
    path.clear();
    for (std::int32_t node = last[i]; node >= 0; node = tree.parent[node]) path.push_back(node);
    std::size_t at = path.size() - 1;  // the root; complexities fall on the way down
    for (std::size_t a = 0; a < alpha.size(); ++a) {
      while (at > 0 && tree.complexity[path[at]] > alpha[a]) --at;
      result[a * last.size() + i] = path[at];
    }
  }
  return result;
}

}  // namespace bough
