// Rows in the order of the values of a column, those without a value at last: for scans that see all cuts of a column,
// or all levels, one after the other. Counted where the ranks are few, sorted where the rows are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bough/table/ranked.hpp"

namespace bough {

class RowsByRank {
 public:
  RowsByRank(const std::vector<std::uint32_t>& rows, const RankedColumn& column) : rank_(column.rank.data()) {
    if (column.ranks <= 2 * rows.size() + 256) {
      std::vector<std::uint32_t> begin(static_cast<std::size_t>(column.ranks) + 2);
      for (const std::uint32_t row : rows) ++begin[rank_[row] + 1];
      for (std::size_t rank = 1; rank < begin.size(); ++rank) begin[rank] += begin[rank - 1];
      known_ = begin[column.ranks];
      rows_.resize(rows.size());
      for (const std::uint32_t row : rows) rows_[begin[rank_[row]]++] = row;
      return;
    }
    std::vector<std::uint64_t> keys;
    keys.reserve(rows.size());
    for (const std::uint32_t row : rows) keys.push_back((static_cast<std::uint64_t>(rank_[row]) << 32U) | row);
    std::ranges::sort(keys);
    rows_.reserve(rows.size());
    for (const std::uint64_t key : keys) rows_.push_back(static_cast<std::uint32_t>(key));
    const auto missing = [&](std::uint32_t row) { return rank_[row] == column.ranks; };
    known_ = static_cast<std::size_t>(std::ranges::find_if(rows_, missing) - rows_.begin());
  }

  [[nodiscard]] std::size_t known() const { return known_; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] std::uint32_t row(std::size_t at) const { return rows_[at]; }
  [[nodiscard]] std::uint32_t rank(std::size_t at) const { return rank_[rows_[at]]; }
  // Whether a value ends behind this place.
  [[nodiscard]] bool ends(std::size_t at) const { return at + 1 == known_ || rank(at) != rank(at + 1); }

 private:
  const std::uint32_t* rank_;
  std::vector<std::uint32_t> rows_;
  std::size_t known_ = 0;
};

}  // namespace bough
