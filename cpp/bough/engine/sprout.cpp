#include "bough/engine/sprout.hpp"

#include <array>
#include <numeric>
#include <utility>

#include "bough/base/error.hpp"
#include "bough/missing/policy.hpp"
#include "bough/tree/structure.hpp"

namespace bough {
namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
  std::vector<T>().swap(from);
}

// Appends offsets that count from the start of their own pool; the first one is already there.
void append_offsets(std::vector<std::int64_t>& to, std::vector<std::int64_t>& from) {
  const std::int64_t base = to.back();
  for (std::size_t i = 1; i < from.size(); ++i) to.push_back(base + from[i]);
  std::vector<std::int64_t>().swap(from);
}

}  // namespace

Sprout::Sprout(const RankedTable& table, const Target& target, const GrowOptions& options, double centre,
               const DistinctRows* distinct)
    : target_(&target), options_(&options), centre_(centre), writer_(table, options, distinct) {
  tree_.split_begin = {0};
}

std::int32_t Sprout::add_node(std::int32_t parent, const NodeStats& stats) {
  tree_.parent.push_back(parent);
  tree_.split_begin.push_back(tree_.splits.size());
  tree_.rows.push_back(static_cast<std::int64_t>(stats.rows));
  tree_.weight.push_back(stats.weight);
  tree_.impurity.push_back(stats.impurity);
  tree_.risk.push_back(stats.risk);
  tree_.majority.push_back(-1);
  if (target_->classes > 0) {
    tree_.label.push_back(stats.label);
    for (std::size_t k = 0; k < stats.counts.size(); ++k) {
      if (!(stats.counts[k] > 0.0)) continue;
      tree_.count_class.push_back(static_cast<std::int32_t>(k));
      tree_.count_weight.push_back(stats.counts[k]);
    }
    tree_.count_begin.push_back(static_cast<std::int64_t>(tree_.count_class.size()));
  } else {
    const auto y = [&](std::int64_t row) { return target_->value[static_cast<std::size_t>(row)]; };
    const auto [low, high] = stats.answer_rows;
    tree_.value.push_back(low >= 0 ? std::midpoint(y(low), y(high)) : stats.value + centre_);
  }
  return tree_.size() - 1;
}

void Sprout::add_splits(const std::vector<Candidate>& ranked, const std::vector<Surrogate>& surrogates,
                        std::uint8_t low, std::int32_t majority) {
  SplitPool& pool = tree_.splits;
  std::vector<std::int32_t> branch;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const Candidate& candidate = ranked[i];
    const SplitRole role = i == 0 ? SplitRole::primary : SplitRole::competitor;
    const std::uint8_t first = i == 0 ? low : 0;  // the branch of low values, or of the set's first side
    if (candidate.open != nullptr) {
      writer_.add_open(pool, role, candidate.column, *candidate.open, first, candidate.gain);
      pool.found.back() = candidate.found;
      set_missing_of_last(pool, candidate.missing);
      continue;
    }
    if (candidate.levels == nullptr) {
      writer_.add_cut(pool, role, candidate.column, candidate.low_row, candidate.high_row, candidate.low_share, first,
                      candidate.gain);
      set_missing_of_last(pool, candidate.missing);
      continue;
    }
    const LevelSet& levels = *candidate.levels;
    branch = levels.branch;
    for (const std::uint8_t is_low : levels.low) branch.push_back(is_low != 0 ? first : 1 - first);
    writer_.add_levels(pool, role, candidate.column, candidate.found, levels.code, branch, candidate.gain);
    set_missing_of_last(pool, candidate.missing);
  }
  for (const Surrogate& surrogate : surrogates) writer_.add_surrogate(pool, surrogate);
  tree_.split_begin.back() = pool.size();
  tree_.majority.back() = majority;
}

void Sprout::graft(std::int32_t parent, Sprout&& other) {
  Tree& from = other.tree_;
  if (static_cast<std::size_t>(tree_.size()) + static_cast<std::size_t>(from.size()) > std::size_t{1} << 31) {
    throw InvalidInput("tree", "more than 2147483648 nodes");
  }
  const std::int32_t base = tree_.size();
  for (std::size_t i = 0; i < from.parent.size(); ++i) tree_.parent.push_back(i == 0 ? parent : from.parent[i] + base);
  append_offsets(tree_.split_begin, from.split_begin);
  append(tree_.rows, from.rows);
  append(tree_.weight, from.weight);
  append(tree_.impurity, from.impurity);
  append(tree_.risk, from.risk);
  append(tree_.majority, from.majority);
  append(tree_.label, from.label);
  if (target_->classes > 0) append_offsets(tree_.count_begin, from.count_begin);
  append(tree_.count_class, from.count_class);
  append(tree_.count_weight, from.count_weight);
  append(tree_.value, from.value);
  SplitPool& to = tree_.splits;
  SplitPool& pool = from.splits;
  // By kind: how many lists of it are there already.
  const std::array<std::uint64_t, 4> lists = {0, to.set_begin.size() - 1, to.edge_begin.size() - 1,
                                              to.terms.begin.size() - 1};
  for (std::size_t i = 0; i < pool.payload.size(); ++i) {
    pool.payload[i] += lists[static_cast<std::size_t>(pool.kind[i])];
  }
  if (!pool.missing.empty()) {
    to.missing.resize(to.column.size(), -1);
    append(to.missing, pool.missing);
  }
  if (!pool.adjusted.empty()) {
    to.adjusted.resize(to.column.size(), 0.0);
    append(to.adjusted, pool.adjusted);
  }
  append(to.role, pool.role);
  append(to.kind, pool.kind);
  append(to.found, pool.found);
  append(to.value_type, pool.value_type);
  append(to.side, pool.side);
  append(to.low, pool.low);
  append(to.column, pool.column);
  append(to.payload, pool.payload);
  append(to.score, pool.score);
  append_offsets(to.set_begin, pool.set_begin);
  append(to.set_code, pool.set_code);
  append(to.set_branch, pool.set_branch);
  append_offsets(to.edge_begin, pool.edge_begin);
  append(to.edge_type, pool.edge_type);
  append(to.edge_bits, pool.edge_bits);
  append(to.interval_branch, pool.interval_branch);
  append_offsets(to.terms.begin, pool.terms.begin);
  for (std::size_t t = 0; t < pool.terms.column.size(); ++t) to.terms.add(pool.terms.at(static_cast<std::int64_t>(t)));
  pool.terms = {};
  std::vector<std::int32_t>().swap(from.parent);
}

void Sprout::reserve(const std::vector<Sprout>& others) {
  std::size_t nodes = tree_.parent.size();
  std::size_t splits = tree_.splits.column.size();
  std::size_t counts = tree_.count_class.size();
  for (const Sprout& other : others) {
    nodes += other.tree_.parent.size();
    splits += other.tree_.splits.column.size();
    counts += other.tree_.count_class.size();
  }
  const std::size_t slack = 64 + nodes / 64;  // the nodes above the grafts
  nodes += slack;
  splits += slack * static_cast<std::size_t>(1 + options_->max_competitors);
  tree_.parent.reserve(nodes);
  tree_.split_begin.reserve(nodes + 1);
  tree_.rows.reserve(nodes);
  tree_.weight.reserve(nodes);
  tree_.impurity.reserve(nodes);
  tree_.risk.reserve(nodes);
  tree_.majority.reserve(nodes);
  if (target_->classes > 0) {
    tree_.label.reserve(nodes);
    tree_.count_begin.reserve(nodes + 1);
    tree_.count_class.reserve(counts + slack);
    tree_.count_weight.reserve(counts + slack);
  } else {
    tree_.value.reserve(nodes);
  }
  SplitPool& pool = tree_.splits;
  pool.role.reserve(splits);
  pool.kind.reserve(splits);
  pool.found.reserve(splits);
  pool.value_type.reserve(splits);
  pool.side.reserve(splits);
  pool.low.reserve(splits);
  pool.column.reserve(splits);
  pool.payload.reserve(splits);
  pool.score.reserve(splits);
}

Tree Sprout::finish() && {
  settle();
  Tree tree = std::move(tree_);
  tidy(tree.splits);
  tree.class_scale = target_->class_scale;
  tree.growth_scale = target_->growth_scale;
  tree.routing = routing_of(*options_);
  tree.complexity.assign(tree.parent.size(), 0.0);
  link(tree);
  return tree;
}

}  // namespace bough
