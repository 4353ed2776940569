// See partial_tree.hpp. All branches but the one that is grown now are leaves, or wait: so one node a depth is enough,
// and the way to the leaf is known as soon as one of them stays a subtree.
#include "bough/cover/partial_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bough {
namespace {

constexpr double kSlack = 0.1;  // a leaf may be expected to make so many errors more than its branches
constexpr double kRounding = 1e-12;

}  // namespace

PartialTrees::PartialTrees(const RankedTable& table, std::uint32_t classes, const GrowOptions& options,
                           std::optional<Pessimist> pessimist, double total, Watch& watch)
    : table_(table),
      classes_(classes),
      pessimist_(pessimist),
      watch_(watch),
      minimum_(options.min_leaf_weight),
      weights_{options.gain.epsilon > 0.0 ? options.gain.epsilon : kRounding * total},
      shares_{options.gain.epsilon > 0.0 ? options.gain.epsilon : kRounding},
      tests_(table, classes, options, watch) {}

std::uint32_t PartialTrees::majority(const double* counts) const {
  std::uint32_t best = 0;
  double most = 0.0;
  for (std::uint32_t k = 0; k < classes_; ++k) {
    if (!weights_.above(counts[k], most)) continue;
    most = counts[k];
    best = k;
  }
  return best;
}

// Whether no test is looked for: too light for two branches, or pure.
bool PartialTrees::is_leaf(const double* counts, double weight) const {
  return weights_.above(2.0 * minimum_, weight) || weights_.same(weight, counts[majority(counts)]);
}

double PartialTrees::expected(const Pessimist& pessimist, const double* counts, double weight) const {
  if (weights_.same(weight, 0.0)) return 0.0;
  const double wrong = weight - counts[majority(counts)];
  return wrong + pessimist.added(weight, wrong);
}

// Takes the test of a node; false if it is a leaf.
bool PartialTrees::open(std::size_t depth) {
  const HeldRows& rows = rows_of(depth);
  Frame& frame = frames_[depth];
  watch_.poll(rows.size());
  frame.own.assign(classes_, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) frame.own[rows.label[i]] += rows.weight[i];
  const double weight = std::accumulate(frame.own.begin(), frame.own.end(), 0.0);
  if (is_leaf(frame.own.data(), weight)) return false;
  std::optional<NodeTest> test = tests_.best(rows, frame.own);
  if (!test) return false;
  frame.test = *test;
  divide(depth);
  return true;
}

// Which rows go down each branch, and what its classes weigh.
void PartialTrees::divide(std::size_t depth) {
  const HeldRows& rows = rows_of(depth);
  Frame& frame = frames_[depth];
  const RankedColumn& column = table_.columns[static_cast<std::size_t>(frame.test.column)];
  const std::size_t branches = frame.test.branches;
  const auto branch_at = [&](std::size_t i) {
    const std::uint32_t rank = column.rank[rows.row[i]];
    return rank == column.ranks ? branches : frame.test.branch_of(rank);
  };
  frame.counts.assign(branches * classes_, 0.0);
  frame.begin.assign(branches + 2, 0);
  std::vector<double> missing(classes_, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t branch = branch_at(i);
    ++frame.begin[branch + 1];
    (branch == branches ? missing[rows.label[i]] : frame.counts[branch * classes_ + rows.label[i]]) += rows.weight[i];
  }
  std::partial_sum(frame.begin.begin(), frame.begin.end(), frame.begin.begin());
  frame.order.resize(rows.size());
  std::vector<std::size_t> next(frame.begin.begin(), frame.begin.end() - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) frame.order[next[branch_at(i)]++] = static_cast<std::uint32_t>(i);
  complete(frame, missing);
}

// Rows without a value are spread over the branches as those with one are.
void PartialTrees::complete(Frame& frame, const std::vector<double>& missing) {
  const std::size_t branches = frame.test.branches;
  frame.weight.resize(branches);
  const auto add_up = [&] {
    for (std::size_t b = 0; b < branches; ++b) {
      const double* counts = frame.counts.data() + b * classes_;
      frame.weight[b] = std::accumulate(counts, counts + classes_, 0.0);
    }
    return std::accumulate(frame.weight.begin(), frame.weight.end(), 0.0);
  };
  const double known = add_up();
  const bool none = weights_.same(known, 0.0);
  for (std::size_t b = 0; b < branches; ++b) {
    const double share = none ? 1.0 / static_cast<double>(branches) : frame.weight[b] / known;
    for (std::size_t k = 0; k < classes_; ++k) frame.counts[b * classes_ + k] += missing[k] * share;
  }
  const double all = add_up();
  frame.share.resize(branches);
  frame.bits.resize(branches);
  frame.is_grown.assign(branches, 0);
  for (std::size_t b = 0; b < branches; ++b) {
    const double weight = frame.weight[b];
    frame.share[b] = weight / all;
    frame.bits[b] = weights_.above(minimum_, weight)
                        ? HUGE_VAL
                        : tests_.rule().information(frame.counts.data() + b * classes_, classes_, weight) / weight;
  }
}

// The next branch to grow: the first pure one, else the purest; false if none is heavy enough.
bool PartialTrees::choose_branch(Frame& frame) const {
  double least = HUGE_VAL;
  for (std::size_t b = 0; b < frame.test.branches; ++b) {
    if (frame.is_grown[b] != 0 || std::isinf(frame.bits[b])) continue;
    if (shares_.at_most(frame.bits[b], 0.0)) {
      frame.branch = b;
      return true;
    }
    if (std::isinf(least) || shares_.above(least, frame.bits[b])) {
      least = frame.bits[b];
      frame.branch = b;
    }
  }
  return !std::isinf(least);
}

// The rows of the branch that is grown, those that go there whole and those that go there in part.
void PartialTrees::send_down(std::size_t depth) {
  if (frames_.size() < depth + 2) frames_.resize(depth + 2);
  const HeldRows& from = rows_of(depth);
  const Frame& frame = frames_[depth];
  HeldRows& into = frames_[depth + 1].rows;
  into.clear();
  const std::size_t branches = frame.test.branches;
  const double share = frame.share[frame.branch];
  std::size_t whole = frame.begin[frame.branch];
  const std::size_t whole_end = frame.begin[frame.branch + 1];
  std::size_t part = frame.begin[branches];
  const std::size_t part_end = shares_.above(share, 0.0) ? frame.begin[branches + 1] : part;
  while (whole < whole_end || part < part_end) {
    const bool in_part = whole == whole_end || (part < part_end && frame.order[part] < frame.order[whole]);
    const std::uint32_t i = frame.order[in_part ? part++ : whole++];
    into.add(from.row[i], in_part ? share * from.weight[i] : from.weight[i], from.label[i]);
  }
}

// Whether a node all of whose branches are leaves is no worse than they are.
bool PartialTrees::prunes(const Frame& frame) const {
  if (!pessimist_) return false;
  const Pessimist& pessimist = *pessimist_;
  double branches = 0.0;
  for (std::size_t b = 0; b < frame.test.branches; ++b)
    branches += expected(pessimist, frame.counts.data() + b * classes_, frame.weight[b]);
  const double weight = std::accumulate(frame.own.begin(), frame.own.end(), 0.0);
  return weights_.at_most(expected(pessimist, frame.own.data(), weight), branches + kSlack);
}

// The branch that leads to the heaviest leaf; `below`: what the leaf weighs that the last branch grown points at.
std::size_t PartialTrees::heaviest(const Frame& frame, double below) const {
  std::size_t best = 0;
  double most = -HUGE_VAL;
  for (std::size_t b = 0; b < frame.test.branches; ++b) {
    if (frame.is_grown[b] == 0) continue;
    const double weight = b == frame.branch ? below : frame.weight[b];
    if (!weights_.above(weight, most)) continue;
    most = weight;
    best = b;
  }
  return best;
}

// The leaf that the tree points at whose deepest subtree is at `depth`: from there up to the root each node points at a
// branch.
PartialLeaf PartialTrees::leaf_at(std::size_t depth) const {
  PartialLeaf leaf;
  double below = frames_[depth].weight[frames_[depth].branch];
  for (std::size_t d = depth + 1; d-- > 0;) {
    const Frame& frame = frames_[d];
    const std::size_t branch = heaviest(frame, below);
    if (d == depth || branch != frame.branch) {
      leaf.steps.clear();
      below = frame.weight[branch];
      const double* counts = frame.counts.data() + branch * classes_;
      leaf.counts.assign(counts, counts + classes_);
      leaf.label = majority(counts);
    }
    leaf.steps.push_back({frame.test, branch, frame.share[branch]});
  }
  std::reverse(leaf.steps.begin(), leaf.steps.end());
  return leaf;
}

PartialLeaf PartialTrees::grow(const HeldRows& rows) {
  root_ = &rows;
  if (frames_.empty()) frames_.resize(1);
  std::size_t depth = 0;
  bool is_leaf_now = !open(0);
  for (;;) {
    if (is_leaf_now) {
      if (depth == 0) return {{}, frames_[0].own, majority(frames_[0].own.data())};
      Frame& parent = frames_[--depth];
      parent.is_grown[parent.branch] = 1;
    }
    Frame& frame = frames_[depth];
    if (choose_branch(frame)) {
      const double* counts = frame.counts.data() + frame.branch * classes_;
      if (is_leaf(counts, frame.weight[frame.branch])) {
        frame.is_grown[frame.branch] = 1;
        is_leaf_now = false;
        continue;
      }
      send_down(depth);
      is_leaf_now = !open(++depth);
      continue;
    }
    const bool grew = std::find(frame.is_grown.begin(), frame.is_grown.end(), 1) != frame.is_grown.end();
    is_leaf_now = !grew || prunes(frame);
    if (is_leaf_now) continue;
    for (std::size_t d = 0; d < depth; ++d) frames_[d].is_grown[frames_[d].branch] = 1;
    return leaf_at(depth);
  }
}

}  // namespace bough
