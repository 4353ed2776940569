// What nodes answer: class probabilities, for the nodes in which rows have ended.
#pragma once

#include <cstdint>
#include <span>

#include "bough/tree/tree.hpp"

namespace bough {

// Row by row, one column a class; `out` has nodes x classes entries. Throws InvalidInput on an id that is no node.
void class_probabilities(const Tree& tree, std::span<const std::int32_t> nodes, std::span<double> out);

}  // namespace bough
