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
  // Whether the column has two different values that are not more than `gap` apart.
  [[nodiscard]] bool has_closer(const RankedTable& table, std::size_t column, double gap) const;

 private:
  std::vector<std::vector<std::uint32_t>> row_;  // by column and rank; empty for coded columns
};

}  // namespace bough
