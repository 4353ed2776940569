// The ways of one row whose parts go down several branches: every node that a part reaches, with the part's share.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/predict/compile.hpp"
#include "bough/predict/route.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

class Spread {
 public:
  // `hot` may be null: then the Router decides everything.
  Spread(const Tree& tree, const Router& router, const HotTree* hot) : tree_(tree), router_(router), hot_(hot) {}

  // Calls visit(node, share, ends) for the nodes that `row` reaches from `start` on, in preorder; `ends` says that this
  // share goes no further. The shares of the ends sum to 1 up to rounding.
  template <class Visit>
  void walk(std::int64_t row, std::int32_t start, Watch& watch, const Visit& visit) {
    std::size_t visited = 0;
    read_keys(row);
    parts_.assign(1, {start, 1.0});
    while (!parts_.empty()) {
      const auto [node, share] = parts_.back();
      parts_.pop_back();
      ++visited;
      const std::int32_t next = tree_.is_leaf(node) ? Router::stops : step(node, row);
      bool ends = next == Router::stops;
      if (next == Router::spreads) {
        ends = !divide(node, share);
      } else if (!ends) {
        parts_.push_back({next, share});
      }
      visit(node, share, ends);
    }
    watch.poll(visited);
  }

  // The node in which the largest share of `row` ends, walking from `start`; the first of equal ones.
  [[nodiscard]] std::int32_t largest(std::int64_t row, std::int32_t start, Watch& watch);

 private:
  struct Part {
    std::int32_t node;
    double share;
  };

  [[nodiscard]] std::int32_t step(std::int32_t node, std::int64_t row) const {
    const std::int32_t child = hot_ != nullptr ? hot_->step(node, keys_.data()) : -1;
    return child >= 0 ? child : router_.step(node, row);
  }

  void read_keys(std::int64_t row);

  // Puts the parts that go to the children of `node` on the stack, the first child on top; false if none has weight.
  bool divide(std::int32_t node, double share);

  const Tree& tree_;
  const Router& router_;
  const HotTree* hot_;
  std::vector<std::int64_t> keys_;
  std::vector<Part> parts_;
};

}  // namespace bough
