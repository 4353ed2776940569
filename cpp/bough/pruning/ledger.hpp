// The shape of a tree that is being pruned, with the account of its leaves and their risk at every step.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/pruning/log.hpp"
#include "bough/pruning/regraft.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

class Ledger {
 public:
  // `risk` by node may change between steps, but not below a node that was not taken out.
  Ledger(const Tree& tree, const std::vector<double>& risk) : shape_(tree), risk_(risk) {}

  // To be called once the risks are there.
  void open() { count(0, 1); }

  [[nodiscard]] const Shape& shape() const { return shape_; }
  // `plain`: see PruningStep.
  void make_leaf(std::int32_t node, double before, double after, bool plain = false);
  // A branch takes the place of its parent; `changed` once the risks below the node are what they are now.
  void raise(std::int32_t node, std::int32_t branch);
  void changed(std::int32_t node, std::int32_t branch, double before, double after);

  [[nodiscard]] std::int64_t leaves() const { return leaves_; }
  // The risk of the leaves at and below a node.
  [[nodiscard]] double risk_below(std::int32_t node);
  [[nodiscard]] std::vector<PruningStep> take_log() { return std::move(log_); }

 private:
  struct Sum {
    std::int64_t leaves = 0;
    double risk = 0.0;
  };
  // Of the leaves at and below a node.
  [[nodiscard]] Sum sum(std::int32_t node);
  // Adds or takes them away.
  void count(std::int32_t node, int sign);

  Shape shape_;
  const std::vector<double>& risk_;
  std::vector<PruningStep> log_;
  std::vector<std::int32_t> stack_;
  std::int64_t leaves_ = 0;
  double total_ = 0.0;
};

// The tree in which the leaves of a shape that was only cut are leaves, with its complexities.
[[nodiscard]] PrunedTree finish(const Tree& tree, Ledger& ledger);

}  // namespace bough
