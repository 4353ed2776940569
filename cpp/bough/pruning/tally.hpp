// Class weights of a node or of the rows at hand, and what a leaf with them would get wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/engine/options.hpp"
#include "bough/pruning/rows_down.hpp"
#include "bough/pruning/tolerance.hpp"
#include "bough/stats/node_stats.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

class Tally {
 public:
  Tally(const Target& target, const std::vector<double>& class_scale, Tolerance tolerance);

  void take(const Tree& tree, std::int32_t node);
  void take(const RowsDown& rows, const Crowd& crowd);

  // Of what was taken last: the scaled weight, and what of it is not of the largest class (the first of equal ones).
  [[nodiscard]] double mass() const { return mass_; }
  [[nodiscard]] double wrong() const { return wrong_; }
  [[nodiscard]] NodeStats stats(const Target& target, Criterion criterion) const;

 private:
  void clear();
  void add(std::uint32_t label, double weight) {
    if (counts_[label] == 0.0) present_.push_back(label);
    counts_[label] += weight;
  }
  void finish();

  const std::vector<std::uint32_t>& label_;
  const std::vector<double>& scale_;
  Tolerance tolerance_;
  std::vector<double> counts_;
  std::vector<std::uint32_t> present_;  // the classes that have weight
  std::uint32_t largest_ = 0;
  double mass_ = 0.0;
  double wrong_ = 0.0;
};

}  // namespace bough
