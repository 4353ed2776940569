// Writes tests found by a search into the pool of splits: rows around a cut become a threshold there.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/grow/options.hpp"
#include "bough/missing/surrogates.hpp"
#include "bough/split/split.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

class PoolWriter {
 public:
  PoolWriter(SplitPool& pool, const RankedTable& table, const GrowOptions& options)
      : pool_(pool), table_(table), options_(options) {}

  void add_cut(SplitRole role, std::int32_t column, std::uint32_t low_row, std::uint32_t high_row, double low_share,
               std::uint8_t low, double score);
  void add_levels(SplitRole role, std::int32_t column, Found found, const std::vector<std::int32_t>& code,
                  const std::vector<std::uint8_t>& branch, double score);
  void add_surrogate(const Surrogate& surrogate);

 private:
  SplitPool& pool_;
  const RankedTable& table_;
  const GrowOptions& options_;
};

}  // namespace bough
