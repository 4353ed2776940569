// A cut drawn between the smallest and the largest value of a node (extremely randomized trees): no order is needed,
// only the sums below the cut. Rows without a value are tried on either side, or left out.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "bough/forest/keys.hpp"
#include "bough/forest/known.hpp"
#include "bough/forest/node.hpp"
#include "bough/forest/seeds.hpp"

namespace bough::forest {

// A float from the lowest value on and below the highest, every place with the same chance.
inline std::uint32_t draw_cut(std::uint32_t lowest, std::uint32_t highest, Words& words) {
  const double from = key_float(lowest);
  const double to = key_float(highest);
  const double drawn = from + (to - from) * (static_cast<double>(words.next()) * 0x1p-32);
  if (!std::isfinite(drawn)) return lowest;
  const std::uint32_t key = float_key(static_cast<float>(drawn));
  return key < highest && key >= lowest ? key : lowest;
}

template <class Node>
void enter_random_cut(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t lowest,
                      std::uint32_t highest, std::uint32_t missing, const std::type_identity_t<KnownRows<Node>>* known,
                      std::uint32_t draw, Words& words, Contest<typename Node::Score>& contest) {
  Cut cut;
  cut.draw = draw;
  cut.key = lowest == highest ? highest : draw_cut(lowest, highest, words);
  cut.apart = lowest == highest ? 1 : 0;
  if (known != nullptr) {
    auto low = known->node().low();
    for (std::uint32_t i = 0; i < rows.size; ++i) {
      if (key[i] != missing && key[i] <= cut.key) Node::add(low, payload(rows.entry[i]), rows.value_at(i));
    }
    known->enter(cut, low, contest);
    return;
  }
  bool any_missing = false;
  const auto enter = [&](bool missing_low) {
    auto low = node.low();
    for (std::uint32_t i = 0; i < rows.size; ++i) {
      const bool without = key[i] == missing;
      any_missing |= without;
      if (without ? missing_low : key[i] <= cut.key) Node::add(low, payload(rows.entry[i]), rows.value_at(i));
    }
    cut.missing_high = missing_low ? 0 : 1;
    cut.score = node.score_of(low);
    node.fill(cut, low);
    contest.enter(cut);
  };
  enter(false);
  if (any_missing && lowest != highest) enter(true);
}

}  // namespace bough::forest
