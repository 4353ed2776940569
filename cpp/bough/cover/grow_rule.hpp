// Growing a rule: the best literal is added again and again, until no negative row is covered or no literal gains.
#pragma once

#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/edges.hpp"
#include "bough/cover/literal_search.hpp"
#include "bough/cover/rule.hpp"

namespace bough {

// What a rule covers of the rows it grows on, after each of the conditions that were added.
using Growth = std::vector<Weights>;

// Adds to the conditions; `rows` are those that these cover.
template <class Count>
Growth grow_rule(std::vector<Condition>& conditions, CoveredRows<Count> rows, const CoverOptions& options,
                 const RankedTable& table, LiteralSearch<Count>& search, Edges& edges, Watch& watch);

}  // namespace bough
