// A tile: the cells of 64 rows as keys, column by column, with a bit a row for what is known of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/feature/linear.hpp"
#include "bough/table/keys.hpp"

namespace bough {

// What a level that no training row had counts as: a missing value, or a level that no literal names.
enum class Unseen : std::uint8_t { missing = 0, other = 1 };

class Tile {
 public:
  static constexpr std::int64_t lanes = 64;

  // `columns` are all of the table, `used` those that have a place in the tile.
  Tile(std::span<const ColumnView> columns, std::span<const std::int32_t> used, Unseen unseen);

  // Turns to the rows from `begin` on, at most 64 of them. Columns are read when they are first asked.
  void turn_to(std::int64_t begin, std::int64_t rows);

  [[nodiscard]] std::uint64_t all() const { return all_; }

  struct Cells {
    const std::int64_t* keys;
    std::uint64_t known;  // has a value that training knows
    std::uint64_t other;  // has a level that no literal names
  };
  [[nodiscard]] Cells cells(std::uint32_t slot) const;
  [[nodiscard]] Sum sum(const TermLists& sums, std::int64_t list, std::int64_t lane) const;

 private:
  void read(std::uint32_t slot) const;

  std::span<const ColumnView> columns_;
  std::span<const std::int32_t> used_;
  Unseen unseen_;
  std::int64_t begin_ = 0;
  std::int64_t rows_ = 0;
  std::uint64_t all_ = 0;
  mutable std::vector<std::int64_t> keys_;
  mutable std::vector<std::uint64_t> known_;
  mutable std::vector<std::uint64_t> other_;
  mutable std::vector<std::int64_t> read_;  // for which rows a column was read
};

}  // namespace bough
