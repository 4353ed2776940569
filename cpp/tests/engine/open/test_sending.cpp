// Candidates read rows as branch_of reads the splits that they become.
#include "bough/engine/open/sending.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "bough/feature/row.hpp"
#include "bough/split/branch_of.hpp"
#include "table/views.hpp"

namespace bough::testing {

TEST_CASE("cuts, intervals and sets send rows as the splits that are written for them") {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> number = {2.0, -1.0, unknown, 0.5, 7.0, 0.5, 3.0};
  const std::vector<std::int32_t> code = {0, 2, 1, -1, 3, 2, 0};
  const std::vector<ColumnView> columns = {view(number), view(code)};
  RankedTable table;
  table.rows = number.size();
  for (const ColumnView& column : columns) table.columns.push_back(rank_column(column, table.rows, 4, nullptr));
  const auto at = [](double t) { return std::bit_cast<std::uint64_t>(t); };

  const auto agree = [&](const Candidate& candidate, const SplitPool& split) {
    const TestReader reader(table, candidate);
    for (std::size_t row = 0; row < table.rows; ++row) {
      CAPTURE(row);
      CHECK(reader(row) == branch_of(split, 0, ValueRow(columns, static_cast<std::int64_t>(row), true)));
    }
  };
  SplitPool split;
  split.column = {0};
  split.side = {Side::le};
  split.low = {0};
  split.value_type = {ValueType::f64};

  Candidate cut;
  cut.column = 0;
  cut.low_row = 3;
  cut.high_row = 0;
  split.kind = {SplitKind::threshold};
  split.payload = {at(1.25)};
  agree(cut, split);

  Candidate intervals;
  intervals.column = 0;
  intervals.open = std::make_unique<OpenTest>();
  intervals.open->edge_rows = {{1, 3}, {0, 6}};
  intervals.open->branch = {1, 0, 2};
  split.kind = {SplitKind::intervals};
  split.payload = {0};
  split.edge_begin = {0, 2};
  split.edge_type = {ValueType::f64, ValueType::f64};
  split.edge_bits = {at(-0.25), at(2.5)};
  split.interval_branch = {1, 0, 2};
  agree(intervals, split);
  intervals.open->fixed = {{at(-0.25), ValueType::f64, Side::le}, {at(2.5), ValueType::f64, Side::le}};
  agree(intervals, split);

  Candidate sets;
  sets.column = 1;
  sets.levels = std::make_unique<LevelSet>(LevelSet{{0, 2}, {}, {1, 0}, 2});
  split.column = {1};
  split.kind = {SplitKind::levels};
  split.set_begin = {0, 2};
  split.set_code = {0, 2};
  split.set_branch = {1, 0};
  agree(sets, split);
}

}  // namespace bough::testing
