// A search for sums, or for small networks, that is written elsewhere, as in Python: asked once at a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bough {

class Finder {
 public:
  // The rows that a search looks at. `target` is 1 or 0 where classes are told apart, in two groups of them; else a
  // number less the mean of all.
  struct Question {
    std::size_t rows = 0;
    std::size_t terms = 0;
    std::vector<double> term;  // row by row: with mean 0 and standard deviation 1, missing values 0
    std::vector<double> target;
    std::vector<double> weight;
    std::uint64_t key = 0;  // for random numbers: another one at each node
  };
  // Weights of the terms or, with units, the numbers of a Layer. Empty: no answer.
  struct Answer {
    std::int32_t units = 0;
    std::vector<double> weight;
  };

  Finder() = default;
  Finder(const Finder&) = delete;
  Finder& operator=(const Finder&) = delete;
  virtual ~Finder() = default;

  // By one thread at a time.
  [[nodiscard]] virtual Answer find(Question question) const = 0;
};

}  // namespace bough
