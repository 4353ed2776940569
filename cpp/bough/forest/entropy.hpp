// Entropy instead of Gini, for any number of classes: the information gained by a cut in bits, times the weight of the
// node. Scores are doubles, functions of exact sums; no bound says which bins may hide a cut, so that nodes are sorted.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "bough/forest/node.hpp"

namespace bough::forest {

// Weights times their binary logarithm, those of most nodes looked up.
class Bits {
 public:
  Bits() {
    for (std::size_t w = 0; w < held_.size(); ++w) held_[w] = of(static_cast<std::int64_t>(w));
  }
  double operator()(std::int64_t weight) const {
    return weight < kHeld ? held_[static_cast<std::size_t>(weight)] : of(weight);
  }

 private:
  static constexpr std::int64_t kHeld = 4096;
  static double of(std::int64_t weight) {
    return weight > 0 ? static_cast<double>(weight) * std::log2(static_cast<double>(weight)) : 0.0;
  }
  std::array<double, kHeld> held_;
};

inline const Bits& bits() {
  static const Bits table;
  return table;
}

// `padded` says how a class lies beside its weight, as in other nodes; no class only pads.
template <unsigned padded>
struct EntropyNode : ManyNode<padded> {
  using Base = ManyNode<padded>;
  using Low = typename Base::Low;
  static constexpr bool kEntropy = true;
  static constexpr bool kBinned = false;
  double whole = 0;  // minus the entropy of the node, times its weight

  void become(const std::int64_t* by_class, double weight) {
    Base::become(by_class, weight);
    whole = certainty(by_class, static_cast<std::int64_t>(weight));
  }
  [[nodiscard]] double certainty(const std::int64_t* by_class, std::int64_t weight) const {
    double sum = 0;
    for (std::uint32_t k = 0; k < this->classes; ++k) sum += bits()(by_class[k]);
    return sum - bits()(weight);
  }
  [[nodiscard]] double score_of(const Low& low) const {
    double rest = 0;
    for (std::uint32_t k = 0; k < this->classes; ++k) rest += bits()(this->total[k] - low.by_class[k]);
    const double high = rest - bits()(static_cast<std::int64_t>(this->n) - low.weight);
    return std::max(0.0, certainty(low.by_class, low.weight) + high - whole);
  }
  [[nodiscard]] bool may_reach(const Low& /*low*/, double /*bar*/) const { return true; }
};

}  // namespace bough::forest
