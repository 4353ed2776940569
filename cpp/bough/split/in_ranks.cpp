// See in_ranks.hpp.
#include "bough/split/in_ranks.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "bough/split/low_key.hpp"
#include "bough/table/keys.hpp"

namespace bough {
namespace {

std::vector<std::uint32_t> rows_of_ranks(const RankedColumn& column) {
  std::vector<std::uint32_t> rows(column.ranks + std::size_t{1}, 0);
  for (std::size_t row = 0; row < column.rank.size(); ++row) rows[column.rank[row]] = static_cast<std::uint32_t>(row);
  return rows;
}

}  // namespace

Threshold at_rank(std::int64_t last_low) { return {std::bit_cast<std::uint64_t>(last_low), ValueType::i64, Side::le}; }

std::uint32_t RankCuts::low_ranks(std::int32_t column, const Threshold& threshold) {
  const RankedColumn& ranked = table_.columns[static_cast<std::size_t>(column)];
  const std::optional<std::int64_t> last = last_low_key(threshold, family_of(ranked.view.type));
  if (!last) return 0;
  if (ranked.view.kind == ColumnKind::ordered) {  // codes are ranks, also those that no row holds
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(*last, -1, std::int64_t{ranked.ranks} - 1) + 1);
  }
  std::vector<std::uint32_t>& rows = samples_[static_cast<std::size_t>(column)];
  if (rows.empty()) rows = rows_of_ranks(ranked);
  const auto low = std::partition_point(rows.begin(), rows.begin() + ranked.ranks,
                                        [&](std::uint32_t row) { return key_at(ranked.view, row) <= *last; });
  return static_cast<std::uint32_t>(low - rows.begin());
}

Threshold RankCuts::in_ranks(std::int32_t column, const Threshold& threshold) {
  return at_rank(std::int64_t{low_ranks(column, threshold)} - 1);
}

SplitPool RankCuts::in_ranks(SplitPool pool) {
  for (std::int64_t s = 0; s < pool.size(); ++s) {
    if (pool.role[s] == SplitRole::competitor || pool.feature(s) == Feature::sum) continue;
    if (pool.kind[s] == SplitKind::holds) {
      const std::uint64_t list = pool.payload[s];
      for (std::int64_t t = pool.terms.begin[list]; t < pool.terms.begin[list + 1]; ++t) {
        const Property asked = pool.terms.at(t);
        if (asked.asks_level()) continue;
        const Threshold cut = in_ranks(asked.column, asked.threshold);
        pool.terms.bits[t] = cut.bits;
        pool.terms.type[t] = cut.type;
        pool.terms.side[t] = cut.side;
      }
    } else if (pool.kind[s] == SplitKind::threshold) {
      const Threshold cut = in_ranks(pool.column[s], {pool.payload[s], pool.value_type[s], pool.side[s]});
      pool.payload[s] = cut.bits;
      pool.value_type[s] = cut.type;
      pool.side[s] = cut.side;
    } else if (pool.kind[s] == SplitKind::intervals) {
      const std::uint64_t list = pool.payload[s];
      for (std::int64_t e = pool.edge_begin[list]; e < pool.edge_begin[list + 1]; ++e) {
        const Threshold edge = in_ranks(pool.column[s], {pool.edge_bits[e], pool.edge_type[e], pool.side[s]});
        pool.edge_bits[e] = edge.bits;
        pool.edge_type[e] = edge.type;
      }
      pool.side[s] = Side::le;
    }
  }
  return pool;
}

}  // namespace bough
