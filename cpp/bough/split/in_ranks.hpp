// Tests in the ranks of a table: a threshold becomes the last rank that goes low, so that rows of the table are sent by
// comparing small integers (RankRow in feature/row.hpp reads such tests).
#pragma once

#include <cstdint>
#include <vector>

#include "bough/split/split.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

class RankCuts {
 public:
  explicit RankCuts(const RankedTable& table) : table_(table), samples_(table.columns.size()) {}

  // How many ranks of a column go low.
  [[nodiscard]] std::uint32_t low_ranks(std::int32_t column, const Threshold& threshold);
  // The threshold between the ranks.
  [[nodiscard]] Threshold in_ranks(std::int32_t column, const Threshold& threshold);
  // The pool with its primary splits and surrogates in ranks. Sums have no ranks, and runners-up stay as they are
  // because nobody asks them.
  [[nodiscard]] SplitPool in_ranks(SplitPool pool);

 private:
  const RankedTable& table_;
  std::vector<std::vector<std::uint32_t>> samples_;  // by column: a row for each rank, once it was asked for
};

// Between two ranks: up to this one values go low.
[[nodiscard]] Threshold at_rank(std::int64_t last_low);

}  // namespace bough
