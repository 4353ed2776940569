// The part of the validator that knows sums of terms, in tests and in models of leaves.
#pragma once

#include <cstdint>
#include <span>

#include "bough/feature/linear.hpp"

namespace bough {

// What the lists are called outside ("lin" or "model"), and what they promise.
struct TermRules {
  const char* name;
  std::int64_t least;  // terms in a list
  bool zeros;          // weights and scales may be 0
};

inline constexpr TermRules test_terms = {"lin", 2, false};
inline constexpr TermRules model_terms = {"model", 0, true};

// Sizes and offsets.
void check_term_sizes(const TermLists& lists, const TermRules& rules);
// Columns, codes and numbers; terms in order, none twice.
void check_terms(const TermLists& lists, const TermRules& rules);
// What only the schema knows: indicators exactly of nominal columns, origins of numeric ones.
void check_term_columns(const TermLists& lists, const TermRules& rules, std::span<const std::int32_t> kinds,
                        std::span<const std::int64_t> n_levels);

}  // namespace bough
