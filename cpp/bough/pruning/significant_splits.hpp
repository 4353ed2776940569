// Pruning by significance (Mingers 1987; Quinlan 1986): a subtree none of whose splits is more than chance becomes a
// leaf. A split that is not significant stays where one below it is: stopping there would not have seen that.
#pragma once

#include "bough/base/watch.hpp"
#include "bough/engine/options.hpp"
#include "bough/pruning/log.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

struct SignificantOptions {
  double level = 0.05;  // the largest p-value of a split that is more than chance
  SignificanceTest test = SignificanceTest::pearson;
  double paid = 1.0;  // p-values are multiplied by it: among how many columns a split was chosen
};

// The p-value of a split is that of the differences between its branches, over the rows that its test sends there by a
// value, or by the branch that it has for missing ones; rows that it does not decide go on as the routing of the tree
// says. Without rows it is 1. The log compares the smallest p-value of the splits at and below a node with that of a
// leaf, 1; subtrees of larger ones go first, so that its steps are the trees of all smaller levels.
[[nodiscard]] PrunedTree prune_insignificant(const Tree& tree, const RankedTable& table, const Target& target,
                                             const SignificantOptions& options, Watch& watch);

}  // namespace bough
