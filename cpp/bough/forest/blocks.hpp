// Copies of the rows of a node that lie side by side: below a size that fits a cache, gathered keys come from there.
// Which sizes pay depends on the bytes of a row and on how many of its columns a node looks at.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "bough/base/prefetch.hpp"
#include "bough/forest/scores.hpp"

namespace bough::forest {

// Where the keys and values of rows are found by their local numbers.
struct Block {
  std::vector<const std::uint32_t*> column;
  const std::uint32_t* by_row = nullptr;  // the same keys row by row, if there are
  const std::int64_t* value = nullptr;
  std::uint32_t limit = 0;  // rows that fit
  std::size_t base = 0;     // the stack's size when it was filled, less its own node
  std::vector<std::uint32_t> key;
  std::vector<std::int64_t> held;

  void fill(const Block& from, Entry* entry, std::uint32_t rows) {
    for (std::size_t c = 0; c < column.size(); ++c) column[c] = key.data() + c * rows;
    if (from.by_row != nullptr) {
      fill_by_row(from.by_row, entry, rows);
    } else {
      for (std::size_t c = 0; c < column.size(); ++c) {
        const std::uint32_t* source = from.column[c];
        std::uint32_t* into = key.data() + c * rows;
        for (std::uint32_t i = 0; i < rows; ++i) into[i] = source[local_row(entry[i])];
      }
    }
    if (from.value != nullptr) {
      for (std::uint32_t i = 0; i < rows; ++i) held[i] = from.value[local_row(entry[i])];
      value = held.data();
    }
    for (std::uint32_t i = 0; i < rows; ++i) entry[i] = (entry[i] & ~Entry{0xffffffffU}) | i;
  }

 private:
  // Some rows at a time, so that both what is read and what is written stays near.
  void fill_by_row(const std::uint32_t* by_row, const Entry* entry, std::uint32_t rows) {
    constexpr std::uint32_t kRows = 16;
    const std::size_t columns = column.size();
    std::array<const std::uint32_t*, kRows> source;
    for (std::uint32_t begin = 0; begin < rows; begin += kRows) {
      const std::uint32_t count = std::min(kRows, rows - begin);
      for (std::uint32_t i = 0; i < count; ++i) source[i] = by_row + local_row(entry[begin + i]) * columns;
      for (std::uint32_t i = begin + kRows; i < std::min(rows, begin + 2 * kRows); ++i) {
        const std::uint32_t* soon = by_row + local_row(entry[i]) * columns;
        for (std::size_t c = 0; c < columns; c += 16) prefetch(soon + c);
        prefetch(soon + columns - 1);
      }
      for (std::size_t c = 0; c < columns; ++c) {
        std::uint32_t* into = key.data() + c * rows + begin;
        for (std::uint32_t i = 0; i < count; ++i) into[i] = source[i][c];
      }
    }
  }
};

// The sizes in rows of the blocks within one another, largest first.
inline std::vector<std::uint32_t> block_sizes(std::size_t rows, std::uint32_t columns, std::uint32_t looked_at,
                                              std::uint32_t least) {
  constexpr std::array<std::size_t, 3> kBytes = {5242880, 655360, 81920};
  std::vector<std::uint32_t> sizes;
  for (std::size_t stage = 0; stage < kBytes.size(); ++stage) {
    const std::size_t fits = kBytes[stage] / (4 * std::size_t{columns});
    const bool pays = stage == 0 ? rows > 4 * fits : 8 * std::size_t{looked_at} >= columns;
    if (pays && fits > least && fits < rows) sizes.push_back(static_cast<std::uint32_t>(fits));
  }
  return sizes;
}

}  // namespace bough::forest
