// See rows_down.hpp.
#include "bough/pruning/rows_down.hpp"

#include <algorithm>
#include <utility>

#include "bough/feature/row.hpp"
#include "bough/missing/policy.hpp"
#include "bough/split/branch_of.hpp"
#include "bough/split/in_ranks.hpp"
#include "bough/tree/validate.hpp"

namespace bough {
namespace {

constexpr std::size_t ahead = 24;  // rows between the one that is asked and the one whose value is fetched

void check_fit(const Tree& tree, const RankedTable& table) {
  std::vector<std::int32_t> kinds;
  std::vector<std::int64_t> levels;
  for (const RankedColumn& column : table.columns) {
    kinds.push_back(static_cast<std::int32_t>(column.view.kind));
    levels.push_back(column.ranks);
  }
  check_columns(tree, kinds, levels);
}

}  // namespace

RankTests::RankTests(const Tree& tree, const RankedTable& table) : tree_(tree), table_(table) {
  check_fit(tree, table);
  pool_ = RankCuts(table).in_ranks(tree.splits);
  tests_.resize(tree.parent.size());
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    if (!tree.is_leaf(node)) tests_[node] = compile(tree.split_begin[node]);
  }
}

RankTests::Test RankTests::compile(std::int64_t split) {
  const RankedColumn& column = table_.columns[pool_.column[split]];
  Test test;
  test.rank = column.rank.data();
  test.missing = column.ranks;
  if (pool_.feature(split) != Feature::column) return test;
  if (pool_.kind[split] == SplitKind::threshold) {
    test.kind = Kind::cut;
    test.low = pool_.low[split];
    test.cut = pool_.payload[split] + 1;
  } else if (pool_.kind[split] == SplitKind::levels) {
    const std::uint64_t set = pool_.payload[split];
    const std::int64_t end = pool_.set_begin[set + 1];
    const std::int64_t length = std::int64_t{pool_.set_code[end - 1]} + 1;
    if (length > 8 * (end - pool_.set_begin[set]) + 64) return test;  // the table would be mostly empty
    test.kind = Kind::table;
    test.cut = branch_of_code_.size();
    test.length = static_cast<std::uint32_t>(length);
    for (std::int32_t code = 0; code < length; ++code) branch_of_code_.push_back(by_level(pool_, split, code));
  }
  return test;
}

std::int32_t RankTests::ask(std::int32_t node, std::uint32_t row) const {
  const std::int64_t split = tree_.split_begin[node];
  const std::int32_t found = branch_of(pool_, split, RankRow(table_, row));
  return found >= 0 ? found : std::max(pool_.missing_branch(split), unknown);
}

std::int32_t RankTests::look_up(std::int32_t node, std::uint32_t row) const {
  const RankRow ranks(table_, row);
  std::int32_t found = branch_of(pool_, tree_.split_begin[node], ranks);
  if (found < 0) found = route(tree_, pool_, node, found, ranks);
  return found >= 0 ? found : unknown;
}

RowsDown::RowsDown(const Tree& tree, const RankedTable& table, const Target& target, double least_share)
    : tree_(tree), tests_(tree, table), weight_(target.weight), least_share_(least_share) {
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (weight_.empty() || weight_[row] > 0.0) whole_.push_back(static_cast<std::uint32_t>(row));
  }
}

template <class Item>
void RowsDown::group(std::int32_t node, std::span<Item> items, std::vector<Item>& scratch, std::size_t Branch::* end,
                     std::size_t offset, std::span<Branch> branches) {
  branch_of_.resize(items.size());
  place_.assign(branches.size() + 1, 0);
  const auto undecided = static_cast<std::int32_t>(branches.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i + ahead < items.size()) tests_.fetch(node, row_of(items[i + ahead]));
    std::int32_t b = tests_.branch(node, row_of(items[i]));
    if (b == RankTests::unknown) {
      b = undecided;
    } else {
      branches[b].share += weight_of(items[i]);
    }
    branch_of_[i] = b;
    ++place_[b];
  }
  std::size_t next = 0;
  for (std::size_t b = 0; b <= branches.size(); ++b) {
    next += std::exchange(place_[b], next);
    if (b < branches.size()) branches[b].*end = offset + next;
  }
  scratch.resize(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) scratch[place_[branch_of_[i]]++] = items[i];
  std::copy(scratch.begin(), scratch.end(), items.begin());
}

void RowsDown::deal(std::int32_t node, const Crowd& crowd) {
  const std::size_t first = branches_.size();
  const auto n = static_cast<std::size_t>(tree_.child_begin[node + 1] - tree_.child_begin[node]);
  deals_.push_back({crowd, first});
  branches_.resize(first + n);
  const std::span<Branch> branches = std::span(branches_).subspan(first);
  group(node, std::span(whole_).subspan(crowd.whole_begin, crowd.whole_end - crowd.whole_begin), whole_scratch_,
        &Branch::whole_end, crowd.whole_begin, branches);
  group(node, std::span(parts_).subspan(crowd.part_begin, crowd.part_end - crowd.part_begin), part_scratch_,
        &Branch::part_end, crowd.part_begin, branches);
  double known = 0.0;
  for (const Branch& branch : branches) known += branch.share;
  for (Branch& branch : branches) {
    branch.share = known > least_share_ ? branch.share / known : 1.0 / static_cast<double>(n);
  }
}

Crowd RowsDown::whole_child(std::int32_t branch) const {
  const auto& [crowd, first] = deals_.back();
  const Branch* branches = branches_.data() + first;
  return {branch == 0 ? crowd.whole_begin : branches[branch - 1].whole_end, branches[branch].whole_end, 0, 0};
}

Crowd RowsDown::child(std::int32_t branch) {
  const auto& [crowd, first] = deals_.back();
  const Branch* branches = branches_.data() + first;
  const std::size_t last = branches_.size() - first - 1;
  Crowd child = whole_child(branch);
  child.part_begin = parts_.size();
  const std::size_t from = branch == 0 ? crowd.part_begin : branches[branch - 1].part_end;
  const std::size_t to = branches[branch].part_end;
  parts_.resize(parts_.size() + (to - from));
  std::copy(parts_.begin() + static_cast<std::ptrdiff_t>(from), parts_.begin() + static_cast<std::ptrdiff_t>(to),
            parts_.begin() + static_cast<std::ptrdiff_t>(child.part_begin));
  const double share = branches[branch].share;
  if (share > least_share_ && tree_.routing.fallback == Otherwise::spread) {
    for (std::size_t i = branches[last].whole_end; i < crowd.whole_end; ++i) {
      parts_.push_back({whole_[i], share * weight_of(whole_[i])});
    }
    for (std::size_t i = branches[last].part_end; i < crowd.part_end; ++i) {
      parts_.push_back({parts_[i].row, share * parts_[i].weight});
    }
  }
  child.part_end = parts_.size();
  return child;
}

void RowsDown::undo() {
  branches_.resize(deals_.back().first);
  deals_.pop_back();
}

}  // namespace bough
