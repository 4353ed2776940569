// See compile.hpp.
#include "bough/predict/compile.hpp"

#include <algorithm>
#include <optional>

#include "bough/split/low_key.hpp"
#include "bough/tree/shares.hpp"

namespace bough {
namespace {

constexpr std::int32_t mask_codes = 64;

std::optional<LevelMasks> to_masks(const SplitPool& pool, std::uint64_t set) {
  LevelMasks masks;
  for (std::int64_t k = pool.set_begin[set]; k < pool.set_begin[set + 1]; ++k) {
    if (pool.set_code[k] >= mask_codes) return std::nullopt;
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(pool.set_code[k]);
    masks.known |= bit;
    if (pool.set_branch[k] == 1) masks.one |= bit;
  }
  return masks;
}

// The children of the codes 0, 1, ... of a node with sets of levels, unless the codes lie so far apart that the table
// would be mostly empty.
std::int32_t add_table(const Tree& tree, std::int32_t node, std::vector<std::int32_t>& tables) {
  const SplitPool& pool = tree.splits;
  const std::uint64_t set = pool.payload[tree.split_begin[node]];
  const std::int64_t begin = pool.set_begin[set];
  const std::int64_t end = pool.set_begin[set + 1];
  const std::int64_t length = std::int64_t{pool.set_code[end - 1]} + 1;
  if (length > 8 * (end - begin) + mask_codes) return 0;
  const std::size_t first = tables.size();
  tables.resize(first + static_cast<std::size_t>(length), 0);
  for (std::int64_t k = begin; k < end; ++k) {
    tables[first + pool.set_code[k]] = tree.children[tree.child_begin[node] + pool.set_branch[k]];
  }
  return static_cast<std::int32_t>(length);
}

void add_intervals(const Tree& tree, std::int32_t node, KeyFamily family, HotTree& hot) {
  const SplitPool& pool = tree.splits;
  const std::int64_t s = tree.split_begin[node];
  const auto list = static_cast<std::int64_t>(pool.payload[s]);
  const std::int64_t begin = pool.edge_begin[list];
  const std::int64_t end = pool.edge_begin[list + 1];
  hot.intervals.push_back({hot.edges.size(), static_cast<std::size_t>(end - begin), hot.interval_child.size()});
  for (std::int64_t e = begin; e < end; ++e) {
    // If no value lies below an edge, every known key is above the least one.
    const Threshold edge = {pool.edge_bits[e], pool.edge_type[e], pool.side[s]};
    hot.edges.push_back(last_low_key(edge, family).value_or(unknown_key));
  }
  for (std::int64_t i = begin + list; i <= end + list; ++i) {
    hot.interval_child.push_back(tree.children[tree.child_begin[node] + pool.interval_branch[i]]);
  }
}

// Whether every list of terms may be read into the tile: as many different terms as lanes can hold in near caches.
constexpr std::size_t most_term_slots = 1024;

// The terms of a sum; false if one is a product, or if there are too many different ones.
bool add_sum(const SplitPool& pool, std::int64_t s, std::span<const ColumnView> columns, HotTree& hot) {
  const TermLists& lists = pool.sums;
  const std::int64_t list = pool.derived[s];
  for (std::int64_t t = lists.begin[list]; t < lists.begin[list + 1]; ++t) {
    if (lists.is_product(static_cast<std::size_t>(t))) return false;
  }
  HotSum sum;
  sum.begin = hot.weight.size();
  for (std::int64_t t = lists.begin[list]; t < lists.begin[list + 1]; ++t) {
    const ColumnView& view = columns[lists.column[t]];
    const auto same = [&](const TermSlot& slot) {
      return slot.column == lists.column[t] && slot.code == lists.code[t] && slot.origin == lists.origin[t];
    };
    auto found = std::ranges::find_if(hot.term_slots, same);
    if (found == hot.term_slots.end()) {
      if (hot.term_slots.size() == most_term_slots) return false;
      hot.term_slots.push_back({view, lists.column[t], lists.code[t], lists.origin[t]});
      found = hot.term_slots.end() - 1;
    }
    hot.weight.push_back(lists.weight[t]);
    hot.term_slot.push_back(static_cast<std::uint32_t>(found - hot.term_slots.begin()));
  }
  sum.end = hot.weight.size();
  const Threshold threshold = {pool.payload[s], pool.value_type[s], pool.side[s]};
  sum.threshold = threshold.as_f64();
  sum.up_to = threshold.side == Side::le;
  hot.sums.push_back(sum);
  return true;
}

}  // namespace

HotTree compile(const Tree& tree, std::span<const ColumnView> columns, const Router& router) {
  HotTree hot;
  hot.nodes.resize(tree.parent.size());
  std::vector<std::int32_t> slot_of(columns.size(), -1);
  const SplitPool& pool = tree.splits;
  for (std::int32_t i = 0; i < tree.size(); ++i) {
    if (tree.is_leaf(i)) continue;
    const std::int64_t s = tree.split_begin[i];
    router.check(s);
    const ColumnView& column = columns[pool.column[s]];
    HotNode& node = hot.nodes[i];
    HotKind kind = HotKind::routed;
    bool flip = false;
    if (pool.feature(s) != Feature::column) {
      const auto number = static_cast<std::int64_t>(hot.sums.size());
      if (pool.feature(s) == Feature::sum && pool.kind[s] == SplitKind::threshold && add_sum(pool, s, columns, hot)) {
        kind = HotKind::sum;
        node.cut = number;
        flip = pool.low[s] == 1;
      }
    } else if (pool.kind[s] == SplitKind::threshold) {
      kind = HotKind::threshold;
      const Threshold threshold = {pool.payload[s], pool.value_type[s], pool.side[s]};
      // If nothing goes low, no key is small enough: cells with the unknown key are routed before they are compared.
      node.cut = last_low_key(threshold, family_of(column.type)).value_or(unknown_key);
      flip = pool.low[s] == 1;
    } else if (pool.kind[s] == SplitKind::intervals) {
      kind = HotKind::intervals;
      node.cut = static_cast<std::int64_t>(hot.intervals.size());
      add_intervals(tree, i, family_of(column.type), hot);
    } else if (pool.kind[s] == SplitKind::levels) {
      const bool two = tree.child_begin[i + 1] - tree.child_begin[i] == 2;
      const std::optional<LevelMasks> masks = two ? to_masks(pool, pool.payload[s]) : std::nullopt;
      const auto table = static_cast<std::int64_t>(hot.tables.size());
      if (masks) {
        kind = HotKind::mask;
        node.cut = static_cast<std::int64_t>(hot.masks.size());
        hot.masks.push_back(*masks);
      } else if (const std::int32_t length = add_table(tree, i, hot.tables); length > 0) {
        kind = HotKind::table;
        node.cut = table;
        node.second = length;
      }
    }
    std::int32_t& slot = slot_of[pool.column[s]];
    const bool keyed = kind != HotKind::routed && kind != HotKind::sum;
    if (slot < 0 && keyed) {
      if (hot.slots.size() < HotNode::slot_limit) {
        slot = static_cast<std::int32_t>(hot.slots.size());
        hot.slots.push_back(column);
      } else {
        kind = HotKind::routed;
      }
    }
    const std::int32_t second = tree.children[tree.child_begin[i] + 1];
    if (kind != HotKind::table) node.second = second;
    node.packed =
        (flip ? 1U : 0U) | (tree.is_leaf(i + 1) ? 2U : 0U) | (tree.is_leaf(second) ? 4U : 0U) |
        (static_cast<std::uint32_t>(kind) << 3U) |
        (kind == HotKind::routed || kind == HotKind::sum ? 0U : static_cast<std::uint32_t>(slot) * HotNode::lanes);
  }
  if (tree.routing.fallback != Otherwise::spread) return hot;
  hot.share.assign(tree.parent.size(), 0.0);
  for (std::int32_t i = 0; i < tree.size(); ++i) {
    const ChildShares shares(tree, i);
    if (!shares.any()) continue;
    for (std::int32_t c = tree.child_begin[i]; c < tree.child_begin[i + 1]; ++c) {
      hot.share[tree.children[c]] = shares.of(tree.children[c]);
    }
  }
  return hot;
}

}  // namespace bough
