#include "bough/engine/sorted/replay.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/engine/pool_writer.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/engine/sorted/parting.hpp"
#include "bough/split/in_ranks.hpp"

namespace bough {
namespace {

template <class Entry>
class Replay {
 public:
  Replay(const Tree& tree, const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch)
      : tree_(tree), table_(table), target_(target), options_(options), watch_(watch), cuts_(table) {}

  Tree run();

 private:
  Candidate primary_of(std::int32_t node, const Cohort<Entry>& cohort, std::size_t begin, std::size_t end);

  const Tree& tree_;
  const RankedTable& table_;
  const Target& target_;
  const GrowOptions& options_;
  Watch& watch_;
  RankCuts cuts_;
};

// The primary split of a node in the form in which the search had found it.
template <class Entry>
Candidate Replay<Entry>::primary_of(std::int32_t node, const Cohort<Entry>& cohort, std::size_t begin,
                                    std::size_t end) {
  const SplitPool& pool = tree_.splits;
  const std::int64_t s = tree_.split_begin[node];
  Candidate primary;
  primary.column = pool.column[s];
  const auto index = static_cast<std::size_t>(primary.column);
  if (pool.kind[s] == SplitKind::levels) {
    const std::uint64_t set = pool.payload[s];
    primary.levels = std::make_unique<LevelSet>();
    for (std::int64_t i = pool.set_begin[set]; i < pool.set_begin[set + 1]; ++i) {
      primary.levels->code.push_back(pool.set_code[i]);
      primary.levels->low.push_back(pool.set_branch[i] == 0 ? 1 : 0);
    }
    return primary;
  }
  const std::uint32_t low = cuts_.low_ranks(primary.column, {pool.payload[s], pool.value_type[s], pool.side[s]});
  const RankedColumn& ranked = table_.columns[index];
  const auto& column = cohort.columns[index];
  if (column.layout == Layout::table) {
    primary.low_row = ranked.sample[0];
    for (std::uint32_t code = 0; code < low; ++code) {
      // A level that no row holds has no sample; its place in a threshold between levels does not matter here.
      const std::uint32_t row = ranked.sample[code];
      if (ranked.rank[row] == code) primary.low_row = row;
    }
    return primary;
  }
  const std::size_t known = cohort.known_in(column, begin, end);
  const auto first = column.order.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto cut = std::partition_point(first, first + static_cast<std::ptrdiff_t>(known),
                                        [&](Entry entry) { return ranked.rank[cohort.row_of(entry.id())] < low; });
  primary.position = static_cast<std::uint32_t>(cut - first);
  return primary;
}

// The tree with its own splits and the surrogates found, node by node in preorder.
Tree with_surrogates(const Tree& tree, const std::vector<std::vector<Surrogate>>& found, const RankedTable& table,
                     const GrowOptions& options) {
  Tree result = tree;
  SplitPool pool;  // of a tree whose surrogates, where it has some, are found again
  PoolWriter writer(table, options, nullptr);
  const SplitPool& old = tree.splits;
  result.split_begin.assign(1, 0);
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    for (std::int64_t s = tree.split_begin[node]; s < tree.split_begin[node + 1]; ++s) {
      if (old.role[s] == SplitRole::surrogate) continue;
      copy_split(old, s, pool);
    }
    for (const Surrogate& surrogate : found[static_cast<std::size_t>(node)]) writer.add_surrogate(pool, surrogate);
    result.split_begin.push_back(pool.size());
  }
  writer.settle(pool);
  tidy(pool);
  result.splits = std::move(pool);
  return result;
}

template <class Entry>
Tree Replay<Entry>::run() {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < table_.rows; ++row) {
    if (target_.weight.empty() || target_.weight[row] > 0.0) rows.push_back(static_cast<std::uint32_t>(row));
  }
  Cohort<Entry> cohort = whole_cohort<Entry>(table_, target_, rows, 0.0, true, false, options_.threads);
  GrowOptions walk = options_;
  walk.branch_order = BranchOrder::value;  // the branches are known already; the candidate's first side is branch 0
  if (walk.criterion == Criterion::absolute_error || walk.criterion == Criterion::worst_error)
    walk.criterion = Criterion::squared_error;
  std::vector<std::vector<Surrogate>> found(static_cast<std::size_t>(tree_.size()));
  struct Range {
    std::int32_t node;
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Range> stack = {{0, 0, rows.size()}};
  std::vector<std::vector<Entry>> scratch(static_cast<std::size_t>(std::max(1, options_.threads)));
  while (!stack.empty()) {
    const auto [node, begin, end] = stack.back();
    stack.pop_back();
    if (tree_.is_leaf(node)) continue;
    const Candidate primary = primary_of(node, cohort, begin, end);
    const bool swapped = primary.levels == nullptr && tree_.splits.low[tree_.split_begin[node]] == 1;
    PartedNode parted = part_node(table_, target_, walk, watch_, cohort, begin, end, primary, true, swapped);
    found[static_cast<std::size_t>(node)] = std::move(parted.surrogates);
    Parting parting;
    parting.stays = parted.stays;
    const std::int32_t* child = tree_.children.data() + tree_.child_begin[node];
    std::size_t size[2];
    for (int b = 0; b < 2; ++b) {
      parting.open[b] = !tree_.is_leaf(child[b]);
      size[b] = parting.open[b] ? parted.child[b].rows : 0;
    }
    if (!parting.open[0] && !parting.open[1]) continue;
    const auto move = [&](std::vector<Entry>& order, std::vector<Entry>& moved) {
      if (moved.size() < end - begin) moved.resize(end - begin);
      part_range(std::span<Entry>(order.data() + begin, end - begin), cohort.side.data(), parting, moved.data());
    };
    if (!cohort.list.empty()) move(cohort.list, scratch[0]);
    parallel_for(table_.columns.size(), end - begin > kBlockRows ? options_.threads : 1,
                 [&](std::size_t c, int worker) {
                   watch_.poll(end - begin);
                   if (cohort.columns[c].layout == Layout::order)
                     move(cohort.columns[c].order, scratch[static_cast<std::size_t>(worker)]);
                 });
    stack.push_back({child[1], begin + size[0], begin + size[0] + size[1]});
    stack.push_back({child[0], begin, begin + size[0]});
  }
  return with_surrogates(tree_, found, table_, options_);
}

}  // namespace

Tree add_surrogates(const Tree& tree, const RankedTable& table, const Target& target, const GrowOptions& options,
                    Watch& watch) {
  if (tree.size() == 1 || options.surrogates.most <= 0) return tree;
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    if (tree.is_leaf(node) || tree.splits.feature(tree.split_begin[node]) != Feature::sum) continue;
    throw InvalidInput("tree", "surrogates are found for tests on single columns; node " + std::to_string(node) +
                                   " asks a sum of columns");
  }
  if (EntryOf<std::uint32_t>::fits(table.rows, target.classes)) {
    return Replay<EntryOf<std::uint32_t>>(tree, table, target, options, watch).run();
  }
  return Replay<EntryOf<std::uint64_t>>(tree, table, target, options, watch).run();
}

}  // namespace bough
