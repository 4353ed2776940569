// Rows through all trees of a forest. Values become keys once for a block of rows; then the trees come one after the
// other, so sums are made in the order of the trees for any block and any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/forest/forest.hpp"
#include "bough/table/ranked.hpp"

namespace bough::forest {

// What to add up over the trees: their answers, or votes for the most likely class, which equal ones divide.
enum class Combine : std::uint8_t { mean, vote };

// Throws InvalidInput unless the columns are those of the forest: numbers as numbers, levels as codes.
void check_columns(const Forest& forest, std::span<const ColumnView> columns);

// By row and class (or by row): the mean over trees [first, last) of their answers or votes.
[[nodiscard]] std::vector<double> predict_forest(const Forest& forest, std::span<const ColumnView> columns,
                                                 std::size_t rows, std::size_t first, std::size_t last, Combine combine,
                                                 int threads);

// By row and tree of [first, last), for some rows from `from` on: the number of the leaf in its tree.
[[nodiscard]] std::vector<std::uint32_t> leaves_of_forest(const Forest& forest, std::span<const ColumnView> columns,
                                                          std::size_t from, std::size_t rows, std::size_t first,
                                                          std::size_t last, int threads);

// What the rows are in truth, by which out-of-bag answers are judged as trees are added.
struct Truth {
  std::vector<std::uint32_t> label;
  std::vector<double> value;
  std::vector<double> weight;  // of the rows; empty: 1 each
  std::vector<double> cost;    // [true][decided]; empty: every error costs 1
};

// Sums over the trees whose bag a row is not in, by row and class, how many trees those are, and by number of trees the
// mean loss of what they say together: cost of the decision, or squared error; NaN while no row is out of bag.
struct OutOfBag {
  std::vector<double> sum;
  std::vector<std::uint32_t> trees;
  std::vector<double> loss;
};
[[nodiscard]] OutOfBag predict_out_of_bag(const Forest& forest, std::span<const ColumnView> columns, std::size_t rows,
                                          const Bags& bags, const Truth& truth, Combine combine, int threads);

}  // namespace bough::forest
