// The rows that rules are learnt on: ranks by column, classes and weights, and how sets of rows are weighed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bough/cover/row_set.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

struct CoverData {
  const RankedTable* table = nullptr;
  std::vector<std::uint32_t> label;
  std::uint32_t classes = 0;
  std::vector<double> weight;  // empty: 1 for every row

  [[nodiscard]] double weight_of(std::size_t row) const { return weight.empty() ? 1.0 : weight[row]; }
  [[nodiscard]] double weigh(const RowSet& rows) const {
    return weigh_words(rows, [&](std::size_t i) { return rows.word(i); });
  }
  // Of the rows that two sets share.
  [[nodiscard]] double weigh(const RowSet& rows, const RowSet& among) const {
    return weigh_words(rows, [&](std::size_t i) { return rows.word(i) & among.word(i); });
  }

 private:
  template <class Word>
  [[nodiscard]] double weigh_words(const RowSet& rows, const Word& word) const {
    if (weight.empty()) {
      std::int64_t count = 0;
      for (std::size_t i = 0; i < rows.words(); ++i) count += count_bits(word(i));
      return static_cast<double>(count);
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < rows.words(); ++i) {
      for (std::uint64_t rest = word(i); rest != 0; rest &= rest - 1) {
        sum += weight[i * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
      }
    }
    return sum;
  }
};

}  // namespace bough
