// A node of at most 32 rows, searched without a sort. Two classes: every row adds its weight to all rows whose key is
// not below its own, eight at a time, which gives the low sides of all cuts at once. Otherwise the same comparisons
// give each row its place.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "bough/forest/sorted_scan.hpp"

namespace bough::forest {

inline constexpr std::uint32_t kSmall = 32;

// Keys of a column, padded with the largest to a multiple of eight.
using SmallKeys = std::array<std::int32_t, kSmall>;

namespace detail {

// Compilers that know vector types add four rows at once; the others do the same one by one.
template <std::uint32_t lanes>
void low_sides(const SmallKeys& key, const SmallKeys& weight, std::uint32_t rows, std::int32_t* low) {
#if defined(__GNUC__)
  using Four [[gnu::vector_size(16)]] = std::int32_t;
  std::array<Four, lanes / 4> at;
  std::array<Four, lanes / 4> sum{};
  std::memcpy(at.data(), key.data(), sizeof(at));
  for (std::uint32_t i = 0; i < rows; ++i) {
    const Four k = Four{} + key[i];
    const Four w = Four{} + weight[i];
    for (std::uint32_t v = 0; v < lanes / 4; ++v) sum[v] += w & ~(k > at[v]);
  }
  std::memcpy(low, sum.data(), sizeof(sum));
#else
  std::array<std::int32_t, lanes> sum{};
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) sum[lane] += key[lane] >= key[i] ? weight[i] : 0;
  }
  std::copy_n(sum.data(), lanes, low);
#endif
}

template <std::uint32_t lanes>
std::int32_t rough_scores(const TwoNode& node, const std::int32_t* low, float* rough) {
  const auto n = static_cast<float>(node.n);
  const auto ones = static_cast<float>(node.ones);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const auto left = static_cast<float>(low[lane] & 0xffff);
    const float d = static_cast<float>(low[lane] >> 16) * n - left * ones;
    const float sides = left * (n - left);
    rough[lane] = sides > 0.0F ? d * d / sides : -1.0F;
  }
  // Scores that are not negative are ordered as their bits are.
  std::int32_t most = std::bit_cast<std::int32_t>(-1.0F);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const auto bits = std::bit_cast<std::int32_t>(rough[lane]);
    most = bits > most ? bits : most;
  }
  return most;
}

// For a multiple of eight lanes.
inline void low_sides(std::uint32_t eights, const SmallKeys& key, const SmallKeys& weight, std::uint32_t rows,
                      std::int32_t* low) {
  switch (eights) {
    case 1:
      return low_sides<8>(key, weight, rows, low);
    case 2:
      return low_sides<16>(key, weight, rows, low);
    case 3:
      return low_sides<24>(key, weight, rows, low);
    default:
      return low_sides<32>(key, weight, rows, low);
  }
}

inline std::int32_t rough_scores(std::uint32_t eights, const TwoNode& node, const std::int32_t* low, float* rough) {
  switch (eights) {
    case 1:
      return rough_scores<8>(node, low, rough);
    case 2:
      return rough_scores<16>(node, low, rough);
    case 3:
      return rough_scores<24>(node, low, rough);
    default:
      return rough_scores<32>(node, low, rough);
  }
}

}  // namespace detail

inline constexpr double kSmallWeight = 2048;  // above, sums of a small node do not fit into floats

// Weight below and weight of class 1 above, 16 bits each.
inline void small_weights(const Rows<TwoNode>& rows, SmallKeys& weight) {
  for (std::uint32_t i = 0; i < rows.size; ++i) {
    const std::uint32_t p = payload(rows.entry[i]);
    const std::uint32_t w = p >> 1U;
    weight[i] = static_cast<std::int32_t>(w | ((p & 1U) != 0 ? w << 16U : 0U));
  }
}

inline void search_small(const TwoNode& node, std::uint32_t rows, const SmallKeys& key, const SmallKeys& weight,
                         std::uint32_t draw, Contest<TwoClasses>& contest) {
  alignas(32) std::array<std::int32_t, kSmall> low;
  alignas(32) std::array<float, kSmall> rough;
  const std::uint32_t eights = (rows + 7) / 8;
  detail::low_sides(eights, key, weight, rows, low.data());
  const std::int32_t most = detail::rough_scores(eights, node, low.data(), rough.data());
  constexpr float kRough = 1e-6F;  // more than the error of a score in floats, as a share of it
  const float top = std::bit_cast<float>(most) * (1 - kRough);
  if (top < contest.bar() * (1 - 2e-6)) return;
  for (std::uint32_t i = 0; i < rows; ++i) {
    if (rough[i] < top || rough[i] < 0) continue;
    Cut cut;
    cut.draw = draw;
    cut.key = static_cast<std::uint32_t>(key[i]);
    cut.weight = low[i] & 0xffff;
    cut.sum = low[i] >> 16;
    cut.score = node.score(static_cast<double>(cut.weight), static_cast<double>(cut.sum));
    contest.enter(cut);
  }
}

// Any node: each row's place among the others by counting, then one pass. Keys must leave five bits for the row.
inline constexpr std::uint32_t kPlacedKey = 1U << 26U;

template <class Node>
void search_placed(const Node& node, const Rows<Node>& rows, const SmallKeys& key, std::uint32_t draw,
                   Contest<typename Node::Score>& contest) {
  alignas(32) SmallKeys distinct;  // equal keys in the order of the rows
  alignas(32) SmallKeys ones;
  alignas(32) SmallKeys place;
  ones.fill(1);
  for (std::uint32_t i = 0; i < kSmall; ++i) {
    distinct[i] = i < rows.size ? static_cast<std::int32_t>((static_cast<std::uint32_t>(key[i]) << 5U) | i)
                                : std::numeric_limits<std::int32_t>::max();
  }
  detail::low_sides((rows.size + 7) / 8, distinct, ones, rows.size, place.data());
  std::array<std::uint64_t, kSmall> item;
  for (std::uint32_t i = 0; i < rows.size; ++i) {
    const std::uint32_t low = Node::kNumbers ? i : payload(rows.entry[i]);
    item[static_cast<std::uint32_t>(place[i]) - 1] = (static_cast<std::uint64_t>(key[i]) << 32U) | low;
  }
  Cut cut;
  cut.draw = draw;
  auto low = node.low();
  scan_sorted(node, rows, item.data(), rows.size, cut, low, contest);
}

}  // namespace bough::forest
