// The semantic validator: every promise that tree.hpp and split.hpp make, for arrays that come from outside.
// Linear in the size of the arrays, without recursion; a tree that passes is safe to route, draw, cut and save.
#pragma once

#include <cstdint>
#include <span>

#include "bough/tree/tree.hpp"

namespace bough {

// Throws InvalidInput whose place is the field and position, such as "split_column[4]".
void validate(const Tree& tree);

// What only the schema knows: kinds[c] is 0 numeric, 1 ordered, 2 nominal; n_levels[c] the number of declared levels.
void check_columns(const Tree& tree, std::span<const std::int32_t> kinds, std::span<const std::int64_t> n_levels);

}  // namespace bough
