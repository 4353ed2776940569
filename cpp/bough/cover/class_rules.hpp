// The rules of one class against all other rows: built one after another on what the earlier ones leave, then
// optimised.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/data.hpp"
#include "bough/cover/description.hpp"
#include "bough/cover/draws.hpp"
#include "bough/cover/edges.hpp"
#include "bough/cover/literal_search.hpp"
#include "bough/cover/options.hpp"
#include "bough/cover/rule.hpp"
#include "bough/cover/rule_list.hpp"
#include "bough/cover/split_rows.hpp"

namespace bough {

// What the rules of all classes share.
struct Covering {
  const CoverData& data;
  const CoverOptions& options;
  std::span<const std::uint32_t> place;  // of each class in their order
  const Logs& logs;
  SortedColumns& sorted;
  Edges& edges;
  Draws& draws;
  Watch& watch;
};

template <class Count>
class ClassRules {
 public:
  // At most `most` rules.
  ClassRules(const Covering& shared, ClassRows rows, std::uint32_t label, const Description& description,
             std::size_t most);

  // Starts with the rules given, which are revised and deleted as the others are.
  [[nodiscard]] std::vector<LearntRule> learn(std::vector<LearntRule> initial);
  // The rows that the rules leave, in the order in which the next class gets them.
  [[nodiscard]] std::vector<std::uint32_t> left(const std::vector<LearntRule>& rules) const;

 private:
  [[nodiscard]] std::vector<LearntRule> build(std::vector<LearntRule> initial);
  [[nodiscard]] std::vector<LearntRule> optimise(const std::vector<LearntRule>& old);
  [[nodiscard]] LearntRule choose(const RuleTurns& before, const RowParts& parts, std::span<const LearntRule> old);
  // Grows from the conditions it has on the growing rows that they cover, and prunes.
  void complete(LearntRule& rule, const RowSet& growing, const RowSet& pruning, const RuleWorth& worth);
  [[nodiscard]] LearntRule new_rule(const RowParts& parts, const RuleWorth& worth);
  // Whether a rule that a list has just got ends it; `total` and `best` are lengths of descriptions.
  [[nodiscard]] bool ends(const LearntRule& rule, const RuleTurns& turns, double total, double best) const;
  [[nodiscard]] bool keeps_limits(const Turn& turn) const;
  [[nodiscard]] std::vector<LearntRule> within_limits(std::vector<LearntRule> rules) const;
  [[nodiscard]] double defined(double length) const;
  [[nodiscard]] Weights count(const RowSet& rows, const std::vector<Condition>& conditions) const;
  void set_covered(LearntRule& rule) const;

  Covering shared_;
  ClassRows rows_;
  std::uint32_t label_;
  Description description_;
  std::size_t most_;
  LiteralSearch<Count> search_;
  std::vector<std::uint32_t> base_;  // the rows in the order of the first split
};

}  // namespace bough
