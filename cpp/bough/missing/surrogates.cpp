#include "bough/missing/surrogates.hpp"

#include <utility>

#include "bough/feature/row.hpp"
#include "bough/split/branch_of.hpp"

namespace bough {

void SurrogateList::offer(std::size_t column, Imitation&& found, const ImitationBase& base) {
  if (!found.any) return;
  const auto most = static_cast<std::size_t>(options_.surrogates.most);
  const double majority = base.larger / base.all;
  const double agreement = found.agreement / base.all;
  const double adjusted = majority < 1.0 ? (agreement - majority) / (1.0 - majority) : 0.0;
  if (options_.surrogates.beyond_majority && !(adjusted > 1e-10)) return;
  std::size_t place = best_.size();
  while (place > 0 && agreement > best_[place - 1].agreement * (1.0 + options_.tie)) --place;
  if (place >= most) return;
  Surrogate& surrogate = found.surrogate;
  surrogate.column = static_cast<std::int32_t>(column);
  surrogate.agreement = agreement;
  surrogate.adjusted = adjusted;
  if (best_.size() == most) best_.pop_back();
  best_.insert(best_.begin() + static_cast<std::ptrdiff_t>(place), std::move(surrogate));
}

std::int32_t branch_by_surrogate(const RankedTable& table, const Surrogate& surrogate, std::size_t row) {
  const RankRow ranks(table, row);
  const std::int32_t state = ranks.state(surrogate.column, !surrogate.code.empty());
  if (state != State::known) return state;
  const std::int32_t rank = ranks.code(surrogate.column);
  if (!surrogate.code.empty()) return branch_of_level(surrogate.code, surrogate.branch, rank);
  if (rank <= RankRow(table, surrogate.low_row).code(surrogate.column)) return surrogate.low;
  return surrogate.high >= 0 ? surrogate.high : 1 - surrogate.low;
}

}  // namespace bough
