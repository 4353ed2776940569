// A literal while rules are learnt: a set of ranks of a column, or the rows for which a given literal holds.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bough/cover/row_set.hpp"
#include "bough/cover/rules.hpp"
#include "bough/feature/threshold.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

enum class Form : std::uint8_t { equal, unequal, one_of, at_most, above, missing, given };

struct Condition {
  Form form = Form::equal;
  std::int32_t column = 0;  // -1: a given literal on a sum of columns
  // equal, at_most, above, missing: the ranks from first to last; unequal: all known but first.
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::shared_ptr<const RowSet> set;  // one_of: the ranks; given: the rows
  Threshold edge;                     // at_most, above: as it is written
  bool closed = true;                 // whether the edge itself is above
  std::int64_t given = -1;            // the number of a literal of the initial rules
};

// Calls use(holds), with holds(row) true for the rows that a condition covers: one loop for each kind.
template <class Use>
void with_test(const Condition& condition, const RankedTable& table, const Use& use) {
  if (condition.form == Form::given) return use([&](std::uint32_t row) { return condition.set->has(row); });
  const RankedColumn& column = table.columns[condition.column];
  const std::uint32_t* rank = column.rank.data();
  const std::uint32_t first = condition.first;
  if (condition.form == Form::one_of) return use([&](std::uint32_t row) { return condition.set->has(rank[row]); });
  if (condition.form == Form::unequal) {
    return use([&](std::uint32_t row) { return rank[row] != first && rank[row] != column.ranks; });
  }
  const std::uint32_t reach = condition.last - first;
  use([=](std::uint32_t row) { return rank[row] - first <= reach; });
}

// Keeps those of the rows for which a condition holds.
void keep_covered(RowSet& rows, const Condition& condition, const RankedTable& table);

// Whether some condition asks every column of a set of flags; no flags: none is wanted.
[[nodiscard]] bool asks_all(const std::vector<Condition>& conditions, const std::vector<std::uint8_t>& wanted);

// Without the conditions on thresholds that later ones on the same column imply.
[[nodiscard]] std::vector<Condition> without_implied(const std::vector<Condition>& conditions);

// Appends a condition as a literal; given ones are copied from `initial`.
void add_literal(const Condition& condition, const Rules& initial, Rules& to);

}  // namespace bough
