#include "bough/table/distinct.hpp"

#include <bit>
#include <limits>

#include "bough/base/parallel.hpp"

namespace bough {
namespace {

// Halfway between two values, the lower one if rounding would reach the upper.
double middle_of(double low, double high) {
  const double middle = low + high;
  const double half = middle / 2.0;
  return half >= high ? low : half;
}

}  // namespace

double value_as_double(const ColumnView& column, std::size_t row) {
  const std::uint64_t bits = column.value_bits(row);
  switch (column.value_type()) {
    case ValueType::f64:
      return std::bit_cast<double>(bits);
    case ValueType::i64:
      return static_cast<double>(std::bit_cast<std::int64_t>(bits));
    case ValueType::u64:
      break;
  }
  return static_cast<double>(bits);
}

DistinctRows::DistinctRows(const RankedTable& table, int threads) : row_(table.columns.size()) {
  parallel_for(table.columns.size(), threads, [&](std::size_t c, int) {
    const RankedColumn& column = table.columns[c];
    if (column.view.kind != ColumnKind::numeric) return;
    row_[c].resize(column.ranks);
    for (std::size_t row = 0; row < column.rank.size(); ++row) {
      if (!column.is_missing(row)) row_[c][column.rank[row]] = static_cast<std::uint32_t>(row);
    }
  });
}

std::uint32_t DistinctRows::last_up_to_middle(const RankedTable& table, std::size_t column, std::uint32_t low_row,
                                              std::uint32_t high_row) const {
  const RankedColumn& ranked = table.columns[column];
  const double middle = middle_of(value_as_double(ranked.view, low_row), value_as_double(ranked.view, high_row));
  std::uint32_t low = ranked.rank[low_row];    // not above the middle
  std::uint32_t high = ranked.rank[high_row];  // above it, or taken for it
  while (high - low > 1) {
    const std::uint32_t between = low + (high - low) / 2;
    (value_as_double(ranked.view, row_[column][between]) <= middle ? low : high) = between;
  }
  return row_[column][low];
}

std::vector<std::uint8_t> DistinctRows::have_closer(const RankedTable& table, double gap) const {
  std::vector<std::uint8_t> close(row_.size(), 0);
  for (std::size_t c = 0; gap > 0.0 && c < row_.size(); ++c) close[c] = has_closer(table, c, gap) ? 1 : 0;
  return close;
}

bool DistinctRows::has_closer(const RankedTable& table, std::size_t column, double gap) const {
  const ColumnView& view = table.columns[column].view;
  double last = -std::numeric_limits<double>::infinity();
  for (const std::uint32_t row : row_[column]) {
    const double value = value_as_double(view, row);
    if (last + gap >= value) return true;
    last = value;
  }
  return false;
}

}  // namespace bough
