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
  bool products;       // terms may have two factors
};

inline constexpr TermRules test_terms = {"lin", 2, false, true};
inline constexpr TermRules model_terms = {"model", 0, true, false};

// Sizes and offsets.
void check_term_sizes(const TermLists& lists, const TermRules& rules);
// Columns, codes and numbers; terms in order, none twice; the second factor no earlier than the first.
void check_terms(const TermLists& lists, const TermRules& rules);
// Of a list whose sums compete: a level for each of them, and terms that tell them apart.
void check_machine(const TermLists& lists, std::int64_t list, std::span<const std::int32_t> levels);
// What only the schema knows: indicators exactly of nominal columns, origins of numeric ones.
void check_term_columns(const TermLists& lists, const TermRules& rules, std::span<const std::int32_t> kinds,
                        std::span<const std::int64_t> n_levels);

}  // namespace bough
