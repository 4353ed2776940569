// Rules by the numbers of their conditions: what rules of a tree have in common is asked of the rows once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/cover/row_set.hpp"

namespace bough {

// Each condition occurs once in a table of conditions that goes with them.
struct RuleBodies {
  std::vector<std::int64_t> begin = {0};
  std::vector<std::int32_t> condition;
  std::vector<std::int32_t> label;  // the class of each rule

  [[nodiscard]] std::size_t size() const { return label.size(); }
};

// Of the rows in `among` those that each rule covers; `conditions` says which rows each condition holds for.
[[nodiscard]] inline std::vector<RowSet> rows_met(const RuleBodies& rules, std::span<const RowSet> conditions,
                                                  const RowSet& among) {
  std::vector<RowSet> met(rules.size(), among);
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    for (std::int64_t at = rules.begin[rule]; at < rules.begin[rule + 1]; ++at) {
      met[rule] &= conditions[static_cast<std::size_t>(rules.condition[static_cast<std::size_t>(at)])];
    }
  }
  return met;
}

}  // namespace bough
