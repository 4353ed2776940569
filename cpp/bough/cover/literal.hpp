// A literal as rows are asked it: bounds as keys of the column's type, sets as bits, so that 64 rows are judged with
// one comparison each whatever the type of the column.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/cover/rules.hpp"
#include "bough/cover/tile.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// Keys from `first` to `first + reach`; nothing if it is empty.
struct KeyRange {
  std::int64_t first = 0;
  std::uint64_t reach = 0;
  bool empty = false;

  [[nodiscard]] bool has(std::int64_t key) const {
    return static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(first) <= reach;
  }
};

[[nodiscard]] KeyRange key_range(Bound low, const Threshold& from, Bound high, const Threshold& to, KeyFamily family);

struct Literal {
  LiteralKind kind = LiteralKind::known;
  bool negated = false;
  bool or_missing = false;
  std::uint32_t slot = 0;                // the column, by its place in a tile
  KeyRange range;                        // interval; sum: of the keys of doubles
  std::span<const std::uint64_t> codes;  // levels: a bit a code, or none if they lie so far apart ...
  std::span<const std::int32_t> listed;  // ... that they are looked for one by one
  std::int64_t sum = 0;                  // which list of terms

  // Which of the rows of a tile the literal holds for, among `asked`.
  [[nodiscard]] std::uint64_t holds(const Tile& tile, std::uint64_t asked, const TermLists& sums) const;
};

}  // namespace bough
