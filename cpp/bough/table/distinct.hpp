// For each numeric column a row for every distinct value, in ascending order: made only where a growth asks for values
// that are not in the node at hand, because it costs as much memory as the ranks of a column without ties.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/table/ranked.hpp"

namespace bough {

// The value of a row of a numeric column as a double, rounded where a 64-bit integer does not fit.
double value_as_double(const ColumnView& column, std::size_t row);

class DistinctRows {
 public:
  DistinctRows(const RankedTable& table, int threads);

  // The row of the largest value of the column that is not above the middle of two of its values.
  [[nodiscard]] std::uint32_t last_up_to_middle(const RankedTable& table, std::size_t column, std::uint32_t low_row,
                                                std::uint32_t high_row) const;
  // By column, not 0 where two different values are not more than `gap` apart; a gap of 0 asks for nothing.
  [[nodiscard]] std::vector<std::uint8_t> have_closer(const RankedTable& table, double gap) const;
  // A row of a numeric column that holds the value of this rank.
  [[nodiscard]] std::uint32_t row_of(std::size_t column, std::uint32_t rank) const { return row_[column][rank]; }

 private:
  [[nodiscard]] bool has_closer(const RankedTable& table, std::size_t column, double gap) const;

  std::vector<std::vector<std::uint32_t>> row_;  // by column and rank; empty for coded columns
};

}  // namespace bough
