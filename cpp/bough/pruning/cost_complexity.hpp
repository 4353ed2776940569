// Cost-complexity pruning: for each node the alpha from which on it is a leaf of the best subtree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/engine/options.hpp"
#include "bough/pruning/log.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// Complexities in units of risk, 0 for leaves, never larger than the parent's.
// weakest_link: exact (Breiman et al. 1984); accounts: rpart's carried accounts, in which nodes of complexity at most
// `alpha` count as leaves, and a tree without a split has the complexity of its withdrawn root, or `alpha` if no split
// was found.
std::vector<double> node_complexity(const Tree& tree, ComplexityRule rule, double alpha);

// The complexities of weakest-link pruning over another risk of nodes than the tree's own: one for each node, finite,
// and not negative. `charge`, if it is not empty, says for each node how many times the price of a leaf its split pays
// for each leaf that it adds.
std::vector<double> weakest_links(const Tree& tree, std::span<const double> risk, std::span<const double> charge = {});

// The tree with its complexities set and every node of complexity at most `alpha` a leaf; a negative alpha cuts
// nothing.
Tree prune(Tree&& tree, ComplexityRule rule, double alpha);

// The same of a tree that has its complexities, with a log: weak nodes one after the other, the weakest first. The log
// compares `risk`, over which complexities were counted.
[[nodiscard]] PrunedTree prune_weak(const Tree& tree, ComplexityRule rule, double alpha,
                                    const std::vector<double>& risk);

// Where a case whose path ends at `last` would end in the subtree of each alpha: the first node on its way down whose
// complexity is not larger. Alphas descend; the result has one row an alpha.
std::vector<std::int32_t> ends_at(const Tree& tree, std::span<const std::int32_t> last, std::span<const double> alpha);

}  // namespace bough
