#include "bough/engine/sorted/cohort.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "bough/base/parallel.hpp"

namespace bough {
namespace {

// Entries sorted by rank, rows of equal rank in the order of `rows`: a counting sort, in two passes over half of the
// rank's bits each where its counters and targets would not stay in the near caches.
template <class Entry>
std::vector<Entry> order_by_rank(const std::vector<std::uint32_t>& rank, std::uint32_t ranks,
                                 const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& label) {
  struct Ranked {
    std::uint32_t rank;
    Entry entry;
  };
  const auto entry_of = [&](std::uint32_t row) { return Entry::make(row, label.empty() ? 0 : label[row]); };
  std::vector<Entry> order(rows.size());
  const int bits = std::bit_width(ranks);
  const int low_bits = bits > 12 ? bits / 2 : 0;
  std::vector<std::uint32_t> next((static_cast<std::size_t>(ranks) >> low_bits) + 2, 0);
  for (const std::uint32_t row : rows) ++next[(rank[row] >> low_bits) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  if (low_bits == 0) {
    for (const std::uint32_t row : rows) order[next[rank[row]]++] = entry_of(row);
    return order;
  }
  const std::uint32_t low_mask = (std::uint32_t{1} << low_bits) - 1;
  std::vector<std::uint32_t> next_low(static_cast<std::size_t>(low_mask) + 2, 0);
  for (const std::uint32_t row : rows) ++next_low[(rank[row] & low_mask) + 1];
  std::partial_sum(next_low.begin(), next_low.end(), next_low.begin());
  std::vector<Ranked> by_low(rows.size());
  for (const std::uint32_t row : rows) by_low[next_low[rank[row] & low_mask]++] = {rank[row], entry_of(row)};
  for (const Ranked& one : by_low) order[next[one.rank >> low_bits]++] = one.entry;
  return order;
}

template <class Entry>
void add_column(typename Cohort<Entry>::Column& column, const RankedColumn& ranked, const Target& target,
                const std::vector<std::uint32_t>& rows, bool tables_allowed) {
  column.missing_rank = ranked.ranks;
  column.has_missing = ranked.has_missing;
  if (tables_allowed && ranked.ranks <= kTableRanks) {
    column.layout = Layout::table;
    column.code.resize(ranked.rank.size());
    std::transform(ranked.rank.begin(), ranked.rank.end(), column.code.begin(),
                   [](std::uint32_t rank) { return static_cast<std::uint8_t>(rank); });
    return;
  }
  column.order = order_by_rank<Entry>(ranked.rank, ranked.ranks, rows, target.label);
  column.ties.rank = ranked.rank.data();
  column.ties.shared = ranked.shared.empty() ? nullptr : ranked.shared.data();
}

// The order of one column of a node with the new ids, and what is needed to tell values apart there. Ranks of the block
// count its own values, except in nominal columns, where they are the codes.
template <class Entry>
void copy_order(typename Cohort<Entry>::Column& to, const typename Cohort<Entry>::Column& from,
                std::span<const Entry> entries, const std::vector<std::uint32_t>& new_id) {
  const Ties& ties = from.ties;
  to.order.resize(entries.size());
  bool tied = false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::uint32_t id = entries[i].id();
    tied = tied || (i > 0 && ties(entries[i - 1].id(), id));
    to.order[i] = Entry::make(new_id[id], entries[i].label());
  }
  to.has_missing = from.has_missing && ties.rank != nullptr && ties.rank[entries.back().id()] == from.missing_rank;
  if (!tied && !to.has_missing) return;
  to.own_rank.resize(entries.size());
  if (ties.shared == nullptr) {
    for (std::size_t i = 0; i < entries.size(); ++i) to.own_rank[to.order[i].id()] = ties.rank[entries[i].id()];
  } else {
    to.own_shared.resize((entries.size() + 63) / 64, 0);
    const auto mark = [&](std::size_t i) {
      const std::uint32_t id = to.order[i].id();
      to.own_shared[id / 64] |= std::uint64_t{1} << (id % 64);
    };
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i > 0 && ties(entries[i - 1].id(), entries[i].id())) {
        mark(i - 1);
        mark(i);
      } else {
        ++rank;
      }
      to.own_rank[to.order[i].id()] = rank;
    }
    if (to.has_missing) to.missing_rank = rank;
    to.ties.shared = to.own_shared.data();
  }
  to.ties.rank = to.own_rank.data();
}

// A part of an order and the order of a block of shared rows, each sorted by rank, as one; where ranks are equal the
// part comes first. Shared rows keep their ids and stand in long runs, which are copied as they are.
template <class Entry>
void merge_order(typename Cohort<Entry>::Column& to, const typename Cohort<Entry>::Column& from, const Stretch& part,
                 const typename Cohort<Entry>::Column& shared, const std::vector<std::uint32_t>& new_id) {
  to.own_rank.reserve(part.size() + shared.order.size());
  to.own_rank = shared.own_rank;
  to.own_rank.resize(part.size() + shared.order.size());
  to.order.resize(to.own_rank.size());
  const auto is_below = [&](Entry entry, std::uint32_t rank) { return shared.own_rank[entry.id()] < rank; };
  const bool sparse = shared.order.size() > 8 * part.size();
  auto next = shared.order.begin();
  auto out = to.order.begin();
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const Entry old = from.order[i];
    const std::uint32_t rank = from.ties.rank[old.id()];
    if (sparse) {
      const auto run = std::lower_bound(next, shared.order.end(), rank, is_below);
      out = std::copy(next, run, out);
      next = run;
    } else {
      while (next != shared.order.end() && is_below(*next, rank)) *out++ = *next++;
    }
    const Entry entry = Entry::make(new_id[old.id()], old.label());
    to.own_rank[entry.id()] = rank;
    *out++ = entry;
  }
  std::copy(next, shared.order.end(), out);
  to.ties.rank = to.own_rank.data();
  to.has_missing = from.has_missing && !to.order.empty() && to.own_rank[to.order.back().id()] == from.missing_rank;
}

// Some order that holds every row.
template <class Entry>
const std::vector<Entry>& any_order(const Cohort<Entry>& from) {
  if (!from.list.empty()) return from.list;
  for (const auto& column : from.columns) {
    if (column.layout == Layout::order) return column.order;
  }
  return from.list;
}

// Weights and classes as bytes; empty where they do not fit.
std::vector<WholeTag> tags_of(const Target& target) {
  if (target.classes != 2 || target.weight.empty()) return {};
  if (*std::max_element(target.weight.begin(), target.weight.end()) > kTagWeight) return {};
  if (!exact_in_products(target.weight)) return {};
  std::vector<WholeTag> tag(target.weight.size());
  for (std::size_t row = 0; row < tag.size(); ++row) {
    const auto weight = static_cast<std::uint32_t>(target.weight[row]);
    tag[row] = static_cast<WholeTag>(weight | (target.label[row] << 7U));
  }
  return tag;
}

template <class Entry>
std::vector<Entry> copy_list(const std::vector<Entry>& from, std::size_t begin, std::size_t end,
                             const std::vector<std::uint32_t>& new_id) {
  std::vector<Entry> to(end - begin);
  std::transform(from.begin() + static_cast<std::ptrdiff_t>(begin), from.begin() + static_cast<std::ptrdiff_t>(end),
                 to.begin(), [&](Entry entry) { return Entry::make(new_id[entry.id()], entry.label()); });
  return to;
}

}  // namespace

bool exact_in_products(const std::vector<double>& weight) {
  double sum = 0.0;
  for (const double w : weight) {
    if (w != std::floor(w)) return false;
    sum += w;
  }
  return sum <= 0x1p26;
}

template <class Entry>
Cohort<Entry> whole_cohort(const RankedTable& table, const Target& target, const std::vector<std::uint32_t>& rows,
                           double centre, bool tables_allowed, bool by_value, int threads) {
  Cohort<Entry> cohort;
  cohort.ids = table.rows;
  cohort.label = target.label;
  cohort.weight = target.weight;
  cohort.tag = tags_of(target);
  cohort.value = target.value;
  for (double& value : cohort.value) value -= centre;
  cohort.side.resize(cohort.ids);
  cohort.columns.resize(table.columns.size());
  parallel_for(table.columns.size(), threads, [&](std::size_t c, int) {
    add_column<Entry>(cohort.columns[c], table.columns[c], target, rows, tables_allowed);
  });
  const auto is_table = [](const auto& column) { return column.layout == Layout::table; };
  if (std::any_of(cohort.columns.begin(), cohort.columns.end(), is_table)) {
    cohort.list.reserve(rows.size());
    for (const std::uint32_t row : rows)
      cohort.list.push_back(Entry::make(row, target.label.empty() ? 0 : target.label[row]));
  }
  if (by_value) {
    for (const std::uint32_t row : rows) cohort.value_order.push_back(Entry::make(row, 0));
    std::stable_sort(cohort.value_order.begin(), cohort.value_order.end(),
                     [&](Entry a, Entry b) { return cohort.value[a.id()] < cohort.value[b.id()]; });
    cohort.value_rank.resize(cohort.ids);
  }
  return cohort;
}

template <class Entry>
Cohort<Entry> block_of(const Cohort<Entry>& from, std::size_t begin, std::size_t end,
                       std::vector<std::uint32_t>& new_id) {
  Cohort<Entry> block;
  block.ids = end - begin;
  block.columns.resize(from.columns.size());
  block.row.resize(block.ids);
  block.side.resize(block.ids);
  if (!from.label.empty()) block.label.resize(block.ids);
  if (!from.value.empty()) block.value.resize(block.ids);
  if (!from.weight.empty()) block.weight.resize(block.ids);
  if (!from.tag.empty()) block.tag.resize(block.ids);
  if (!from.value_rank.empty()) block.value_rank.resize(block.ids);
  const std::vector<Entry>& numbering = any_order(from);
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t old = numbering[i].id();
    const std::size_t id = i - begin;
    new_id[old] = static_cast<std::uint32_t>(id);
    block.row[id] = from.row_of(old);
    if (!from.label.empty()) block.label[id] = from.label[old];
    if (!from.value.empty()) block.value[id] = from.value[old];
    if (!from.weight.empty()) block.weight[id] = from.weight[old];
    if (!from.tag.empty()) block.tag[id] = from.tag[old];
  }
  for (std::size_t c = 0; c < from.columns.size(); ++c) {
    const auto& source = from.columns[c];
    auto& column = block.columns[c];
    column.layout = source.layout;
    column.missing_rank = source.missing_rank;
    if (source.layout == Layout::order) {
      copy_order<Entry>(column, source, {source.order.data() + begin, end - begin}, new_id);
    } else {
      column.has_missing = source.has_missing;
      column.code.resize(block.ids);
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t old = from.list[i].id();
        column.code[new_id[old]] = source.code[old];
      }
    }
  }
  if (!from.list.empty()) block.list = copy_list(from.list, begin, end, new_id);
  if (!from.value_order.empty()) block.value_order = copy_list(from.value_order, begin, end, new_id);
  return block;
}

template <class Entry>
Cohort<Entry> merged_block(const Cohort<Entry>& from, const Stretch& part, const Cohort<Entry>* shared, double share,
                           std::vector<std::uint32_t>& new_id) {
  const std::size_t others = shared != nullptr ? shared->ids : 0;
  const std::size_t ids = others + part.size();
  Cohort<Entry> block;
  block.ids = ids;
  block.columns.resize(from.columns.size());
  if (shared != nullptr) {
    block.row = shared->row;
    block.label = shared->label;
    block.value = shared->value;
    block.list = shared->list;
    block.weight.resize(others);
    for (std::uint32_t id = 0; id < others; ++id) block.weight[id] = share * shared->weight_of(id);
  }
  block.side.resize(ids);
  block.row.resize(ids);
  if (!from.label.empty()) block.label.resize(ids);
  if (!from.value.empty()) block.value.resize(ids);
  if (!from.weight.empty() || others > 0) block.weight.resize(ids);
  const std::vector<Entry>& numbering = any_order(from);
  if (new_id.size() < from.ids) new_id.resize(from.ids);
  for (std::size_t i = part.begin, id = others; i < part.end; ++i, ++id) {
    const std::uint32_t old = numbering[i].id();
    new_id[old] = static_cast<std::uint32_t>(id);
    block.row[id] = from.row_of(old);
    if (!block.label.empty()) block.label[id] = from.label[old];
    if (!block.value.empty()) block.value[id] = from.value[old];
    if (!block.weight.empty()) block.weight[id] = from.weight_of(old);
  }
  const typename Cohort<Entry>::Column empty;
  for (std::size_t c = 0; c < from.columns.size(); ++c) {
    const auto& source = from.columns[c];
    const auto& added = shared != nullptr ? shared->columns[c] : empty;
    auto& column = block.columns[c];
    column.layout = source.layout;
    column.missing_rank = source.missing_rank;
    column.has_missing = source.has_missing;
    if (source.layout == Layout::table) {
      column.code = added.code;
      column.code.resize(ids);
      for (std::size_t i = part.begin; i < part.end; ++i) {
        const std::uint32_t old = from.list[i].id();
        column.code[new_id[old]] = source.code[old];
      }
    } else {
      merge_order<Entry>(column, source, part, added, new_id);
    }
  }
  if (!from.list.empty()) {
    const std::vector<Entry> own = copy_list(from.list, part.begin, part.end, new_id);
    block.list.insert(block.list.end(), own.begin(), own.end());
  }
  return block;
}

template Cohort<EntryOf<std::uint32_t>> whole_cohort(const RankedTable&, const Target&,
                                                     const std::vector<std::uint32_t>&, double, bool, bool, int);
template Cohort<EntryOf<std::uint64_t>> whole_cohort(const RankedTable&, const Target&,
                                                     const std::vector<std::uint32_t>&, double, bool, bool, int);
template Cohort<EntryOf<std::uint32_t>> block_of(const Cohort<EntryOf<std::uint32_t>>&, std::size_t, std::size_t,
                                                 std::vector<std::uint32_t>&);
template Cohort<EntryOf<std::uint64_t>> block_of(const Cohort<EntryOf<std::uint64_t>>&, std::size_t, std::size_t,
                                                 std::vector<std::uint32_t>&);
template Cohort<EntryOf<std::uint32_t>> merged_block(const Cohort<EntryOf<std::uint32_t>>&, const Stretch&,
                                                     const Cohort<EntryOf<std::uint32_t>>*, double,
                                                     std::vector<std::uint32_t>&);
template Cohort<EntryOf<std::uint64_t>> merged_block(const Cohort<EntryOf<std::uint64_t>>&, const Stretch&,
                                                     const Cohort<EntryOf<std::uint64_t>>*, double,
                                                     std::vector<std::uint32_t>&);

}  // namespace bough
