// Pruning by description length (Quinlan and Rivest 1989; Mehta, Rissanen and Agrawal 1995): a node keeps its test if
// the message "test, subtree, classes of its rows" is shorter than the message "classes of its rows".
#pragma once

#include <cstdint>
#include <span>

#include "bough/pruning/log.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// How the classes of the rows of a leaf are written, n_k of n rows having class k of K.
//   counts      which vector of counts, then which order: log2 C(n + K - 1, K - 1) + log2 (n! / prod n_k!).
//   stochastic  sum n_k log2(n / n_k) + (K - 1) / 2 log2(n / 2) + log2(pi^(K / 2) / Gamma(K / 2)), at least 0.
// Both take weights for numbers of rows, and both write nothing if there are no rows.
enum class ExceptionCode : std::uint8_t { counts, stochastic };

struct DescriptionOptions {
  ExceptionCode exceptions = ExceptionCode::counts;
  bool one_level = false;    // sets of levels were looked for among single levels only
  double tree_weight = 1.0;  // a bit of the tree counts as so many bits of exceptions
};

// `values` has for each column the number of its distinct values, or of its levels. Lengths in bits:
//   each node           1: leaf or test.
//   test                log2(columns) and, of a column with v values,
//     threshold         log2(v - 1).
//     m edges           log2 C(v - 1, m).
//     levels            l levels into b branches: 0 if every level has its own, log2(l) if `one_level`,
//                       log2(2^(l - 1) - 1) if b = 2, else l log2(b) - log2(b!).
//     terms             log2(levels) + 1 for each, and log2(columns) for each after the first.
//     missing branch    log2(branches), where the split names one.
//   rows that stay      at an inner node: their classes, as in a leaf.
// Throws InvalidInput on regression trees: real numbers have no length without a precision.
[[nodiscard]] PrunedTree prune_description_length(const Tree& tree, std::span<const std::int64_t> values,
                                                  const DescriptionOptions& options);

// The same lengths of the whole tree: of its tests with one bit a node, and of the exceptions.
struct DescriptionLength {
  double tree = 0.0;
  double exceptions = 0.0;
};
[[nodiscard]] DescriptionLength description_length(const Tree& tree, std::span<const std::int64_t> values,
                                                   const DescriptionOptions& options);

}  // namespace bough
