// The best literal to add to a rule: every allowed literal of every column, judged on the rows that the rule covers.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/condition.hpp"
#include "bough/cover/count.hpp"
#include "bough/cover/data.hpp"
#include "bough/cover/options.hpp"
#include "bough/cover/value_scan.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

struct FoundLiteral {
  double gain = 0.0;
  double positive = 0.0;  // weight that stays covered
  std::int32_t column = -1;
  Form form = Form::equal;
  // equal, unequal: low is the code. at_most, above: the ranks beside the cut; data values: the one that it is at.
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::vector<std::uint32_t> codes;  // one_of, as many as low says
};

// What the literals of one class may be, and the memory of the search, which serves many rules.
template <class Count>
class LiteralSearch {
 public:
  // `up` and `down` by column: whether rules may ask for large values, and for small ones.
  LiteralSearch(const CoverData& data, const CoverOptions& options, const Logs& logs, SortedColumns& sorted,
                std::vector<std::uint8_t> up, std::vector<std::uint8_t> down, double min_total);

  // The column of `found` is -1 if no literal gains. Among equal gains the first stays: columns in order; of a column
  // =, !=, sets, missing; cuts from below, the upper side before the lower one at the same value.
  [[nodiscard]] FoundLiteral best(const CoveredRows<Count>& rows, const std::vector<Condition>& rule, Watch& watch);

 private:
  using Memory = typename ValueScan<Count>::Memory;

  [[nodiscard]] FoundLiteral of_column(std::size_t column, const CoveredRows<Count>& rows, Memory& memory) const;

  const CoverData& data_;
  const CoverOptions& options_;
  const Logs& logs_;
  std::vector<std::uint8_t> up_;
  std::vector<std::uint8_t> down_;
  double min_total_;
  ValueScan<Count> values_;
  std::vector<Memory> memory_;  // one a thread
};

}  // namespace bough
