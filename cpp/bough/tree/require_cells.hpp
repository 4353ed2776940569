// Refuses trees that ask several columns at once (sums), for those that work on sets of values of single columns.
#pragma once

#include "bough/tree/tree.hpp"

namespace bough {

// Throws InvalidInput, which begins with `why` and names the first such node.
void require_cells(const Tree& tree, const char* why);

}  // namespace bough
