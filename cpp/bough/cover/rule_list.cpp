// See rule_list.hpp.
#include "bough/cover/rule_list.hpp"

#include <utility>

namespace bough {

void RuleTurns::take(const LearntRule& rule) {
  RowSet taken = rule.covered;
  taken &= left_;
  Turn turn;
  turn.covered = data_->weigh(taken);
  turn.covered_positive = data_->weigh(taken, rows_->positive);
  left_ -= taken;
  weight_ -= turn.covered;
  positive_ -= turn.covered_positive;
  turn.left = weight_;
  turn.left_positive = positive_;
  turn.conditions = rule.conditions.size();
  turns_.push_back(turn);
}

std::vector<std::uint32_t> RuleTurns::left_of(std::span<const std::uint32_t> order) const {
  std::vector<std::uint32_t> rows;
  rows.reserve(order.size());
  for (const std::uint32_t row : order) {
    if (left_.has(row)) rows.push_back(row);
  }
  return rows;
}

ListCounts RuleTurns::counts() const {
  ListCounts counts;
  for (const Turn& turn : turns_) {
    counts.covered += turn.covered;
    counts.wrong += turn.wrong();
  }
  counts.left = weight_;
  counts.left_positive = positive_;
  return counts;
}

double relative_length(const RuleTurns& before, std::span<const LearntRule* const> rules,
                       const Description& description) {
  const auto shortest = [&](std::span<const LearntRule* const> taken, std::size_t from) {
    RuleTurns turns = before;
    for (const LearntRule* rule : taken) turns.take(*rule);
    return description.shortest(turns.counts(), std::span(turns.turns()).subspan(before.turns().size() + from));
  };
  return shortest(rules, 1) + description.theory(rules.front()->conditions.size()) - shortest(rules.subspan(1), 0);
}

std::vector<LearntRule> reduce(std::vector<LearntRule> rules, const CoverData& data, const ClassRows& rows,
                               const Description& description) {
  RuleTurns turns(data, rows);
  for (const LearntRule& rule : rules) turns.take(rule);
  ListCounts counts = turns.counts();
  for (std::size_t i = rules.size(); i-- > 0;) {
    if (description.saved(turns.turns()[i], counts)) rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return rules;
}

}  // namespace bough
