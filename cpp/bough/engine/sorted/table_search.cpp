// Columns of few values: the statistics of each value in a table, and the best cut or set of its values.
#include <algorithm>
#include <numeric>
#include <span>

#include "bough/criterion/value_drop.hpp"
#include "bough/engine/sorted/column_query.hpp"
#include "bough/engine/sorted/scorers.hpp"

namespace bough {

// The table of the values present, whatever the layout, with the statistics of the rows that have one.
template <class Entry>
void ColumnSearch<Entry>::fill_table(Query& query) const {
  if (query.column.layout == Layout::table) {
    fill_table_from_codes(query);
    return;
  }
  const std::size_t known = query.cohort.known_in(query.column, query.node.begin, query.node.end);
  query.known = std::span<const Entry>(query.column.order.data() + query.node.begin, known);
  if (known < query.node.end - query.node.begin) count_known(query);
  fill_table_from_runs(query);
}

template <class Entry>
Candidate ColumnSearch<Entry>::by_levels_in_order(Query& query) const {
  fill_table_from_runs(query);
  return search_table(query);
}

// Adds one value to the table, from sums of sample weights by class or from {weight, sum}.
template <class Entry>
void ColumnSearch<Entry>::fill_table_from_runs(Query& query) const {
  const std::size_t classes = target_.classes;
  const double* scale = scales(query);
  ValueTable& table = query.scratch.table;
  table.clear(classes > 0 ? classes : SquaredDrop::kWidth);
  const std::uint32_t* rank = query.column.ties.rank;
  const auto code_at = [&](std::size_t i) {
    const std::uint32_t id = query.known[i].id();
    return rank != nullptr ? rank[id] : table_.columns[query.index].rank[query.cohort.row_of(id)];
  };
  for (std::size_t i = 0; i < query.known.size();) {
    const std::uint32_t code = code_at(i);
    const std::size_t begin = i;
    const std::size_t place = table.stat.size();
    table.stat.resize(place + table.width, 0.0);
    double* stat = table.stat.data() + place;
    double weight = 0.0;
    for (; i < query.known.size() && code_at(i) == code; ++i) {
      const std::uint32_t id = query.known[i].id();
      const double w = query.cohort.weight_of(id);
      weight += w;
      if (classes > 0) {
        stat[query.known[i].label()] += w;
      } else {
        stat[1] += w * query.cohort.value[id];
      }
    }
    if (classes > 0) {
      for (std::size_t k = 0; k < classes; ++k) stat[k] *= scale[k];
    } else {
      stat[0] = weight * query.unit;
      stat[1] *= query.unit;
    }
    table.code.push_back(code);
    table.rows.push_back(static_cast<double>(i - begin));
    table.weight.push_back(weight);
  }
}

// Adds the rows of the node to scratch.cells and scratch.code_rows by code; returns the codes that occur.
template <class Entry>
CodeSet ColumnSearch<Entry>::count_codes(Query& query, std::size_t slots, std::size_t width) const {
  const std::size_t classes = target_.classes;
  SearchScratch& scratch = query.scratch;
  if (scratch.cells.size() < slots * width) scratch.cells.resize(slots * width, 0.0);
  if (scratch.code_rows.size() < slots) scratch.code_rows.resize(slots, 0.0);
  const std::span<const Entry> list(query.cohort.list.data() + query.node.begin, query.node.end - query.node.begin);
  const std::uint8_t* code = query.column.code.data();
  CodeSet present;
  if (classes > 0 && query.weights() == nullptr) {
    // Whole counts, in two halves: neighbours often meet in one cell, and one would wait for the other.
    const std::size_t half = slots * classes;
    if (scratch.tally.size() < 2 * half) scratch.tally.resize(2 * half, 0);
    std::uint32_t* tally = scratch.tally.data();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::size_t c = code[list[i].id()];
      present.add(c);
      ++tally[(i & 1) * half + c * classes + list[i].label()];
    }
    present.for_each([&](std::size_t c) {
      for (std::size_t cell = c * classes; cell < (c + 1) * classes; ++cell) {
        const std::uint32_t count = tally[cell] + tally[half + cell];
        scratch.cells[cell] = count;
        scratch.code_rows[c] += count;
        tally[cell] = tally[half + cell] = 0;
      }
    });
    return present;
  }
  for (const Entry entry : list) {
    const std::size_t c = code[entry.id()];
    const double w = query.cohort.weight_of(entry.id());
    present.add(c);
    scratch.code_rows[c] += 1.0;
    double* cell = scratch.cells.data() + c * width;
    if (classes > 0) {
      cell[entry.label()] += w;
    } else {
      cell[0] += w;
      cell[1] += w * query.cohort.value[entry.id()];
    }
  }
  return present;
}

// Statistics by code, then the values present in ascending order.
template <class Entry>
void ColumnSearch<Entry>::fill_table_from_codes(Query& query) const {
  const std::size_t classes = target_.classes;
  const std::size_t width = classes > 0 ? classes : SquaredDrop::kWidth;
  const double* scale = scales(query);
  SearchScratch& scratch = query.scratch;
  const std::uint32_t missing = query.column.missing_rank;
  const CodeSet present = count_codes(query, static_cast<std::size_t>(missing) + 1, width);
  ValueTable& table = scratch.table;
  table.clear(width);
  NodeStats& stats = scratch.known;
  stats.rows = 0;
  stats.weight = stats.effective = 0.0;
  present.for_each([&](std::size_t c) {
    double* cell = scratch.cells.data() + c * width;
    if (c != missing) {
      double weight = classes > 0 ? 0.0 : cell[0];
      const std::size_t place = table.stat.size();
      table.stat.resize(place + width);
      for (std::size_t k = 0; k < width; ++k) {
        if (classes > 0) weight += cell[k];
        table.stat[place + k] = cell[k] * (classes > 0 ? scale[k] : query.unit);
        if (classes > 0) stats.effective += table.stat[place + k];
      }
      table.code.push_back(static_cast<std::uint32_t>(c));
      table.rows.push_back(scratch.code_rows[c]);
      table.weight.push_back(weight);
      stats.rows += static_cast<std::size_t>(scratch.code_rows[c]);
      stats.weight += weight;
      if (classes == 0) stats.effective += weight;
    }
    std::fill_n(cell, width, 0.0);
    scratch.code_rows[c] = 0.0;
  });
  if (classes > 0) stats.effective /= query.unit;
  query.stats = &stats;
}

template <class Entry>
Candidate ColumnSearch<Entry>::by_table(Query& query) const {
  if (query.weights() == nullptr && !scaled_ && target_.classes == 2 && options_.criterion == Criterion::gini &&
      query.kind != ColumnKind::nominal && !query.limits.constrained()) {
    return gini_two_table<false>(query);
  }
  return by_value_table(query);
}

// The rest, apart, so that the commonest case saves no registers for it.
template <class Entry>
Candidate ColumnSearch<Entry>::by_value_table(Query& query) const {
  if (!query.cohort.tag.empty() && !scaled_ && options_.criterion == Criterion::gini &&
      query.kind != ColumnKind::nominal && !query.limits.constrained() && query.limits.min_rows <= 1) {
    return gini_two_table<true>(query);
  }
  fill_table_from_codes(query);
  return search_table(query);
}

// The commonest case by far, without the detour over the value table: whole counts of two classes; Weighed: sums of
// small whole weights, with the bits and the rounding that the value table would give.
template <class Entry>
template <bool Weighed>
Candidate ColumnSearch<Entry>::gini_two_table(Query& query) const {
  const std::uint32_t missing = query.column.missing_rank;
  auto& tally = query.scratch.tally;
  const std::size_t slots = 2 * (static_cast<std::size_t>(missing) + 1);
  if (tally.size() < slots) tally.resize(slots, 0);
  CodeSet present;
  const std::uint8_t* code = query.column.code.data();
  for (std::size_t i = query.node.begin; i < query.node.end; ++i) {
    const Entry entry = query.cohort.list[i];
    const std::uint8_t c = code[entry.id()];
    present.add(c);
    if constexpr (Weighed) {
      const auto weight = static_cast<std::uint32_t>(query.cohort.tag[entry.id()] & kTagWeight);
      tally[2 * static_cast<std::size_t>(c) + entry.label()] += weight;
    } else {
      ++tally[2 * static_cast<std::size_t>(c) + entry.label()];
    }
  }
  std::size_t rows = Weighed ? static_cast<std::size_t>(query.node.stats->weight) : query.node.stats->rows;
  double ones = query.node.stats->counts[1];
  if (query.column.has_missing) {
    rows -= tally[2 * static_cast<std::size_t>(missing)] + tally[2 * static_cast<std::size_t>(missing) + 1];
    ones -= tally[2 * static_cast<std::size_t>(missing) + 1];
  }
  const auto all = static_cast<double>(rows);
  const double least = Weighed ? query.limits.min_weight : static_cast<double>(query.limits.min_rows);
  const double floor = Weighed ? 0.5 * all * all * query.floor() : 0.0;
  double low_rows = 0.0;
  double low_ones = 0.0;
  [[maybe_unused]] double best_ones = 0.0;
  double bar = query.limits.first_bar(floor);
  double best_score = 0.0;
  Cut best;
  std::size_t low_code = 0;
  std::size_t high_code = 0;
  std::size_t last = missing;
  double score_before = kNoCut;  // of the cut between `last` and the next value present
  present.for_each([&](std::size_t c) {
    if (c != missing) {
      if (score_before > bar && low_rows >= least && all - low_rows >= least) {
        best_score = score_before;
        bar = best_score * (1.0 + query.limits.tie);
        if constexpr (Weighed) {
          bar += 0.1 * floor;
          best_ones = low_ones;
        }
        best.position = 1;
        best.low_weight = low_rows;
        low_code = last;
        high_code = c;
      }
      low_ones += tally[2 * c + 1];
      low_rows += static_cast<double>(tally[2 * c]) + tally[2 * c + 1];
      const double d = low_ones * all - ones * low_rows;
      score_before = d * d / (low_rows * (all - low_rows));
      last = c;
    }
    tally[2 * c] = tally[2 * c + 1] = 0;
  });
  if (best.position == 0) return {};
  if constexpr (Weighed) {
    const double low[2] = {best.low_weight - best_ones, best_ones};
    const double high[2] = {all - ones - low[0], ones - best_ones};
    best.drop = GiniDrop{2}(low, high);
  } else {
    best.drop = 2.0 * best_score / (all * all);
  }
  query.scratch.known.weight = query.scratch.known.effective = all;
  query.stats = &query.scratch.known;
  const auto& sample = table_.columns[query.index].sample;
  return finish_cut(query, best, sample[low_code], sample[high_code]);
}

template <class Entry>
Candidate ColumnSearch<Entry>::search_table(Query& query) const {
  if (query.scratch.table.size() < 2) return {};
  if (query.kind == ColumnKind::nominal) return finish_subset(query, subset(query));
  const Cut cut = table_cut(query);
  if (cut.position == 0) return {};
  const auto& sample = table_.columns[query.index].sample;
  const auto& code = query.scratch.table.code;
  return finish_cut(query, cut, sample[code[cut.position - 1]], sample[code[cut.position]]);
}

template <class Entry>
Cut ColumnSearch<Entry>::table_cut(Query& query) const {
  SearchScratch& scratch = query.scratch;
  query.guard_sides(target_.growth_scale, query.weights() == nullptr && !scaled_);
  if (target_.classes == 0) {
    return cut_table(scratch.table, nullptr, SquaredDrop{}, query.limits, query.floor(), scratch.sides, Answers{true});
  }
  return with_class_drop(options_.criterion, target_.classes, xlogx_, symmetric_cost_.data(), [&](const auto& drop) {
    return cut_table(scratch.table, nullptr, drop, query.limits, query.floor(), scratch.sides, Answers{false});
  });
}

template <class Entry>
Subset ColumnSearch<Entry>::subset(Query& query) const {
  SearchScratch& scratch = query.scratch;
  const ValueTable& table = scratch.table;
  const double floor = query.floor();
  query.guard_sides(target_.growth_scale, query.weights() == nullptr && !scaled_);
  if (target_.classes == 0) {
    const std::vector<std::uint32_t> order = [&] {
      std::vector<std::uint32_t> by_mean(table.size());
      std::iota(by_mean.begin(), by_mean.end(), 0U);
      std::stable_sort(by_mean.begin(), by_mean.end(), [&](std::uint32_t a, std::uint32_t b) {
        return table.at(a)[1] / table.at(a)[0] < table.at(b)[1] / table.at(b)[0];
      });
      return by_mean;
    }();
    return subset_by_order(table, order, SquaredDrop{}, query.limits, floor, options_.subsets, scratch.sides,
                           Answers{true});
  }
  return with_class_drop(options_.criterion, target_.classes, xlogx_, symmetric_cost_.data(), [&](const auto& drop) {
    if (target_.classes <= 2) {
      const std::vector<std::uint32_t> order = order_by_share(table, 0, table.width);
      return subset_by_order(table, order, drop, query.limits, floor, options_.subsets, scratch.sides, Answers{false});
    }
    // Under minima the best admissible set need not be a cut of any superclass order, so few levels are searched
    // completely, and all of them on request or where the superclasses are too many to be tried.
    const bool all = options_.subsets == SubsetRule::all ||
                     (options_.subsets == SubsetRule::exact && target_.classes > kSuperclassed) ||
                     (options_.subsets != SubsetRule::heuristic && table.size() <= kExactLevels);
    if (options_.criterion == Criterion::twoing && !all)
      return subset_by_superclasses(table, options_.twoing, query.limits, floor, scratch.sides);
    return subset_by_classes(table, drop, query.limits, floor, options_.subsets, scratch.sides);
  });
}

template void ColumnSearch<EntryOf<std::uint32_t>>::fill_table(Query&) const;
template void ColumnSearch<EntryOf<std::uint64_t>>::fill_table(Query&) const;
template void ColumnSearch<EntryOf<std::uint32_t>>::fill_table_from_runs(Query&) const;
template void ColumnSearch<EntryOf<std::uint64_t>>::fill_table_from_runs(Query&) const;
template void ColumnSearch<EntryOf<std::uint32_t>>::fill_table_from_codes(Query&) const;
template void ColumnSearch<EntryOf<std::uint64_t>>::fill_table_from_codes(Query&) const;
template Candidate ColumnSearch<EntryOf<std::uint32_t>>::by_levels_in_order(Query&) const;
template Candidate ColumnSearch<EntryOf<std::uint64_t>>::by_levels_in_order(Query&) const;
template Candidate ColumnSearch<EntryOf<std::uint32_t>>::by_table(Query&) const;
template Candidate ColumnSearch<EntryOf<std::uint64_t>>::by_table(Query&) const;

}  // namespace bough
