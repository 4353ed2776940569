// A condition while a beam is searched: by ranks, with the rows between which a threshold lies. The threshold itself is
// made at last, for the rule that is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bough/cover/rules.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// The conditions that may be asked; the last two of columns in which values are missing.
enum class Ask : std::uint8_t { equal = 0, unequal = 1, at_most = 2, above = 3, missing = 4, known = 5 };
inline constexpr std::size_t kAsks = 6;

struct Asked {
  Ask ask = Ask::equal;
  std::int32_t column = -1;
  std::uint32_t rank = 0;  // the level; of a threshold the rank of the value below
  std::uint32_t low_row = 0;
  std::uint32_t high_row = 0;

  [[nodiscard]] bool holds(std::uint32_t of_row, std::uint32_t ranks) const {
    switch (ask) {
      case Ask::equal:
        return of_row == rank;
      case Ask::unequal:
        return of_row != rank && of_row != ranks;
      case Ask::at_most:
        return of_row <= rank;
      case Ask::above:
        return of_row > rank && of_row != ranks;
      case Ask::missing:
        return of_row == ranks;
      case Ask::known:
        break;
    }
    return of_row != ranks;
  }
};

// Conditions as the literals of one rule.
[[nodiscard]] Rules written(const std::vector<Asked>& conditions, const RankedTable& table);

}  // namespace bough
