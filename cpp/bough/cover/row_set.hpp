// A set of rows of a table, a bit a row: what rules cover is added, taken away and counted 64 rows at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/cover/filter_bits.hpp"

namespace bough {

using RowWords = std::span<const std::uint64_t>;

class RowSet {
 public:
  RowSet() = default;
  explicit RowSet(std::size_t rows) : words_((rows + 63) / 64, 0) {}
  RowSet(std::size_t rows, const std::vector<std::uint32_t>& members) : RowSet(rows) {
    for (const std::uint32_t row : members) add(row);
  }

  void add(std::size_t row) { words_[row / 64] |= std::uint64_t{1} << (row % 64); }
  [[nodiscard]] bool has(std::size_t row) const { return ((words_[row / 64] >> (row % 64)) & 1U) != 0; }
  [[nodiscard]] std::size_t words() const { return words_.size(); }
  [[nodiscard]] std::uint64_t word(std::size_t i) const { return words_[i]; }
  std::uint64_t& word(std::size_t i) { return words_[i]; }
  [[nodiscard]] RowWords bits() const { return words_; }

  RowSet& operator&=(const RowSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }
  // Takes the rows of another set away.
  RowSet& operator-=(const RowSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  [[nodiscard]] bool meets(const RowSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }

  // Rows in rising order.
  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        use(static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
      }
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> rows() const {
    std::size_t size = 0;
    for (const std::uint64_t word : words_) size += static_cast<std::size_t>(count_bits(word));
    std::vector<std::uint32_t> all;
    all.reserve(size);
    for_each([&](std::uint32_t row) { all.push_back(row); });
    return all;
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace bough
