// One row of a table as features read it. A reader of rows says of a column
//   state(c, nominal)   State::known, missing or unseen; the others are asked only of known values;
//   is_low(c, t)        whether the value is on the low side of a threshold;
//   code(c)             which level it is;
//   number(c, origin)   the value less the origin, or the code of an ordered level.
// Two number systems are enough: values as a caller hands them over, and the ranks of a table that trees grow on.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>

#include "bough/base/error.hpp"
#include "bough/feature/linear.hpp"
#include "bough/feature/state.hpp"
#include "bough/split/low_key.hpp"
#include "bough/table/keys.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// A value as a term of a sum. Dates and large integers lose no digit that the difference to the origin has.
[[nodiscard]] double number_at(const ColumnView& column, std::int64_t row, std::int64_t origin);

// A column that is nominal or is not, as a test was grown on; throws InvalidInput if the table has no such column.
// Asked for every row at many nodes: words are made only where something is wrong.
[[nodiscard]] inline const ColumnView& column_of_kind(std::span<const ColumnView> columns, std::int32_t column,
                                                      bool nominal) {
  const auto c = static_cast<std::size_t>(column);
  if (c >= columns.size()) {
    throw InvalidInput("columns", "the tree asks column " + std::to_string(column) + " of a table with " +
                                      std::to_string(columns.size()) + " columns");
  }
  if (nominal != (columns[c].kind == ColumnKind::nominal)) {
    throw InvalidInput("columns", "column " + std::to_string(column) + " is of another kind than in training");
  }
  return columns[c];
}

// Throws InvalidInput if a list of terms or properties cannot be asked of these columns: nominal where it gives a code.
template <class Lists>
void check_fit(std::span<const ColumnView> columns, const Lists& lists, std::int64_t list) {
  for (std::int64_t t = lists.begin[list]; t < lists.begin[list + 1]; ++t)
    (void)column_of_kind(columns, lists.column[t], lists.code[t] >= 0);
}

// The same of a sum, whose terms may be products.
inline void check_fit_of_sum(std::span<const ColumnView> columns, const TermLists& sums, std::int64_t list) {
  check_fit(columns, sums, list);
  for (std::int64_t t = sums.begin[list]; t < sums.begin[list + 1]; ++t) {
    if (sums.is_product(static_cast<std::size_t>(t)))
      (void)column_of_kind(columns, sums.other[t], sums.other_code[t] >= 0);
  }
}

// Values.
class ValueRow {
 public:
  // Levels never seen in training may count as missing.
  ValueRow(std::span<const ColumnView> columns, std::int64_t row, bool unseen_is_missing)
      : columns_(columns), row_(row), unseen_(unseen_is_missing ? State::missing : State::unseen) {}

  [[nodiscard]] std::int32_t state(std::int32_t column, bool nominal) const {
    const ColumnView& view = column_of_kind(columns_, column, nominal);
    if (view.kind != ColumnKind::numeric) {
      const auto code = cell<std::int32_t>(view, row_);
      if (code >= 0) return State::known;
      return code == -1 ? State::missing : unseen_;
    }
    if (is_masked(view, row_)) return State::missing;
    if (view.type == ColumnView::Type::f64) return std::isnan(cell<double>(view, row_)) ? State::missing : State::known;
    if (view.type == ColumnView::Type::f32) return std::isnan(cell<float>(view, row_)) ? State::missing : State::known;
    return State::known;
  }
  [[nodiscard]] bool is_low(std::int32_t column, const Threshold& threshold) const {
    return goes_low(columns_[column], row_, threshold);
  }
  [[nodiscard]] std::int32_t code(std::int32_t column) const { return cell<std::int32_t>(columns_[column], row_); }
  [[nodiscard]] double number(std::int32_t column, std::int64_t origin) const {
    return number_at(columns_[column], row_, origin);
  }

 private:
  std::span<const ColumnView> columns_;
  std::int64_t row_;
  std::int32_t unseen_;
};

// Ranks: thresholds are the last rank that goes low (split/in_ranks.hpp), the codes of levels are ranks.
class RankRow {
 public:
  RankRow(const RankedTable& table, std::size_t row) : columns_(table.columns.data()), row_(row) {}

  [[nodiscard]] std::int32_t state(std::int32_t column, bool /*nominal*/) const {
    return columns_[column].is_missing(row_) ? State::missing : State::known;
  }
  [[nodiscard]] bool is_low(std::int32_t column, const Threshold& threshold) const {
    return std::int64_t{columns_[column].rank[row_]} <= threshold.as_i64();
  }
  [[nodiscard]] std::int32_t code(std::int32_t column) const {
    return static_cast<std::int32_t>(columns_[column].rank[row_]);
  }
  [[nodiscard]] double number(std::int32_t column, std::int64_t origin) const {
    return number_at(columns_[column].view, static_cast<std::int64_t>(row_), origin);
  }

 private:
  const RankedColumn* columns_;
  std::size_t row_;
};

}  // namespace bough
