// Constants: what a node of a classification tree answers, as shares of the classes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/tree/tree.hpp"

namespace bough {

// A node answers (scaled count + m * prior) / (sum of the scaled counts + m); m = 0: its shares as they are.
struct Smoothing {
  double m = 0.0;
  std::vector<double> prior;  // by class, with sum 1; empty: the same for all

  // Throws InvalidInput on a negative m, or a prior that is none of so many classes.
  void check(std::size_t classes) const;
};

// The shares of the classes in the nodes of a tree, proportional to count * scale and summed in the order of the
// classes.
class ClassShares {
 public:
  // Worked out for all nodes at once where there are many rows to tell them to. Throws as Smoothing::check does.
  ClassShares(const Tree& tree, const Smoothing& smoothing, std::int64_t n_rows);

  // Adds those of a node, times `share`, to a row with one entry a class.
  void add(std::int32_t node, double share, std::span<double> row) const;

 private:
  [[nodiscard]] double scaled(std::int64_t k) const {
    return tree_.count_weight[k] * tree_.class_scale[tree_.count_class[k]];
  }

  const Tree& tree_;
  const Smoothing& smoothing_;
  std::vector<double> ready_;  // of all nodes, or empty
};

// Row by row, one column a class; `out` has nodes x classes entries. Throws InvalidInput on an id that is no node.
void class_probabilities(const Tree& tree, std::span<const std::int32_t> nodes, const Smoothing& smoothing,
                         std::span<double> out);

}  // namespace bough
