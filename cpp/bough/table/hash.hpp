// The hash of a column: xxHash64 (Yann Collet) over its values as 64-bit words, read in place. It tells columns apart
// that differ by accident, at the speed of memory; it is no signature.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bough/table/ranked.hpp"

namespace bough {

// What the word of a whole number is: the bits of the double that it is, or the number itself times `scale`, modulo
// 2**64. The words of floats are those of doubles. What is missing has one word, whatever its bits were.
enum class WholeAs : std::uint8_t { number, count };

[[nodiscard]] std::uint64_t hash_column(const ColumnView& column, std::size_t rows, WholeAs whole,
                                        std::uint64_t scale = 1);

}  // namespace bough
