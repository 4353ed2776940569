// Which engine grows a request, and what it refuses: asked before anything is grown, by whoever words the answer.
// The sorted engine knows CART, C4.5 and ID3 and is quick; the open engine knows any combination of branching,
// criterion, stopping and missing rule. Where both know a request they grow the same tree.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bough/engine/options.hpp"

namespace bough {

// An option, by its name in requests, and what is to be said of it.
struct Remark {
  std::string option;
  std::string text;
};

struct Plan {
  std::vector<Remark> open;     // why the sorted engine does not know the request; empty: it does
  std::vector<Remark> refused;  // what the engine that grows it cannot do, or what makes no sense there

  [[nodiscard]] bool is_open() const { return !open.empty(); }
};

// For a target with so many classes, 0: numbers.
[[nodiscard]] Plan plan(const GrowOptions& options, std::size_t classes);

}  // namespace bough
