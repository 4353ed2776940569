// Where the draws of a covering come from: our own generator, or Java's.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <variant>

#include "bough/base/random.hpp"
#include "bough/cover/java_random.hpp"

namespace bough {

class Draws {
 public:
  explicit Draws(const Random& own) : source_(own) {}
  explicit Draws(const JavaRandom& java) : source_(java) {}

  template <class T>
  void shuffle(std::span<T> items) {
    std::visit(
        [&](auto& source) {
          for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[source.below(i)]);
        },
        source_);
  }

 private:
  std::variant<Random, JavaRandom> source_;
};

}  // namespace bough
