// See edges.hpp.
#include "bough/cover/edges.hpp"

#include <bit>
#include <memory>
#include <utility>

#include "bough/split/low_key.hpp"
#include "bough/split/threshold.hpp"

namespace bough {

Condition Edges::condition(const FoundLiteral& found) {
  Condition made;
  made.form = found.form;
  made.column = found.column;
  made.first = made.last = found.low;
  if (found.form == Form::one_of) {
    RowSet set(table_.columns[found.column].ranks + std::size_t{1}, found.codes);
    made.set = std::make_shared<const RowSet>(std::move(set));
  }
  if (found.form == Form::at_most || found.form == Form::above) set_edge(made, found);
  return made;
}

void Edges::set_edge(Condition& condition, const FoundLiteral& found) {
  const RankedColumn& column = table_.columns[found.column];
  const bool top = found.form == Form::at_most;
  std::uint32_t up_to = top ? found.low : found.high - 1;  // the last rank below the cut
  const bool ordered = column.view.kind == ColumnKind::ordered;
  if (cut_at_ == CutAt::data_value) {
    const std::uint32_t at = top ? found.low : found.high;
    condition.edge = ordered ? Threshold{at, ValueType::i64}
                             : Threshold{column.view.value_bits(row_of(found.column, at)), column.view.value_type()};
  } else if (ordered) {
    up_to = (found.low + found.high) / 2;  // levels between the two go to the nearer end
    condition.edge = {up_to, ValueType::i64};
    condition.closed = false;
  } else {
    condition.edge = threshold_between(column.view, row_of(found.column, found.low), row_of(found.column, found.high),
                                       0.5, CutRule::midpoint, Side::le);
    condition.closed = false;
    const std::int64_t last = last_low_key(condition.edge, family_of(column.view.type)).value_or(unknown_key);
    std::uint32_t high = found.high;
    up_to = found.low;
    while (high - up_to > 1) {
      const std::uint32_t between = up_to + (high - up_to) / 2;
      const auto row = static_cast<std::int64_t>(row_of(found.column, between));
      (key_at(column.view, row) <= last ? up_to : high) = between;
    }
  }
  condition.first = top ? 0 : up_to + 1;
  condition.last = top ? up_to : column.ranks - 1;
}

std::uint32_t Edges::row_of(std::int32_t column, std::uint32_t rank) {
  std::vector<std::uint32_t>& rows = row_of_[column];
  if (rows.empty()) {
    const RankedColumn& ranked = table_.columns[column];
    rows.resize(ranked.ranks + std::size_t{1});
    for (std::size_t row = table_.rows; row-- > 0;) rows[ranked.rank[row]] = static_cast<std::uint32_t>(row);
  }
  return rows[rank];
}

}  // namespace bough
