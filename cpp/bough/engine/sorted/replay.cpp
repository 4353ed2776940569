#include "bough/engine/sorted/replay.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/engine/pool_writer.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/engine/sorted/own_blocks.hpp"
#include "bough/engine/sorted/parting.hpp"
#include "bough/engine/sorted/surrogates.hpp"
#include "bough/split/low_key.hpp"
#include "bough/tree/require_cells.hpp"

namespace bough {
namespace {

template <class Entry>
class Replay {
 public:
  Replay(const Tree& tree, const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch)
      : tree_(tree), table_(table), target_(target), options_(options), walk_(options), watch_(watch) {
    walk_.branch_order = BranchOrder::value;  // the branches are known already; the candidate's first side is branch 0
    if (walk_.criterion == Criterion::absolute_error || walk_.criterion == Criterion::worst_error)
      walk_.criterion = Criterion::squared_error;
  }

  Tree run();

 private:
  using Block = Cohort<Entry>;
  struct Visit {
    std::int32_t node;
    Stretch rows;
  };

  [[nodiscard]] Candidate primary_of(std::int32_t node, const Block& block, const Stretch& rows) const;
  void walk_down(Block& block, Visit from, std::vector<Visit>* small);
  [[nodiscard]] bool is_open(std::int32_t node, std::size_t rows) const {
    return !tree_.is_leaf(node) && may_have_surrogates(table_, target_, options_, rows);
  }

  const Tree& tree_;
  const RankedTable& table_;
  const Target& target_;
  const GrowOptions& options_;
  GrowOptions walk_;
  Watch& watch_;
  std::vector<std::vector<Surrogate>> found_;  // by node
};

// The primary split of a node in the form in which the search had found it.
template <class Entry>
Candidate Replay<Entry>::primary_of(std::int32_t node, const Block& block, const Stretch& rows) const {
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
  const RankedColumn& ranked = table_.columns[index];
  const std::optional<std::int64_t> last =
      last_low_key({pool.payload[s], pool.value_type[s], pool.side[s]}, family_of(ranked.view.type));
  const auto is_low = [&](std::uint32_t row) { return last && key_at(ranked.view, row) <= *last; };
  const auto& column = block.columns[index];
  if (column.layout == Layout::table) {
    primary.low_row = ranked.sample[0];
    for (std::uint32_t code = 0; code < ranked.ranks; ++code) {
      // A level that no row holds has no sample; its place in a threshold between levels does not matter here.
      const std::uint32_t row = ranked.sample[code];
      if (ranked.rank[row] != code) continue;
      if (!is_low(row)) break;
      primary.low_row = row;
    }
    return primary;
  }
  const auto first = column.order.begin() + static_cast<std::ptrdiff_t>(rows.begin);
  const auto known = static_cast<std::ptrdiff_t>(block.known_in(column, rows.begin, rows.end));
  const auto cut =
      std::partition_point(first, first + known, [&](Entry entry) { return is_low(block.row_of(entry.id())); });
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

// Visits a node and all below it, depth first, in the block that has their rows. With `small`, nodes that fit into a
// block of their own are not visited but noted there.
template <class Entry>
void Replay<Entry>::walk_down(Block& block, Visit from, std::vector<Visit>* small) {
  const int threads = small != nullptr ? std::max(1, options_.threads) : 1;
  std::vector<std::vector<Entry>> scratch(static_cast<std::size_t>(threads));
  std::vector<Visit> stack = {from};
  while (!stack.empty()) {
    const auto [node, rows] = stack.back();
    stack.pop_back();
    if (small != nullptr && rows.size() <= kBlockRows) {
      small->push_back({node, rows});
      continue;
    }
    const Candidate primary = primary_of(node, block, rows);
    const bool swapped = primary.levels == nullptr && tree_.splits.low[tree_.split_begin[node]] == 1;
    PartedNode parted = part_node(table_, target_, walk_, watch_, block, rows.begin, rows.end, primary, true, swapped);
    found_[static_cast<std::size_t>(node)] = std::move(parted.surrogates);
    Parting parting;
    parting.stays = parted.stays;
    const std::int32_t* child = tree_.children.data() + tree_.child_begin[node];
    std::size_t size[2];
    for (int b = 0; b < 2; ++b) {
      parting.open[b] = is_open(child[b], parted.child[b].rows);
      size[b] = parting.open[b] ? parted.child[b].rows : 0;
    }
    if (!parting.open[0] && !parting.open[1]) continue;
    const auto move = [&](std::vector<Entry>& order, std::vector<Entry>& moved) {
      if (moved.size() < rows.size()) moved.resize(rows.size());
      part_range(std::span<Entry>(order.data() + rows.begin, rows.size()), block.side.data(), parting, moved.data());
    };
    if (!block.list.empty()) move(block.list, scratch[0]);
    parallel_for(
        table_.columns.size(), threads, [this] { watch_.ask(); },
        [&](std::size_t c, int worker) {
          watch_.poll(rows.size());
          if (block.columns[c].layout == Layout::order)
            move(block.columns[c].order, scratch[static_cast<std::size_t>(worker)]);
        });
    const std::size_t middle = rows.begin + size[0];
    if (parting.open[1]) stack.push_back({child[1], {middle, middle + size[1]}});
    if (parting.open[0]) stack.push_back({child[0], {rows.begin, middle}});
  }
}

template <class Entry>
Tree Replay<Entry>::run() {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < table_.rows; ++row) {
    if (target_.weight.empty() || target_.weight[row] > 0.0) rows.push_back(static_cast<std::uint32_t>(row));
  }
  found_.resize(static_cast<std::size_t>(tree_.size()));
  Block block = whole_cohort<Entry>(table_, target_, rows, 0.0, true, false, options_.threads);
  const Visit root{0, {0, rows.size()}};
  if (rows.size() <= kBlockRows) {
    walk_down(block, root, nullptr);
  } else {
    std::vector<Visit> small;
    walk_down(block, root, &small);
    std::vector<Stretch> stretches;
    stretches.reserve(small.size());
    for (const Visit& visit : small) stretches.push_back(visit.rows);
    in_own_blocks<Entry>(
        block, stretches, options_.threads, [this] { watch_.ask(); },
        [&](std::size_t i, Block own) { walk_down(own, {small[i].node, {0, stretches[i].size()}}, nullptr); });
  }
  return with_surrogates(tree_, found_, table_, options_);
}

}  // namespace

Tree add_surrogates(const Tree& tree, const RankedTable& table, const Target& target, const GrowOptions& options,
                    Watch& watch) {
  if (tree.size() == 1 || options.surrogates.most <= 0) return tree;
  require_cells(tree, "surrogates are found for tests on single columns");
  if (EntryOf<std::uint32_t>::fits(table.rows, target.classes)) {
    return Replay<EntryOf<std::uint32_t>>(tree, table, target, options, watch).run();
  }
  return Replay<EntryOf<std::uint64_t>>(tree, table, target, options, watch).run();
}

}  // namespace bough
