// A fitted forest: the nodes of all trees in one array, 8 bytes each. Siblings are neighbours, so a step is "first
// child, plus one if the key is above the cut"; a leaf leads to itself through a column of its own that is below every
// cut, and holds its answer where others hold the cut.
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "bough/base/kept.hpp"
#include "bough/base/watch.hpp"
#include "bough/forest/grown.hpp"
#include "bough/forest/keys.hpp"
#include "bough/forest/options.hpp"

namespace bough::forest {

// At most 255 columns and 2^23 nodes a tree.
struct ShortNode {
  std::uint32_t cut = 0;
  std::uint32_t link = 0;
  static constexpr std::uint32_t kMostColumns = 255;
  static constexpr std::uint32_t kMostNodes = 1U << 23U;

  static ShortNode make(std::uint32_t cut, std::uint32_t child, std::uint32_t column, bool missing_high) {
    return {cut, (child << 9U) | (missing_high ? 256U : 0U) | column};
  }
  [[nodiscard]] std::uint32_t child() const { return link >> 9U; }
  [[nodiscard]] std::uint32_t column() const { return link & 255U; }
  [[nodiscard]] std::uint32_t missing_high() const { return (link >> 8U) & 1U; }
};

struct WideNode {
  std::uint32_t cut = 0;
  std::uint32_t first = 0;
  std::uint32_t side_column = 0;

  static WideNode make(std::uint32_t cut, std::uint32_t child, std::uint32_t column, bool missing_high) {
    return {cut, child, (column << 1U) | (missing_high ? 1U : 0U)};
  }
  [[nodiscard]] std::uint32_t child() const { return first; }
  [[nodiscard]] std::uint32_t column() const { return side_column >> 1U; }
  [[nodiscard]] std::uint32_t missing_high() const { return side_column & 1U; }
};

// How the values of a column become the keys that cuts are compared with.
struct Coding {
  std::uint32_t levels = 0;       // of a nominal column, with that of missing values; 0: numbers
  std::vector<double> threshold;  // ascending; a cut is a place in it. Empty: a cut is the key of a float
};

struct Forest {
  std::uint32_t classes = 0;             // 0: numbers
  std::vector<Coding> column;
  std::vector<std::size_t> begin = {0};  // of each tree's nodes, and the end
  Kept<ShortNode> short_node;            // either these
  Kept<WideNode> wide_node;              // or these
  Kept<std::uint32_t> set;               // levels that take the high branch, in bits
  Kept<std::uint32_t> count;             // by answer and class
  Kept<double> answer;                   // by answer: the shares of the classes, or the mean
  Kept<std::uint32_t> weight;            // by answer
  Kept<double> gain;                     // by tree and column: the decrease of impurity over the bag's weight

  [[nodiscard]] std::size_t trees() const { return begin.size() - 1; }
  [[nodiscard]] std::size_t nodes() const { return begin.back(); }
  [[nodiscard]] bool wide() const { return !wide_node.empty(); }
  [[nodiscard]] std::uint32_t width() const { return classes == 0 ? 1 : classes; }
  [[nodiscard]] WideNode node(std::size_t i) const {
    if (wide()) return wide_node[i];
    const ShortNode& n = short_node[i];
    return WideNode::make(n.cut, n.child(), n.column(), n.missing_high() != 0);
  }
  // The threshold of a cut on a numeric column.
  [[nodiscard]] double threshold_of(std::uint32_t of_column, std::uint32_t cut) const {
    const std::vector<double>& table = column[of_column].threshold;
    return table.empty() ? static_cast<double>(key_float(cut)) : table[cut];
  }
};

// How often each row is in the bag of a tree.
[[nodiscard]] std::vector<std::uint32_t> bag_of(const Bags& bags, std::size_t tree, std::size_t rows);

// Throws InvalidInput where the parts do not fit together.
void check_forest_request(const ForestData& data, const Bags& bags, const ForestOptions& options);

// Grows trees number `first` to `first + trees - 1` and appends them. What ended the work early, if anything did, is
// returned: the finished trees up to the first unfinished one are kept, and growing on from there gives the same
// forest.
[[nodiscard]] std::exception_ptr grow_forest(Forest& forest, const ForestData& data, const Bags& bags,
                                             const ForestOptions& options, std::size_t first, std::size_t trees,
                                             int threads, Watch& watch);

}  // namespace bough::forest
