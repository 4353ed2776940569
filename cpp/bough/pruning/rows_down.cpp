// See rows_down.hpp.
#include "bough/pruning/rows_down.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "bough/predict/keys.hpp"
#include "bough/predict/threshold.hpp"
#include "bough/split/conjunction.hpp"
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

RankTests::RankTests(const Tree& tree, const RankedTable& table) : tree_(tree) {
  check_fit(tree, table);
  tests_.resize(tree.parent.size());
  samples_.resize(table.columns.size());
  const auto& roles = tree.splits.role;
  const bool asks =
      tree.routing.surrogates && std::find(roles.begin(), roles.end(), SplitRole::surrogate) != roles.end();
  if (asks) stand_in_begin_.push_back(0);
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    if (!tree.is_leaf(node)) tests_[node] = compile(tree.split_begin[node], table);
    if (!asks) continue;
    for (std::int64_t s = tree.split_begin[node]; s < tree.split_begin[node + 1]; ++s) {
      if (roles[s] == SplitRole::surrogate) stand_ins_.push_back(compile(s, table));
    }
    stand_in_begin_.push_back(stand_ins_.size());
  }
  samples_.clear();
}

RankTests::Test RankTests::compile(std::int64_t split, const RankedTable& table) {
  const SplitPool& pool = tree_.splits;
  const RankedColumn& column = table.columns[pool.column[split]];
  Test test;
  test.rank = column.rank.data();
  test.missing = column.ranks;
  test.low = pool.low[split];
  test.split = static_cast<std::uint64_t>(split);
  std::vector<std::uint32_t>& sample = samples_[pool.column[split]];
  if (sample.empty() && column.view.kind == ColumnKind::numeric) sample = rows_of_ranks(column);
  const std::uint64_t payload = pool.payload[split];
  switch (pool.kind[split]) {
    case SplitKind::threshold:
      test.cut = low_ranks(column, sample, {payload, pool.value_type[split], pool.side[split]});
      break;
    case SplitKind::intervals:
      test.kind = Kind::intervals;
      test.cut = low_ranks_.size();
      for (std::int64_t e = pool.edge_begin[payload]; e < pool.edge_begin[payload + 1]; ++e) {
        low_ranks_.push_back(low_ranks(column, sample, {pool.edge_bits[e], pool.edge_type[e], pool.side[split]}));
      }
      test.length = static_cast<std::uint32_t>(low_ranks_.size() - test.cut);
      break;
    case SplitKind::conjunction:
      test.kind = Kind::terms;
      test.cut = terms_.size();
      for (std::int64_t t = pool.term_begin[payload]; t < pool.term_begin[payload + 1]; ++t) {
        const RankedColumn& asked = table.columns[pool.term_column[t]];
        terms_.push_back(
            {asked.rank.data(), asked.ranks, static_cast<std::uint32_t>(pool.term_code[t]), pool.term_negated[t] != 0});
      }
      test.length = static_cast<std::uint32_t>(terms_.size() - test.cut);
      break;
    case SplitKind::levels: {
      const std::int64_t begin = pool.set_begin[payload];
      const std::int64_t end = pool.set_begin[payload + 1];
      const std::int64_t length = std::int64_t{pool.set_code[end - 1]} + 1;
      test.kind = length > 8 * (end - begin) + 64 ? Kind::levels : Kind::table;
      if (test.kind == Kind::levels) break;  // the table would be mostly empty
      test.cut = branch_of_code_.size();
      test.length = static_cast<std::uint32_t>(length);
      branch_of_code_.resize(branch_of_code_.size() + test.length, unknown);
      for (std::int64_t k = begin; k < end; ++k) branch_of_code_[test.cut + pool.set_code[k]] = pool.set_branch[k];
      break;
    }
  }
  return test;
}

std::int32_t RankTests::look_up(const Test& test, std::uint32_t row) const {
  const SplitPool& pool = tree_.splits;
  const std::uint32_t rank = test.rank[row];
  if (test.kind == Kind::terms) return by_terms(test, row);
  if (rank == test.missing) return unknown;
  const std::uint64_t list = pool.payload[test.split];
  if (test.kind == Kind::cut) return rank < test.cut ? test.low : 1 - test.low;
  if (test.kind == Kind::table) return rank < test.length ? branch_of_code_[test.cut + rank] : unknown;
  if (test.kind == Kind::intervals) {
    const auto first = low_ranks_.begin() + static_cast<std::ptrdiff_t>(test.cut);
    const auto above = std::upper_bound(first, first + test.length, rank);
    return pool.interval_branch[pool.edge_begin[list] + static_cast<std::int64_t>(list) + (above - first)];
  }
  const auto begin = pool.set_code.begin() + pool.set_begin[list];
  const auto end = pool.set_code.begin() + pool.set_begin[list + 1];
  const auto wanted = static_cast<std::int32_t>(rank);
  const auto found = std::lower_bound(begin, end, wanted);
  return found != end && *found == wanted ? pool.set_branch[found - pool.set_code.begin()] : unknown;
}

std::int32_t RankTests::by_terms(const Test& test, std::uint32_t row) const {
  const Met found = all_met(test.cut, test.cut + test.length, [&](std::uint64_t t) {
    const Term& term = terms_[t];
    const std::uint32_t rank = term.rank[row];
    return rank == term.missing ? Met::unknown : met(rank == term.code, term.negated);
  });
  if (found == Met::unknown) return unknown;
  return found == Met::yes ? test.low : 1 - test.low;
}

std::int32_t RankTests::otherwise(std::int32_t node, std::uint32_t row) const {
  const Test& test = tests_[node];
  const bool absent = (test.kind == Kind::table || test.kind == Kind::levels) && test.rank[row] != test.missing;
  const Otherwise rule = absent ? tree_.routing.absent : Otherwise::missing;
  if (rule == Otherwise::majority) return tree_.majority[node];
  if (rule == Otherwise::stop) return unknown;
  const std::int32_t own = tree_.splits.missing_branch(tree_.split_begin[node]);
  if (own >= 0) return own;
  if (!stand_in_begin_.empty()) {
    for (std::size_t s = stand_in_begin_[node]; s < stand_in_begin_[node + 1]; ++s) {
      const std::int32_t found = look_up(stand_ins_[s], row);
      if (found >= 0) return found;
    }
  }
  return tree_.routing.fallback == Otherwise::majority ? tree_.majority[node] : unknown;
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
