// See require_cells.hpp.
#include "bough/tree/require_cells.hpp"

#include <string>

#include "bough/base/error.hpp"

namespace bough {

void require_cells(const Tree& tree, const char* why) {
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    if (tree.is_leaf(node) || tree.splits.has_cells(tree.split_begin[node])) continue;
    throw InvalidInput("tree",
                       std::string(why) + "; node " + std::to_string(node) + " asks several columns at once, in a " +
                           (tree.splits.feature(tree.split_begin[node]) == Feature::network ? "network" : "sum"));
  }
}

}  // namespace bough
