// Sets of rows as bits, one set a line of a matrix: unions, differences and weights of sets 64 rows at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/rules.hpp"
#include "bough/cover/tile.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

using RowWords = std::span<const std::uint64_t>;

class RowBits {
 public:
  RowBits(std::size_t sets, std::size_t rows) : words_((rows + 63) / 64), bits_(sets * words_) {}

  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] RowWords operator[](std::size_t set) const { return {bits_.data() + set * words_, words_}; }
  [[nodiscard]] std::span<std::uint64_t> line(std::size_t set) { return {bits_.data() + set * words_, words_}; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// The rows that each rule covers.
[[nodiscard]] RowBits rows_covered(const Rules& rules, std::span<const ColumnView> columns, std::int64_t n_rows,
                                   Unseen unseen, int threads, Watch& watch);

// What rows weigh: each the same, or as the caller says; rows of weight 0 take no part.
class RowMass {
 public:
  explicit RowMass(std::span<const double> weights) : weights_(weights) {}

  // The weight of the rows of one word.
  [[nodiscard]] double of(std::uint64_t bits, std::size_t word) const {
    if (weights_.empty()) return static_cast<double>(std::popcount(bits));
    double sum = 0.0;
    for (; bits != 0; bits &= bits - 1) sum += weights_[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
    return sum;
  }

 private:
  std::span<const double> weights_;
};

// The rows of a training table as sets: those that take part, and those of each class.
struct LabelledRows {
  // Rows of weight 0 take no part; no weights: all weigh 1.
  LabelledRows(std::span<const std::uint32_t> label, std::size_t n_classes, std::span<const double> weights);

  RowBits classes;
  RowBits used;  // one set
  RowMass mass;
};

}  // namespace bough
