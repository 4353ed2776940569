// A tree as it was grown: nodes in pairs of siblings, depth first; cuts still as the keys between which they lie.
#pragma once

#include <cstdint>
#include <vector>

namespace bough::forest {

struct GrownNode {
  std::uint32_t child = 0;   // the low branch; the high one follows it. 0: a leaf
  std::uint32_t column = 0;
  std::uint32_t low = 0;     // the largest key of the low branch; levels: where their set begins; leaf: its answer
  std::uint32_t high = 0;    // the smallest key of the high branch; the largest number if it has missing values only
  std::uint8_t missing_high = 0;
  std::uint8_t second = 0;   // the second of two splits that part the rows in three, worth what the first is
};

struct GrownTree {
  std::vector<GrownNode> node;
  std::vector<double> gain;              // by node: the decrease of impurity, times weight; 0 in leaves
  std::vector<std::uint32_t> set;        // bits of the levels that take the high branch, that of missing values last
  std::vector<std::uint32_t> count;      // of classes: weights by answer and class
  std::vector<double> value;             // of numbers: the mean by answer
  std::vector<std::uint32_t> weight;     // by answer
  std::vector<std::int64_t> sum;         // of numbers, if leaves may be joined: the sum in fixed point by answer
};

}  // namespace bough::forest
