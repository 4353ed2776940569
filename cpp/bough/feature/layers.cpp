// See layers.hpp.
#include "bough/feature/layers.hpp"

#include <algorithm>

namespace bough {
namespace {

void fill_up(Layers& layers, std::int64_t lists) {
  layers.units.resize(static_cast<std::size_t>(lists), 0);
  layers.begin.resize(static_cast<std::size_t>(lists) + 1, static_cast<std::int64_t>(layers.weight.size()));
}

}  // namespace

void add_layer(Layers& layers, std::int64_t list, std::int32_t units, std::span<const double> weight) {
  if (units == 0) return;
  fill_up(layers, list);
  layers.units.push_back(units);
  layers.weight.insert(layers.weight.end(), weight.begin(), weight.end());
  layers.begin.push_back(static_cast<std::int64_t>(layers.weight.size()));
}

void tidy(Layers& layers, std::int64_t lists) {
  if (std::ranges::all_of(layers.units, [](std::int32_t units) { return units == 0; })) {
    layers = {};
  } else {
    fill_up(layers, lists);
  }
}

}  // namespace bough
