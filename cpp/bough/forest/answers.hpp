// The answers of leaves, each kept once: most leaves of a forest of classes hold a few rows of one class.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bough/forest/grown.hpp"

namespace bough::forest {

class ClassAnswers {
 public:
  explicit ClassAnswers(std::uint32_t classes) : classes_(classes) {}

  void clear() {
    pure_.clear();
    mixed_.clear();
  }
  // The number of the answer with these weights of the classes.
  std::uint32_t number(std::span<const std::int64_t> by_class, GrownTree& tree) {
    std::uint32_t held = 0;
    std::uint32_t last = 0;
    std::uint64_t weight = 0;
    for (std::uint32_t k = 0; k < classes_; ++k) {
      if (by_class[k] == 0) continue;
      ++held;
      last = k;
      weight += static_cast<std::uint64_t>(by_class[k]);
    }
    const auto next = static_cast<std::uint32_t>(tree.weight.size());
    if (held == 1) {
      const auto [at, fresh] = pure_.try_emplace((weight << 24U) | last, next);
      if (!fresh) return at->second;
    } else {
      std::vector<std::int64_t> key(by_class.begin(), by_class.begin() + classes_);
      const auto [at, fresh] = mixed_.try_emplace(std::move(key), next);
      if (!fresh) return at->second;
    }
    for (std::uint32_t k = 0; k < classes_; ++k) tree.count.push_back(static_cast<std::uint32_t>(by_class[k]));
    tree.weight.push_back(static_cast<std::uint32_t>(weight));
    return next;
  }

 private:
  std::uint32_t classes_;
  std::unordered_map<std::uint64_t, std::uint32_t> pure_;  // by weight and class
  std::map<std::vector<std::int64_t>, std::uint32_t> mixed_;
};

}  // namespace bough::forest
