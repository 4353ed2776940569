// Importance of columns by permutation out of bag (Breiman 2001): how much more the answers of a tree cost for the rows
// that it was not grown on, when the values of a column are shuffled among these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/forest/forest.hpp"
#include "bough/table/ranked.hpp"

namespace bough::forest {

// What the answer of a leaf costs a row: looked up by answer and class, or the distance of two numbers.
struct LeafLoss {
  std::vector<std::uint32_t> label;  // by row
  std::vector<double> cost;  // by answer and class
  std::vector<double> value;  // by row, where numbers are answered
  bool squared = true;  // the square of the distance
  std::vector<double> weight;  // by row; empty: 1 each
};

struct Shuffling {
  std::uint64_t seed = 0;
  std::uint32_t repeats = 1;  // how often each column is shuffled in each tree
  bool by_case = false;  // whether to tell rows apart
};

// Means over the trees of what is told of each by the rows out of its bag. First of all rows, then of those of each
// class: by column. A tree without such rows takes no part; NaN where no tree does.
struct PermutedLoss {
  std::vector<double> mean;
  std::vector<double> error;  // the standard error of the mean, NaN for fewer than two trees
  std::vector<double> by_case;  // by row and column: over the trees that have not seen the row
};

// Rows of weight 0 take no part. Only rows whose way asks a column go down again, from where it is first asked. The
// shuffle of a tree follows from the seed and the tree's number, and is one for all columns. Throws InvalidInput if the
// parts do not fit together.
[[nodiscard]] PermutedLoss permuted_loss(const Forest& forest, std::span<const ColumnView> columns, std::size_t rows,
                                         const Bags& bags, const LeafLoss& loss, const Shuffling& shuffling,
                                         int threads);

}  // namespace bough::forest
