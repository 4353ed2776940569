// Whether a conjunction of properties holds for a row: one rule, for growing, pruning and prediction.
#pragma once

#include <cstdint>

namespace bough {

enum class Met : std::uint8_t { no, yes, unknown };

// A term whose level is known: the column has the level, or, negated, any other.
[[nodiscard]] constexpr Met met(bool has_level, bool negated) { return has_level != negated ? Met::yes : Met::no; }

// One known term that fails decides, else an unknown one leaves the whole unknown. `ask(t)` says whether term t is met.
template <class Index, class Ask>
[[nodiscard]] Met all_met(Index begin, Index end, Ask&& ask) {
  Met all = Met::yes;
  for (Index t = begin; t < end; ++t) {
    const Met one = ask(t);
    if (one == Met::no) return Met::no;
    if (one == Met::unknown) all = Met::unknown;
  }
  return all;
}

}  // namespace bough
