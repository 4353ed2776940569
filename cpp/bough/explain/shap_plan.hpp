// What Shapley values need to know of a tree before they see a row: players, shares, products of shares, answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/explain/quadrature.hpp"
#include "bough/leaf/constant.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

struct ShapPlan {
  ShapPlan(const Tree& tree, const Smoothing& smoothing);

  std::vector<std::int32_t> depth;                // by node
  std::int32_t deepest = 0;
  std::vector<std::vector<std::int32_t>> players;  // the columns of each
  std::vector<std::int32_t> player;               // by node: who is asked here, -1 in a leaf
  // By node: the last edge above it by which the player that is asked here was asked before, as the node that the edge
  // leads to; 0, the root, if there is none.
  std::vector<std::int32_t> last;
  std::vector<double> share;  // by node: its share of its siblings' weight, 0 if none has any
  std::vector<double> zero;  // by node: the product of the shares of the edges of the player that leads to it
  std::vector<std::uint8_t> keeps;  // by node: an inner one none of whose children has weight
  std::size_t most_players = 0;  // on one path

  std::size_t outputs = 1;  // classes, or 1
  std::size_t solved = 1;  // outputs to compute; one less where they sum to 1, so that the last follows
  std::vector<double> base;
  std::vector<double> answer;  // [node][solved], less the base

 private:
  void name_players(const Tree& tree);
  void weigh(const Tree& tree);
  void follow_paths(const Tree& tree);
  void read_answers(const Tree& tree, const Smoothing& smoothing);
};

// How many points integrate the products of so many factors: half of them are exact. A product of n factors, each
// between 0 and 1 and rising or falling, is a mixture of t^a (1 - t)^b with a + b <= n, which polynomials of degree
// 14 sqrt(n) approximate to 1e-20: more points than that add nothing.
[[nodiscard]] std::size_t points_for(std::size_t factors);

}  // namespace bough
