// A list of rules for one class with what each does in its turn, and what its description length says of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/cover/data.hpp"
#include "bough/cover/description.hpp"
#include "bough/cover/rule.hpp"

namespace bough {

// The rows of a class's data, and which of them are positive.
struct ClassRows {
  std::vector<std::uint32_t> order;
  RowSet all;
  RowSet positive;
  double weight = 0.0;
  double positive_weight = 0.0;
};

class RuleTurns {
 public:
  RuleTurns(const CoverData& data, const ClassRows& rows)
      : data_(&data), rows_(&rows), left_(rows.all), weight_(rows.weight), positive_(rows.positive_weight) {}

  // The next rule of the list takes what it covers of the rows that are left.
  void take(const LearntRule& rule);

  [[nodiscard]] const std::vector<Turn>& turns() const { return turns_; }
  [[nodiscard]] const RowSet& left() const { return left_; }
  [[nodiscard]] double positive_left() const { return positive_; }
  // The rows that are left, in a given order.
  [[nodiscard]] std::vector<std::uint32_t> left_of(std::span<const std::uint32_t> order) const;
  [[nodiscard]] ListCounts counts() const;

 private:
  const CoverData* data_;
  const ClassRows* rows_;
  RowSet left_;
  double weight_;
  double positive_;
  std::vector<Turn> turns_;
};

// The length of a list with rule i less that of the list without it, after deletions among the later rules: `before`
// has taken the rules before i, `rules` are that rule and the later ones.
[[nodiscard]] double relative_length(const RuleTurns& before, std::span<const LearntRule* const> rules,
                                     const Description& description);

// Deletes rules from the last to the first where that makes the description shorter.
[[nodiscard]] std::vector<LearntRule> reduce(std::vector<LearntRule> rules, const CoverData& data,
                                             const ClassRows& rows, const Description& description);

}  // namespace bough
