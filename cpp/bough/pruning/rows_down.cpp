// See rows_down.hpp.
#include "bough/pruning/rows_down.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "bough/predict/keys.hpp"
#include "bough/predict/threshold.hpp"
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

// A row for each rank of a column.
std::vector<std::uint32_t> rows_of_ranks(const RankedColumn& column) {
  std::vector<std::uint32_t> rows(column.ranks + std::size_t{1}, 0);
  for (std::size_t row = 0; row < column.rank.size(); ++row) rows[column.rank[row]] = static_cast<std::uint32_t>(row);
  return rows;
}

// How many ranks of a column go low.
std::uint64_t low_ranks(const RankedColumn& column, const std::vector<std::uint32_t>& rows,
                        const Threshold& threshold) {
  const std::optional<std::int64_t> last = last_low_key(threshold, family_of(column.view.type));
  if (!last) return 0;
  if (column.view.kind == ColumnKind::ordered) {  // codes are ranks, also those that no row holds
    return static_cast<std::uint64_t>(std::clamp<std::int64_t>(*last + 1, 0, column.ranks));
  }
  const auto low = std::partition_point(rows.begin(), rows.begin() + column.ranks,
                                        [&](std::uint32_t row) { return key_at(column.view, row) <= *last; });
  return static_cast<std::uint64_t>(low - rows.begin());
}

}  // namespace

std::int32_t RankTests::search(std::int32_t node, std::uint32_t code) const {
  const SplitPool& pool = tree_.splits;
  const std::uint64_t set = pool.payload[tree_.split_begin[node]];
  const auto begin = pool.set_code.begin() + pool.set_begin[set];
  const auto end = pool.set_code.begin() + pool.set_begin[set + 1];
  const auto wanted = static_cast<std::int32_t>(code);
  const auto found = std::lower_bound(begin, end, wanted);
  return found != end && *found == wanted ? pool.set_branch[found - pool.set_code.begin()] : tests_[node].absent;
}

RankTests::RankTests(const Tree& tree, const RankedTable& table) : tree_(tree) {
  check_fit(tree, table);
  tests_.resize(tree.parent.size());
  std::vector<std::vector<std::uint32_t>> rows(table.columns.size());
  const SplitPool& pool = tree.splits;
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    if (tree.is_leaf(node)) continue;
    const std::int64_t s = tree.split_begin[node];
    const RankedColumn& column = table.columns[pool.column[s]];
    Test& test = tests_[node];
    test.rank = column.rank.data();
    test.missing = column.ranks;
    if (pool.kind[s] == SplitKind::threshold) {
      std::vector<std::uint32_t>& sample = rows[pool.column[s]];
      if (sample.empty() && column.view.kind == ColumnKind::numeric) sample = rows_of_ranks(column);
      test.cut = low_ranks(column, sample, {pool.payload[s], pool.value_type[s], pool.side[s]});
      test.low = pool.low[s];
      continue;
    }
    if (tree.routing.absent == Otherwise::majority) test.absent = tree.majority[node];
    const std::int64_t begin = pool.set_begin[pool.payload[s]];
    const std::int64_t end = pool.set_begin[pool.payload[s] + 1];
    const std::int64_t length = std::int64_t{pool.set_code[end - 1]} + 1;
    test.codes = length > 8 * (end - begin) + 64 ? -1 : static_cast<std::int32_t>(length);
    if (test.codes < 0) continue;  // the table would be mostly empty
    test.cut = branch_of_code_.size();
    branch_of_code_.resize(branch_of_code_.size() + test.codes, test.absent);
    for (std::int64_t k = begin; k < end; ++k) branch_of_code_[test.cut + pool.set_code[k]] = pool.set_branch[k];
  }
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
  if (share > least_share_) {
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
