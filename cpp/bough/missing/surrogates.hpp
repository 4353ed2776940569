// Surrogates: splits of other columns that imitate the primary split of a node, best imitation first. They send the
// rows whose primary value is missing, and credit columns that another one masks. Each engine searches them over its
// own rows; what a surrogate is, how two of them compare and where one sends a row is here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bough/engine/options.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

struct Surrogate {
  std::int32_t column = -1;
  double agreement = 0.0;  // share of the weight sent as the primary does
  double adjusted = 0.0;   // how much of what the majority rule gets wrong it gets right
  // A cut: rows that hold the values on both sides of it, and the branch of the low side.
  std::uint32_t low_row = 0;
  std::uint32_t high_row = 0;
  double low_share = 0.5;
  std::int32_t low = 0;
  std::int32_t high = -1;  // the branch of the high side at a node of many branches; -1: the other one of two
  // A set of levels: the levels met together with a known primary value, ascending, and their branches.
  std::vector<std::int32_t> code;
  std::vector<std::int32_t> branch;
};

// The best test of one column, if any of its tests will do.
struct Imitation {
  bool any = false;
  double agreement = 0.0;  // weight sent as the primary does
  Surrogate surrogate;
};

// What agreement is measured against: the weight of the rows that the primary sends, and of its larger branch.
struct ImitationBase {
  double all = 0.0;
  double larger = 0.0;
};

// The best surrogates of a node among those offered so far. Of two that agree equally well the first one stays.
class SurrogateList {
 public:
  explicit SurrogateList(const GrowOptions& options) : options_(options) {}

  void offer(std::size_t column, Imitation&& found, const ImitationBase& base);
  [[nodiscard]] std::vector<Surrogate> take() && { return std::move(best_); }

 private:
  const GrowOptions& options_;
  std::vector<Surrogate> best_;
};

// The branch that a surrogate gives a row of the table, or a State if the row's value does not tell.
[[nodiscard]] std::int32_t branch_by_surrogate(const RankedTable& table, const Surrogate& surrogate, std::size_t row);

}  // namespace bough
