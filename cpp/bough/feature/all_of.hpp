// The feature "all of these properties hold", a property being column = level or any other level: a truth value, whose
// two branches are where it holds and where it does not. One rule, for growing, pruning and prediction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bough/feature/state.hpp"

namespace bough {

// List k has the properties begin[k] .. begin[k + 1].
struct PropertyLists {
  std::vector<std::int64_t> begin = {0};
  std::vector<std::int32_t> column;
  std::vector<std::int32_t> code;
  std::vector<std::uint8_t> negated;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(begin.size()) - 1; }
};

// 1 if all of them hold, 0 if a known one fails; else a state: what was never seen says more than what is missing.
template <class Row>
[[nodiscard]] std::int32_t all_of(const PropertyLists& lists, std::int64_t list, const Row& row) {
  std::int32_t unknown = State::known;
  for (std::int64_t t = lists.begin[list]; t < lists.begin[list + 1]; ++t) {
    const std::int32_t state = row.state(lists.column[t], true);
    unknown = std::min(unknown, state);
    if (state == State::known && (row.code(lists.column[t]) == lists.code[t]) == (lists.negated[t] != 0)) return 0;
  }
  return unknown < 0 ? unknown : 1;
}

}  // namespace bough
