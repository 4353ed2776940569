// The hidden layers of the features that are small networks: terms of a row feed units, and the number is a weighted
// sum of the units' tanh. A list of terms (linear.hpp) without units is a plain sum.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bough {

// One layer. Its numbers: for each term the weights that lead to the units, in the units of the column; the constants
// of the units; what each unit counts; the constant of all.
struct Layer {
  static constexpr std::int32_t most = 64;  // units

  std::int32_t units = 0;  // 0: none
  std::vector<double> weight;

  // How many numbers a layer has.
  [[nodiscard]] static std::size_t size(std::int64_t terms, std::int32_t units) {
    return units == 0 ? 0 : static_cast<std::size_t>((terms + 1) * units + units + 1);
  }
};

// By list of terms.
struct Layers {
  std::vector<std::int32_t> units;  // 0: a plain sum; empty: all of them are
  std::vector<std::int64_t> begin = {0};
  std::vector<double> weight;

  [[nodiscard]] std::int32_t of(std::int64_t list) const { return units.empty() ? 0 : units[list]; }
  [[nodiscard]] std::span<const double> numbers(std::int64_t list) const {
    const auto first = static_cast<std::size_t>(begin[list]);
    return std::span(weight).subspan(first, static_cast<std::size_t>(begin[list + 1]) - first);
  }
};

// What a term weighs: how fast the number can move with it. |weight to a unit x what the unit counts|, summed up.
[[nodiscard]] inline double pull_of(std::span<const double> layer, std::int32_t units, std::int64_t term) {
  const auto h = static_cast<std::size_t>(units);
  const double* counts = layer.data() + layer.size() - h - 1;
  double pull = 0.0;
  for (std::size_t u = 0; u < h; ++u) pull += std::abs(layer[static_cast<std::size_t>(term) * h + u] * counts[u]);
  return pull;
}

// A pass through a layer: terms are added in their order, then the units in theirs.
class Pass {
 public:
  Pass(std::span<const double> layer, std::int32_t units)
      : layer_(layer), units_(static_cast<std::size_t>(units)), counts_(layer.data() + layer.size() - units_ - 1) {
    const double* constants = counts_ - units_;
    for (std::size_t u = 0; u < units_; ++u) sum_[u] = constants[u];
  }

  void add(std::int64_t term, double x) {
    const double* weight = layer_.data() + static_cast<std::size_t>(term) * units_;
    for (std::size_t u = 0; u < units_; ++u) sum_[u] += weight[u] * x;
  }
  [[nodiscard]] double number() const {
    double number = counts_[units_];
    for (std::size_t u = 0; u < units_; ++u) number += counts_[u] * std::tanh(sum_[u]);
    return number;
  }

 private:
  std::span<const double> layer_;
  std::size_t units_;
  const double* counts_;
  double sum_[Layer::most];
};

// Appends the layer of the list of terms added last, which is number `list`; one without units is a plain sum.
void add_layer(Layers& layers, std::int64_t list, std::int32_t units, std::span<const double> weight);
// Fills up to as many lists, or empties them if none has units.
void tidy(Layers& layers, std::int64_t lists);

}  // namespace bough
