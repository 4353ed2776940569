// A tree whose tests are given: it is filled with rows as if its tests had been found there.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/search/candidate.hpp"

namespace bough {

struct GivenNode {
  Candidate test;
  std::vector<std::int32_t> child;  // by branch; empty: a leaf
};

}  // namespace bough
