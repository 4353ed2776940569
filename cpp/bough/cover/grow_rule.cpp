// See grow_rule.hpp.
#include "bough/cover/grow_rule.hpp"

#include "bough/cover/fuzzy.hpp"

namespace bough {
namespace {

template <class Count>
void keep(CoveredRows<Count>& rows, const Condition& condition, const RankedTable& table) {
  rows.sum = Count();
  with_test(condition, table, [&](const auto& holds) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows.row.size(); ++i) {
      const std::uint32_t row = rows.row[i];
      const Count count = rows.count[i];
      if (!holds(row)) continue;
      rows.row[kept] = row;
      rows.count[kept++] = count;
      rows.sum += count;
    }
    rows.row.resize(kept);
    rows.count.resize(kept);
  });
}

// Whether negative rows are covered, or too few to matter: the share that gains are measured by is 1.
template <class Count>
bool is_mixed(const Count& sum, RuleGain gain) {
  const auto p = static_cast<double>(sum.positive());
  const auto t = static_cast<double>(sum.total());
  if (gain == RuleGain::laplace) return fuzzy::below((p + 1.0) / (t + 1.0), 1.0);
  return fuzzy::below(p, t);
}

}  // namespace

template <class Count>
Growth grow_rule(std::vector<Condition>& conditions, CoveredRows<Count> rows, const CoverOptions& options,
                 const RankedTable& table, LiteralSearch<Count>& search, Edges& edges, Watch& watch) {
  Growth growth;
  while (!rows.row.empty() && conditions.size() < options.max_literals && is_mixed(rows.sum, options.gain)) {
    const FoundLiteral found = search.best(rows, conditions, watch);
    if (found.column < 0 || fuzzy::below(found.positive, options.min_positive)) break;
    conditions.push_back(edges.condition(found));
    keep(rows, conditions.back(), table);
    growth.push_back({static_cast<double>(rows.sum.positive()), static_cast<double>(rows.sum.total())});
  }
  return growth;
}

template Growth grow_rule(std::vector<Condition>&, CoveredRows<WholeCount>, const CoverOptions&, const RankedTable&,
                          LiteralSearch<WholeCount>&, Edges&, Watch&);
template Growth grow_rule(std::vector<Condition>&, CoveredRows<RealCount>, const CoverOptions&, const RankedTable&,
                          LiteralSearch<RealCount>&, Edges&, Watch&);

}  // namespace bough
