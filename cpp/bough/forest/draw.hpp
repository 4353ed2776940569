// Columns drawn one at a time without replacement: the beginning of a shuffle of 0, 1, ... that is undone afterwards,
// so that a node's draw depends on its seed alone.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "bough/forest/seeds.hpp"

namespace bough::forest {

class ColumnDraw {
 public:
  explicit ColumnDraw(std::uint32_t columns) : column_(columns) { std::iota(column_.begin(), column_.end(), 0U); }

  // All columns again.
  void use_all(std::uint32_t columns) {
    swapped_.clear();
    column_.resize(columns);
    std::iota(column_.begin(), column_.end(), 0U);
  }
  // From now on, only so many columns that are drawn first.
  void use_some(std::uint64_t seed, std::uint32_t columns) {
    begin(seed);
    while (swapped_.size() < columns) next();
    swapped_.clear();
    column_.resize(columns);
  }
  void begin(std::uint64_t node_seed) {
    for (std::size_t i = swapped_.size(); i-- > 0;) std::swap(column_[i], column_[swapped_[i]]);
    swapped_.clear();
    words_ = Words(node_seed);
  }
  [[nodiscard]] bool any_left() const { return swapped_.size() < column_.size(); }
  std::uint32_t next() {
    const auto drawn = static_cast<std::uint32_t>(swapped_.size());
    const std::uint32_t at = drawn + words_.below(static_cast<std::uint32_t>(column_.size()) - drawn);
    std::swap(column_[drawn], column_[at]);
    swapped_.push_back(at);
    return column_[drawn];
  }
  Words& words() { return words_; }

 private:
  std::vector<std::uint32_t> column_;
  std::vector<std::uint32_t> swapped_;
  Words words_{0};
};

}  // namespace bough::forest
