// The part of the validator that knows networks: the layers behind the term lists of tests.
#pragma once

#include "bough/feature/linear.hpp"

namespace bough {

// Sizes and offsets, of lists whose own sizes are right.
void check_layer_sizes(const TermLists& lists);
// Numbers; the weight of a term is what it pulls through the layer.
void check_layers(const TermLists& lists);

}  // namespace bough
