// See global_criterion.hpp.
#include "bough/stopping/global_criterion.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <queue>
#include <span>
#include <utility>

#include "bough/tree/cut.hpp"
#include "bough/tree/growth_weight.hpp"

namespace bough {
namespace {

// The inner nodes of a tree in the order in which they are split, and after how many splits there is a tree to judge.
struct Sequence {
  std::vector<std::int32_t> split;
  std::vector<std::size_t> stages = {0};
};

// By node: whether its split was given.
std::vector<std::uint8_t> given_splits(const Tree& tree, const ExpertOptions& expert) {
  std::vector<std::uint8_t> given(tree.parent.size(), 0);
  for (const ForcedSplit& forced : expert.forced) {
    std::int32_t node = 0;
    for (const std::int32_t branch : forced.path) node = tree.children[tree.child_begin[node] + branch];
    given[node] = 1;
  }
  return given;
}

Sequence best_first(const Tree& tree, const std::vector<std::uint8_t>& given) {
  struct Waiting {
    double decrease;
    std::int32_t turn;  // of equal decreases the node is split first that came to be first
    std::int32_t node;
    bool operator<(const Waiting& other) const {
      return decrease != other.decrease ? decrease < other.decrease : turn > other.turn;
    }
  };
  Sequence sequence;
  std::priority_queue<Waiting> frontier;
  std::int32_t turn = 0;
  const auto enter = [&](std::int32_t node) {
    ++turn;
    if (tree.is_leaf(node)) return;
    const double gain = tree.splits.score[tree.split_begin[node]];
    const double first = std::numeric_limits<double>::infinity();
    frontier.push({given[node] != 0 ? first : gain * growth_weight(tree, node), turn, node});
  };
  enter(0);
  while (!frontier.empty()) {
    const std::int32_t node = frontier.top().node;
    frontier.pop();
    sequence.split.push_back(node);
    sequence.stages.push_back(sequence.split.size());
    for (std::int32_t c = tree.child_begin[node]; c < tree.child_begin[node + 1]; ++c) enter(tree.children[c]);
  }
  return sequence;
}

Sequence by_layers(const Tree& tree) {
  Sequence sequence;
  std::vector<std::int32_t> layer = {0};
  while (!layer.empty()) {
    std::vector<std::int32_t> next;
    for (const std::int32_t node : layer) {
      if (tree.is_leaf(node)) continue;
      sequence.split.push_back(node);
      next.insert(next.end(), tree.children.begin() + tree.child_begin[node],
                  tree.children.begin() + tree.child_begin[node + 1]);
    }
    if (!next.empty()) sequence.stages.push_back(sequence.split.size());
    layer = std::move(next);
  }
  return sequence;
}

// After how many splits J is least.
std::size_t best_stage(const Tree& tree, const GlobalCriterion& criterion, const Sequence& sequence,
                       const std::vector<std::uint8_t>& given) {
  double sum = criterion.leaf(0);
  double least = sum;
  std::size_t best = 0;
  std::size_t done = 0;
  bool fixed = false;
  for (const std::size_t stage : sequence.stages) {
    for (; done < stage; ++done) {
      const std::int32_t node = sequence.split[done];
      fixed = fixed || given[node] != 0;
      sum += criterion.inner(node) - criterion.leaf(node);
      for (std::int32_t c = tree.child_begin[node]; c < tree.child_begin[node + 1]; ++c) {
        sum += criterion.leaf(tree.children[c]);
      }
    }
    if (!fixed && !(sum < least - criterion.tolerance())) continue;
    fixed = false;
    least = sum;
    best = stage;
  }
  return best;
}

}  // namespace

GlobalCriterion::GlobalCriterion(const Tree& tree, const SizePenalty& penalty)
    : tree_(tree), penalty_(penalty), whole_(growth_weight(tree, 0)) {}

double GlobalCriterion::size(std::int32_t node, bool is_leaf) const {
  switch (penalty_.unit) {
    case SizeUnit::leaves:
      return is_leaf ? penalty_.alpha : 0.0;
    case SizeUnit::links:
      return node > 0 ? penalty_.alpha : 0.0;
    case SizeUnit::nodes:
      break;
  }
  return penalty_.alpha;
}

double GlobalCriterion::impurity(std::int32_t node) const {
  if (!(tree_.weight[node] > 0.0)) return 0.0;
  return penalty_.weighted ? tree_.impurity[node] * growth_weight(tree_, node) / whole_ : tree_.impurity[node];
}

CutTree stop_at_least(Tree&& grown, const SizePenalty& penalty, const ExpertOptions& expert) {
  const GlobalCriterion criterion(grown, penalty);
  const std::vector<std::uint8_t> given = given_splits(grown, expert);
  const Sequence sequence = penalty.order == GrowthOrder::layers ? by_layers(grown) : best_first(grown, given);
  const std::size_t best = best_stage(grown, criterion, sequence, given);
  if (best == sequence.split.size()) return {std::move(grown), {}};
  return cut(grown, std::span(sequence.split).subspan(best));
}

}  // namespace bough
