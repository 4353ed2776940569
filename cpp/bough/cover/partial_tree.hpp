// A partial C4.5 tree (Frank and Witten 1998): the branches of a node are grown one at a time, the purest first, and
// growth ends at the first that stays a subtree. One leaf of it, the heaviest of those along that way, becomes a rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/cover/node_test.hpp"
#include "bough/engine/options.hpp"
#include "bough/pruning/pessimist.hpp"
#include "bough/pruning/tolerance.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// One test on the way to the leaf: which of its branches was taken, and what of a row without the value goes there.
struct RuleStep {
  NodeTest test;
  std::size_t branch = 0;
  double share = 0.0;
};

// The leaf that was taken: the way to it from the root, and the weights of its classes.
struct PartialLeaf {
  std::vector<RuleStep> steps;
  std::vector<double> counts;
  std::uint32_t label = 0;
};

class PartialTrees {
 public:
  // Without a pessimist nothing is pruned. `total` is the weight of all rows, to which tolerances refer where the
  // options have no absolute one.
  PartialTrees(const RankedTable& table, std::uint32_t classes, const GrowOptions& options,
               std::optional<Pessimist> pessimist, double total, Watch& watch);

  // Grows on these rows.
  [[nodiscard]] PartialLeaf grow(const HeldRows& rows);

  // What of a row counts as nothing.
  [[nodiscard]] const Tolerance& shares() const { return shares_; }

 private:
  // A node whose branches are grown. Frames are used again and again: their buffers stay.
  struct Frame {
    HeldRows rows;  // not of the root, whose rows are the caller's
    NodeTest test;
    std::vector<double> own;                // by class
    std::vector<double> counts;             // by branch and class, rows without a value spread over the branches
    std::vector<double> weight;             // by branch
    std::vector<double> share;              // by branch: of the weight of the node
    std::vector<double> bits;               // by branch: its entropy; infinite if it is not to be grown (any more)
    std::vector<std::uint8_t> is_grown;     // by branch
    std::vector<std::uint32_t> order;       // places of the rows: those of each branch, then those without a value
    std::vector<std::size_t> begin;  // by branch: where its rows begin; two more: those without a value, the end
    std::size_t branch = 0;  // that is grown now
  };

  [[nodiscard]] const HeldRows& rows_of(std::size_t depth) const { return depth == 0 ? *root_ : frames_[depth].rows; }
  [[nodiscard]] bool open(std::size_t depth);
  void divide(std::size_t depth);
  void complete(Frame& frame, const std::vector<double>& missing);
  void send_down(std::size_t depth);
  [[nodiscard]] bool is_leaf(const double* counts, double weight) const;
  [[nodiscard]] std::uint32_t majority(const double* counts) const;
  [[nodiscard]] double expected(const Pessimist& pessimist, const double* counts, double weight) const;
  [[nodiscard]] bool prunes(const Frame& frame) const;
  [[nodiscard]] bool choose_branch(Frame& frame) const;
  [[nodiscard]] std::size_t heaviest(const Frame& frame, double below) const;
  [[nodiscard]] PartialLeaf leaf_at(std::size_t depth) const;

  const RankedTable& table_;
  std::size_t classes_;
  std::optional<Pessimist> pessimist_;
  Watch& watch_;
  double minimum_;  // of a branch that is grown
  Tolerance weights_;  // of weights
  Tolerance shares_;   // of shares of a row, and of entropies
  NodeTests tests_;
  const HeldRows* root_ = nullptr;
  std::vector<Frame> frames_;  // by depth
};

}  // namespace bough
