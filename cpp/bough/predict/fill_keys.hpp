// The cells of a column as keys, one after the other: what walks many rows at a time reads from a tile that stays in
// cache.
#pragma once

#include <cstdint>

#include "bough/table/ranked.hpp"

namespace bough {

// keys[r] becomes the key of row begin + r, for r below `rows`.
void fill_keys(const ColumnView& column, std::int64_t begin, std::int64_t rows, std::int64_t* keys);

}  // namespace bough
