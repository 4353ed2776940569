#include "bough/criterion/class_drop.hpp"

namespace bough {

XLog2X::XLog2X(std::size_t largest) : table_(largest + 1) {
  for (std::size_t n = 1; n <= largest; ++n) table_[n] = static_cast<double>(n) * std::log2(static_cast<double>(n));
}

}  // namespace bough
