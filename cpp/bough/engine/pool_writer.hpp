// Writes tests found by a search into a pool of splits: rows around a cut become a threshold there.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/engine/options.hpp"
#include "bough/missing/surrogates.hpp"
#include "bough/search/candidate.hpp"
#include "bough/split/split.hpp"
#include "bough/table/distinct.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

class PoolWriter {
 public:
  // `distinct` is needed where thresholds are data values, else null.
  PoolWriter(const RankedTable& table, const GrowOptions& options, const DistinctRows* distinct)
      : table_(&table), options_(&options), distinct_(distinct) {}

  // The threshold of a cut is open until `settle`.
  void add_cut(SplitPool& pool, SplitRole role, std::int32_t column, std::uint32_t low_row, std::uint32_t high_row,
               double low_share, std::uint8_t low, double score);
  void add_levels(SplitPool& pool, SplitRole role, std::int32_t column, Found found,
                  const std::vector<std::int32_t>& code, const std::vector<std::int32_t>& branch, double score);
  // Intervals, whose edges are open until `settle`, or a conjunction; `low` is the branch where the latter holds.
  void add_open(SplitPool& pool, SplitRole role, std::int32_t column, const OpenTest& test, std::uint8_t low,
                double score);
  // A threshold that was given.
  void add_fixed_cut(SplitPool& pool, SplitRole role, std::int32_t column, const Threshold& threshold, std::uint8_t low,
                     double score);
  void add_surrogate(SplitPool& pool, const Surrogate& surrogate);

  // Writes the thresholds of all cuts added since the last call. The values around a cut lie anywhere in the caller's
  // data; read one after the other as the nodes come they took a fifth of the growth of a full regression tree, read in
  // one go they wait for the memory together.
  void settle(SplitPool& pool);

  // The threshold between the values of two rows, of which `low_share` of the known weight is below.
  [[nodiscard]] Threshold threshold_of(std::int32_t column, std::uint32_t low_row, std::uint32_t high_row,
                                       double low_share) const;

 private:
  static constexpr std::size_t no_edge = static_cast<std::size_t>(-1);
  struct OpenCut {
    std::size_t split;
    std::uint32_t low_row;
    std::uint32_t high_row;
    double low_share;
    std::size_t edge = no_edge;  // of intervals: which edge of the pool
  };
  [[nodiscard]] const ColumnView& view_of(const SplitPool& pool, const OpenCut& cut) const {
    return table_->columns[static_cast<std::size_t>(pool.column[cut.split])].view;
  }

  const RankedTable* table_;
  const GrowOptions* options_;
  const DistinctRows* distinct_;
  std::vector<OpenCut> open_;
};

}  // namespace bough
