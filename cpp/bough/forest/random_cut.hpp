// A cut drawn between the smallest and the largest value of a node (extremely randomized trees): no order is needed,
// only the sums below the cut. Rows without a value are tried on either side, or left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
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

// The same by values of which the keys are ranks: the largest of the table up to what is drawn.
inline std::uint32_t draw_rank(std::span<const double> values, std::uint32_t lowest, std::uint32_t highest,
                               Words& words) {
  const double from = values[lowest];
  const double drawn = from + (values[highest] - from) * (static_cast<double>(words.next()) * 0x1p-32);
  if (!std::isfinite(drawn)) return lowest;
  const auto within = values.subspan(lowest, highest - lowest);  // what is drawn may be rounded up to the highest
  const auto above = std::ranges::upper_bound(within, drawn) - within.begin();
  return lowest + static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(above, 1)) - 1;
}

// All bits where a key is at most another, else none. Written as arithmetic, because compilers make a branch of a
// comparison, and which side of a random cut a row is on cannot be foreseen.
inline std::uint32_t mask_up_to(std::uint32_t most, std::uint32_t key) {
  return static_cast<std::uint32_t>((std::uint64_t{key} - most - 1) >> 32U);
}

// The sums of the rows on the low side, for which the mask of the key is set.
template <class Node, class Mask>
typename Node::Low sums_of(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, const Mask& mask) {
  auto low = node.low();
  for (std::uint32_t i = 0; i < rows.size; ++i) {
    Node::add_masked(mask(key[i]), low, payload(rows.entry[i]), rows.value_at(i));
  }
  node.settle(low);
  return low;
}

// `of` has the key of a missing value, above all others.
template <class Node>
void enter_random_cut(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t lowest,
                      std::uint32_t highest, const KeyColumn& of, bool any_missing,
                      const std::type_identity_t<KnownRows<Node>>* known, std::uint32_t draw, Words& words,
                      Contest<typename Node::Score>& contest) {
  Cut cut;
  cut.draw = draw;
  cut.key = highest;
  if (lowest != highest) {
    cut.key =
        of.drawn_from.empty() ? draw_cut(lowest, highest, words) : draw_rank(of.drawn_from, lowest, highest, words);
  }
  cut.apart = lowest == highest ? 1 : 0;
  const auto is_low = [at = cut.key](std::uint32_t k) { return mask_up_to(at, k); };
  if (known != nullptr) {
    known->enter(cut, sums_of(known->node(), rows, key, is_low), contest);
    return;
  }
  const auto enter = [&](const typename Node::Low& low, bool missing_low) {
    cut.missing_high = missing_low ? 0 : 1;
    cut.score = node.score_of(low);
    node.fill(cut, low);
    contest.enter(cut);
  };
  enter(sums_of(node, rows, key, is_low), false);
  if (!any_missing || lowest == highest) return;
  const auto is_low_or_missing = [at = cut.key, missing = of.missing](std::uint32_t k) {
    return mask_up_to(at, k) | (0U - static_cast<std::uint32_t>(k == missing));
  };
  enter(sums_of(node, rows, key, is_low_or_missing), true);
}

}  // namespace bough::forest
