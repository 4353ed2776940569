// The rows of a training table as sets: those that rules cover, those of each class, and what they weigh.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/row_set.hpp"
#include "bough/cover/rules.hpp"
#include "bough/cover/tile.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// The rows that each rule covers.
[[nodiscard]] std::vector<RowSet> rows_covered(const Rules& rules, std::span<const ColumnView> columns,
                                               std::int64_t n_rows, Unseen unseen, int threads, Watch& watch);

// What rows weigh: each the same, or as the caller says; rows of weight 0 take no part.
class RowMass {
 public:
  explicit RowMass(std::span<const double> weights) : weights_(weights) {}

  // The weight of the rows of one word.
  [[nodiscard]] double of(std::uint64_t bits, std::size_t word) const {
    if (weights_.empty()) return static_cast<double>(count_bits(bits));
    double sum = 0.0;
    for (; bits != 0; bits &= bits - 1) sum += weights_[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
    return sum;
  }

 private:
  std::span<const double> weights_;
};

// The rows that take part, and those of each class.
struct LabelledRows {
  // Rows of weight 0 take no part; no weights: all weigh 1.
  LabelledRows(std::span<const std::uint32_t> label, std::size_t n_classes, std::span<const double> weights);

  std::vector<RowSet> classes;
  RowSet used;
  RowMass mass;
};

}  // namespace bough
