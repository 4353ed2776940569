// The part of the validator that knows sums of terms, in tests and in models of leaves.
#pragma once

#include <cstdint>
#include <span>
<<<<<<< HEAD
#include <string>
=======
>>>>>>> w/kernel

#include "bough/feature/linear.hpp"

namespace bough {

// What the lists are called outside ("lin" or "model"), and what they promise.
struct TermRules {
<<<<<<< HEAD
  std::string name;
=======
  const char* name;
>>>>>>> w/kernel
  std::int64_t least;  // terms in a list
  bool zeros;          // weights and scales may be 0
};

<<<<<<< HEAD
inline const TermRules test_terms = {"lin", 2, false};
inline const TermRules model_terms = {"model", 0, true};
=======
inline constexpr TermRules test_terms = {"lin", 2, false};
inline constexpr TermRules model_terms = {"model", 0, true};
>>>>>>> w/kernel

// Sizes and offsets.
void check_term_sizes(const TermLists& lists, const TermRules& rules);
// Columns, codes and numbers; terms in order, none twice.
void check_terms(const TermLists& lists, const TermRules& rules);
// What only the schema knows: indicators exactly of nominal columns, origins of numeric ones.
void check_term_columns(const TermLists& lists, const TermRules& rules, std::span<const std::int32_t> kinds,
                        std::span<const std::int64_t> n_levels);

}  // namespace bough
