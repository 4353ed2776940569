// See check_layers.hpp.
#include "bough/tree/check_layers.hpp"

#include <algorithm>
#include <string>

#include "bough/tree/checks.hpp"

namespace bough {

void check_layer_sizes(const TermLists& lists) {
  const Layers& layers = lists.layers;
  check_lists("net_begin", layers.begin, layers.weight.size());
  expect_size("net_hidden", layers.units.size(), layers.begin.size() - 1);
  if (layers.units.empty()) return;
  expect_size("net_hidden", layers.units.size(), static_cast<std::size_t>(lists.size()));
  for (std::int64_t k = 0; k < lists.size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const std::int32_t units = layers.units[at];
    if (units < 0 || units > Layer::most) {
      fail("net_hidden", at,
           "expected 1 to " + std::to_string(Layer::most) + " units, or 0 for a sum, found " + std::to_string(units));
    }
    const std::size_t expected = Layer::size(lists.begin[at + 1] - lists.begin[at], units);
    const std::size_t found = layers.numbers(k).size();
    if (found != expected) {
      fail("net_begin", at + 1,
           "the layer needs " + std::to_string(expected) + " weights, found " + std::to_string(found));
    }
  }
  if (std::ranges::all_of(layers.units, [](std::int32_t units) { return units == 0; })) {
    throw InvalidInput("net_hidden", "no list has units: expected no entry");
  }
}

void check_layers(const TermLists& lists) {
  const Layers& layers = lists.layers;
  check_finite("net_weight", layers.weight);
  for (std::int64_t k = 0; k < lists.size(); ++k) {
    const std::int32_t units = layers.of(k);
    for (std::int64_t t = lists.begin[k]; units > 0 && t < lists.begin[k + 1]; ++t) {
      const double pull = pull_of(layers.numbers(k), units, t - lists.begin[k]);
      if (lists.weight[t] == pull) continue;
      fail("lin_weight", static_cast<std::size_t>(t),
           "in a network it is what the term pulls, " + std::to_string(pull) + ", found " +
               std::to_string(lists.weight[t]));
    }
  }
}

}  // namespace bough
