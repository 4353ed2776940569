// Parts of a covering that the caller writes: what literals gain, what pruned rules are worth, when a class has enough
// rules, which variant of a rule stays. They are asked for many candidates at once, by one thread; what is not written
// is as the options say.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "bough/cover/description.hpp"
#include "bough/cover/rule.hpp"

namespace bough {

// A rule that a class has just got.
struct NewRule {
  double bits = 0.0;      // of the description with it
  double shortest = 0.0;  // of the descriptions so far, this one among them
  Turn turn;
  Weights pruning;
  std::size_t earlier = 0;  // rules of the class before it
};

// What a list describes and covers if it has this variant of a rule.
struct Variant {
  double bits = 0.0;
  ListCounts list;
};

struct WrittenParts {
  // One number for each candidate, the larger the better; `all` is what could be covered.
  using Values = std::function<std::vector<double>(std::span<const Weights> covered, const Weights& all)>;

  Values gain;
  std::function<bool(const NewRule&)> stop;
  std::function<std::vector<double>(std::span<const Variant>)> cost;  // the least stays, the first of equal ones
};

}  // namespace bough
