// Some of the rows of a large node, for searches that need not see all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/search/oblique.hpp"

namespace bough {

// About `most` of these positions of the node, drawn class by class with the seed of the node; all if there are no
// more.
[[nodiscard]] std::vector<std::uint32_t> drawn_rows(const ObliqueNode& node, std::vector<std::uint32_t> rows,
                                                    std::size_t most);

}  // namespace bough
