// The part of the validator that knows splits: sizes of their arrays, and what each kind promises.
#pragma once

#include "bough/tree/tree.hpp"

namespace bough {

// Arrays that belong together have the same size, and offsets stay inside their pools.
void check_pool_sizes(const SplitPool& pool);

// The splits of every node, after sizes and structure were found in order.
void check_splits(const Tree& tree);

}  // namespace bough
