// What a forest is asked for, and what it grows on.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "bough/table/ranked.hpp"

namespace bough::forest {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// How a node is searched; the ways give the same tree, and tests force each.
enum class SearchWay : std::uint8_t { automatic, bins, sorted };

// Where rows without a value go: the side that is better for them, learned at each split; otherwise the cut is scored
// by the other rows alone, and they follow the heavier branch, or one drawn by the weights of the branches; or a branch
// of their own, which makes two splits of one.
enum class Missing : std::uint8_t { learned, majority, random, own_branch };

// Where levels go that are not in the node: the heavier branch, where missing values go, or a branch drawn for each.
enum class Absent : std::uint8_t { majority, missing, random };

struct ForestOptions {
  std::uint32_t max_features = 1;      // columns looked at in a node
  std::uint32_t max_depth = kNone;
  double min_split = 2;                // least weight of a node that is split
  double min_leaf = 1;                 // least weight of a branch
  double min_decrease = 0;             // least decrease of the impurity, as a share of the bag's weight
  bool random_cuts = false;            // extremely randomized trees: one cut a column, drawn between its extremes
  bool constants_count = false;        // a column that is constant in the node counts as looked at
  SearchWay way = SearchWay::automatic;
  bool entropy = false;                // of classes, instead of Gini
  Missing missing = Missing::learned;
  Absent absent = Absent::majority;
  bool order_once = false;             // levels are put in order for the forest and cut as numbers, not by sets
  bool draw_once = false;              // columns are drawn for a tree, not for a node
  std::uint32_t max_leaves = kNone;    // the splits that best-first growth would have taken
  std::vector<std::int8_t> monotone;  // by column: 1 if answers may not fall with it, -1 if not rise; empty: no limits
};

// The rows of a forest. Classes as numbers, or values in fixed point, whose sums are exact in any order.
struct ForestData {
  const RankedTable* table = nullptr;
  std::uint32_t classes = 0;  // 0: numbers
  std::vector<std::uint32_t> label;
  std::vector<std::int64_t> value;  // (y - offset) * scale, rounded
  double offset = 0;
  double scale = 1;
  std::vector<std::uint32_t> weight;  // of each row in the scores, whole numbers; empty: 1 each
};

// How often each row is in the bag of a tree: drawn from the tree's seed, or given.
struct Bags {
  std::uint64_t seed = 0;
  bool bootstrap = true;  // draw; otherwise every row once
  std::size_t draws = 0;  // of a bootstrap; 0: as many as there are rows
  std::vector<std::uint32_t> given;  // by tree and row, instead of a draw
};

}  // namespace bough::forest
