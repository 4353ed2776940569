// Criteria whose statistics cannot be subtracted, absolute and worst error: one pass from each end (two_pass.hpp).
#include <algorithm>
#include <numeric>
#include <span>

#include "bough/engine/sorted/column_query.hpp"
#include "bough/search/two_pass.hpp"

namespace bough {

template <class Entry>
Candidate ColumnSearch<Entry>::two_passes(Query& query) const {
  const std::size_t size = query.node.end - query.node.begin;
  const double* value = query.cohort.value.data();
  const std::uint32_t* rank = query.cohort.value_rank.data();
  if (options_.criterion == Criterion::absolute_error) {
    return two_passes_of(query, AbsoluteSide(size, value, rank, query.weights(), query.node.stats->value));
  }
  return two_passes_of(query, WorstSide(size, value, rank, query.weights(), query.node.stats->value));
}

template <class Entry>
template <class OneSide>
Candidate ColumnSearch<Entry>::two_passes_of(Query& query, OneSide side) const {
  if (query.kind == ColumnKind::nominal) return level_two_passes(query, std::move(side));
  const auto may_cut = [&](std::size_t i) { return !query.column.ties(query.known[i - 1].id(), query.known[i].id()); };
  const Cut cut = scan_two_passes(query.known, side, query.limits, query.scratch.work, may_cut);
  return finish_position(query, cut);
}

// Sets of levels for criteria without subtraction: every set where that is little work, else cuts of the levels in the
// order of their answers (median or mean), which is a heuristic here.
template <class Entry>
template <class OneSide>
Candidate ColumnSearch<Entry>::level_two_passes(Query& query, OneSide side) const {
  constexpr bool kAbsolute = std::is_same_v<OneSide, AbsoluteSide>;
  fill_table_from_runs(query);
  const ValueTable& table = query.scratch.table;
  const std::size_t levels = table.size();
  if (levels < 2) return {};
  std::vector<std::size_t> begin(levels + 1, 0);
  for (std::size_t v = 0; v < levels; ++v) begin[v + 1] = begin[v] + static_cast<std::size_t>(table.rows[v]);
  std::vector<double> answer(levels);
  std::vector<double> worst(levels * WorstDrop::kWidth);
  for (std::size_t v = 0; v < levels; ++v) {
    if constexpr (kAbsolute) {
      std::vector<std::uint32_t> ids;
      for (std::size_t i = begin[v]; i < begin[v + 1]; ++i) ids.push_back(query.known[i].id());
      answer[v] = side.answer_of(ids);
    } else {
      side.reset();
      for (std::size_t i = begin[v]; i < begin[v + 1]; ++i) side.add(query.known[i].id());
      answer[v] = side.answer();
      std::copy_n(side.stat(), WorstDrop::kWidth, worst.begin() + static_cast<std::ptrdiff_t>(v * WorstDrop::kWidth));
    }
  }
  side.reset();
  for (const Entry entry : query.known) side.add(entry.id());
  const double node = side.cost();
  const double mass = side.mass();

  const bool little = levels <= kExactLevels &&
                      (!kAbsolute || (std::size_t{1} << (levels - 1)) * query.known.size() <= (std::size_t{1} << 24));
  if (options_.subsets == SubsetRule::exact || options_.subsets == SubsetRule::all ||
      (options_.subsets == SubsetRule::automatic && little)) {
    TwoSides& sides = query.scratch.sides;
    sides.start(table);
    OneSide other = side;  // starts with all rows; `side` becomes the low one
    side.reset();
    const Subset subset = enumerate_subsets(
        levels, query.limits, as_drop(side, 1e-13 * node, mass),
        [&](const std::vector<std::uint8_t>& low, std::size_t moved) {
          sides.move(table, moved, low[moved] != 0 ? 0 : 1);
          double cost = 0.0;
          if constexpr (kAbsolute) {
            const double sign = low[moved] != 0 ? 1.0 : -1.0;
            query.limits.poll(begin[moved + 1] - begin[moved]);
            for (std::size_t i = begin[moved]; i < begin[moved + 1]; ++i) {
              side.add(query.known[i].id(), sign);
              other.add(query.known[i].id(), -sign);
            }
            if (!sides.admissible(query.limits)) return kNoCut;
            if (query.limits.constrained() && !query.limits.allows(side.answer(), other.answer())) return kNoCut;
            cost = side.cost() + other.cost();
          } else {
            if (!sides.admissible(query.limits)) return kNoCut;
            double stat[2][WorstDrop::kWidth] = {{0.0, 0.0, 1e308, -1e308}, {0.0, 0.0, 1e308, -1e308}};
            for (std::size_t v = 0; v < levels; ++v)
              WorstDrop::merge(stat[low[v] != 0 ? 0 : 1], worst.data() + v * WorstDrop::kWidth);
            cost = std::max(WorstDrop::worst(stat[0]), WorstDrop::worst(stat[1]));
          }
          return as_drop(side, node - cost, mass);
        },
        [](std::uint64_t) { return true; });
    return finish_subset(query, subset);
  }
  std::vector<std::uint32_t> order(levels);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return answer[a] < answer[b]; });
  std::vector<Entry> entries;
  std::vector<std::size_t> levels_before(query.known.size() + 1, 0);  // at a boundary: the number of levels before it
  for (std::size_t place = 0; place < levels; ++place) {
    levels_before[entries.size()] = place;
    const auto first = query.known.begin() + static_cast<std::ptrdiff_t>(begin[order[place]]);
    entries.insert(entries.end(), first, query.known.begin() + static_cast<std::ptrdiff_t>(begin[order[place] + 1]));
  }
  Cut cut = scan_two_passes(std::span<const Entry>(entries), side, query.limits, query.scratch.work,
                            [&](std::size_t i) { return levels_before[i] != 0; });
  cut.position = levels_before[cut.position];
  return finish_subset(query,
                       subset_of_cut(table, order.data(), cut, kAbsolute ? Found::median_order : Found::mean_order));
}

template Candidate ColumnSearch<EntryOf<std::uint32_t>>::two_passes(Query&) const;
template Candidate ColumnSearch<EntryOf<std::uint64_t>>::two_passes(Query&) const;

}  // namespace bough
