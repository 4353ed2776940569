// Tests where rounding decides between equals: sums carried from candidate to candidate (carried.hpp).
#include <algorithm>

#include "bough/engine/sorted/carried.hpp"
#include "bough/engine/sorted/column_query.hpp"

namespace bough {

// None where too many levels ask for a heuristic, which has no carried sums.
template <class Entry>
std::optional<Candidate> ColumnSearch<Entry>::by_carried_sums(Query& query) const {
  const RankedColumn& ranked = table_.columns[query.index];
  const NodeRange& node = query.node;
  const std::vector<Entry>& order = query.column.layout == Layout::table ? query.cohort.list : query.column.order;
  std::vector<CarriedRow> rows;
  for (std::size_t i = node.begin; i < node.end; ++i) {
    const std::uint32_t row = query.cohort.row_of(order[i].id());
    if (ranked.is_missing(row)) continue;
    const double y = target_.classes > 0 ? 0.0 : target_.value[row];
    rows.push_back({row, ranked.rank[row], order[i].label(), y, query.cohort.weight_of(order[i].id())});
  }
  const bool nominal = query.kind == ColumnKind::nominal;
  if (nominal && target_.classes > 2 && options_.subsets != SubsetRule::exact && options_.subsets != SubsetRule::all) {
    std::vector<std::uint32_t> codes;
    for (const CarriedRow& row : rows) {
      if (std::find(codes.begin(), codes.end(), row.value) == codes.end()) codes.push_back(row.value);
      if (codes.size() > kExactLevels || options_.subsets == SubsetRule::heuristic) return std::nullopt;
    }
  }
  CarriedSplit split;
  if (nominal) {
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    split = carried_subset(rows, ranked.ranks, target_, options_.criterion, query.limits);
  } else {
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    split = carried_cut(rows, target_, options_.criterion, query.limits);
  }
  if (!split.any) return Candidate{};

  NodeStats& met = query.scratch.known;
  met.weight = met.effective = 0.0;
  for (const CarriedRow& row : rows) {
    met.weight += row.weight;
    met.effective += row.weight * (target_.classes > 0 ? target_.growth_scale[row.label] : 1.0);
  }
  Cut cut;
  cut.drop = std::max(0.0, split.gain) / (met.effective * carried_unit(options_.criterion));
  if (!options_.zero_gain && !(cut.drop > 1e-12 * node.stats->impurity)) return Candidate{};
  Candidate candidate;
  if (nominal) {
    candidate = of_cut(query.index, node, met, cut, 0, 0);
    candidate.found = target_.classes > 2 ? Found::exact : Found::ordered;
    candidate.levels = std::make_unique<LevelSet>();
    candidate.levels->code = std::move(split.code);
    candidate.levels->low = std::move(split.first);
  } else {
    for (std::size_t i = 0; i < split.position; ++i) cut.low_weight += rows[i].weight;
    candidate = of_cut(query.index, node, met, cut, rows[split.position - 1].row, rows[split.position].row);
    candidate.position = static_cast<std::uint32_t>(split.position);
  }
  // What candidates compete by keeps its last bits.
  const double known = options_.discount_missing ? 1.0 : node.stats->effective / met.effective;
  candidate.worth = worth(split.gain * known, query.index);
  candidate.low_branch = split.first_is_left ? 0 : 1;
  return candidate;
}

template std::optional<Candidate> ColumnSearch<EntryOf<std::uint32_t>>::by_carried_sums(Query&) const;
template std::optional<Candidate> ColumnSearch<EntryOf<std::uint64_t>>::by_carried_sums(Query&) const;

}  // namespace bough
