// Rules asked of the rows of a table: which of them cover a row, and which is the first that does.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/literal.hpp"
#include "bough/cover/rules.hpp"
#include "bough/cover/tile.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// Rules made ready for one table, both of which must outlive it. Throws InvalidInput where a literal does not fit.
class RuleCovers {
 public:
  RuleCovers(const Rules& rules, std::span<const ColumnView> columns, Unseen unseen);

  [[nodiscard]] Tile tile() const { return {columns_, used_, unseen_}; }
  // The rows of a tile, among `asked`, that a rule covers.
  [[nodiscard]] std::uint64_t covered(std::int64_t rule, const Tile& tile, std::uint64_t asked) const;

 private:
  void add(std::int64_t i, std::int64_t& sum);
  void add_codes(Literal& literal, std::int64_t set, std::size_t& word);

  const Rules& rules_;
  std::span<const ColumnView> columns_;
  Unseen unseen_;
  std::vector<std::int32_t> used_;  // the columns of the tile
  std::vector<std::int32_t> slot_of_;
  std::vector<Literal> literals_;
  std::vector<std::uint64_t> codes_;
};

// For each row the number of the first rule that covers it, or the number of rules if none does.
[[nodiscard]] std::vector<std::int32_t> first_cover(const Rules& rules, std::span<const ColumnView> columns,
                                                    std::int64_t n_rows, Unseen unseen, int threads, Watch& watch);

// For each row and rule, rows first: 1 if the rule covers the row.
[[nodiscard]] std::vector<std::uint8_t> all_covers(const Rules& rules, std::span<const ColumnView> columns,
                                                   std::int64_t n_rows, Unseen unseen, int threads, Watch& watch);

}  // namespace bough
