// Pruning a rule: literals go as long as the rule is worth no less on rows that it did not grow on.
#pragma once

#include <vector>

#include "bough/cover/data.hpp"
#include "bough/cover/options.hpp"
#include "bough/cover/rule.hpp"

namespace bough {

// Shortens a rule on the rows of a set; `positive` are the rows of its class. Returns what it covers of them in the
// end; nothing happens if they have no weight or the rule has no condition. Among rules of equal worth the shortest
// stays.
Weights prune_rule(std::vector<Condition>& conditions, const RowSet& rows, const RowSet& positive,
                   const CoverData& data, const CoverOptions& options, const RuleWorth& worth);

}  // namespace bough
