// A node while it is searched: its rows, what is known of them all, and how a scan adds them up. One form for two
// classes, one for many (a number of classes that the compiler knows, or any), one for numbers.
//
// `add` adds a row to the low side and keeps all sums right. `add_masked` adds it or nothing, all bits of the mask set
// or none, without a branch, for sides that follow no pattern; after the last row `settle` makes the sums that it left.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/forest/scores.hpp"

namespace bough::forest {

// Sums of the rows on the low side of a cut, added up row by row.
struct TwoNode : TwoClasses {
  using Score = TwoClasses;
  static constexpr bool kNumbers = false;
  static constexpr bool kMany = false;
  static constexpr bool kEntropy = false;
  static constexpr bool kBinned = true;

  struct Low {
    std::int64_t weight = 0;
    std::int64_t one = 0;
  };
  [[nodiscard]] Low low() const { return {}; }
  static std::uint32_t weight_of(std::uint32_t payload) { return payload >> 1U; }
  static void add(Low& low, std::uint32_t payload, std::int64_t /*value*/) {
    low.weight += payload >> 1U;
    low.one += (payload & 1U) != 0 ? payload >> 1U : 0;
  }
  static void add_masked(std::uint32_t mask, Low& low, std::uint32_t payload, std::int64_t /*value*/) {
    const std::uint32_t weight = (payload >> 1U) & mask;
    low.weight += weight;
    low.one += weight & (0U - (payload & 1U));
  }
  static void settle(Low& /*low*/) {}
  [[nodiscard]] double score_of(const Low& low) const {
    return score(static_cast<double>(low.weight), static_cast<double>(low.one));
  }
  [[nodiscard]] bool may_reach(const Low& low, double bar) const {
    return reaches(static_cast<double>(low.weight), static_cast<double>(low.one), bar);
  }
  static void fill(Cut& cut, const Low& low) {
    cut.weight = low.weight;
    cut.sum = low.one;
  }
};

struct NumberNode : Numbers {
  using Score = Numbers;
  static constexpr bool kNumbers = true;
  static constexpr bool kMany = false;
  static constexpr bool kEntropy = false;
  static constexpr bool kBinned = true;
  std::int64_t largest = 0;  // of the centred values
  std::int64_t smallest = 0;

  struct Low {
    std::int64_t weight = 0;
    std::int64_t sum = 0;
  };
  [[nodiscard]] Low low() const { return {}; }
  static std::uint32_t weight_of(std::uint32_t payload) { return payload; }
  static void add(Low& low, std::uint32_t payload, std::int64_t value) {
    low.weight += payload;
    low.sum += static_cast<std::int64_t>(payload) * value;
  }
  static void add_masked(std::uint32_t mask, Low& low, std::uint32_t payload, std::int64_t value) {
    add(low, payload & mask, value);
  }
  static void settle(Low& /*low*/) {}
  [[nodiscard]] double score_of(const Low& low) const {
    return score(static_cast<double>(low.weight), static_cast<double>(low.sum));
  }
  [[nodiscard]] bool may_reach(const Low& low, double bar) const {
    return reaches(static_cast<double>(low.weight), static_cast<double>(low.sum), bar);
  }
  static void fill(Cut& cut, const Low& low) {
    cut.weight = low.weight;
    cut.sum = low.sum;
  }
};

// `padded` classes, a power of two that the compiler knows; 0: any number, and nodes are sorted instead of binned.
template <unsigned padded>
struct ManyNode : ManyClasses {
  using Score = ManyClasses;
  static constexpr bool kNumbers = false;
  static constexpr bool kMany = true;
  static constexpr bool kEntropy = false;
  static constexpr bool kBinned = padded != 0;
  static constexpr unsigned kPadded = padded;
  static constexpr unsigned kClassBits = padded == 0 ? 16 : 4;
  std::uint32_t classes = 0;
  std::uint32_t labels = 0;  // classes without those that only pad
  const std::int64_t* total = nullptr;  // weight of each class, `classes` (or `padded`) of them
  std::int64_t squares = 0;  // of `total`
  std::int64_t* scratch = nullptr;  // as many, for the low side

  struct Low {
    std::int64_t weight = 0;
    std::int64_t squares = 0;
    std::int64_t cross = 0;  // with `total`
    std::int64_t* by_class = nullptr;
    const std::int64_t* total = nullptr;
  };
  [[nodiscard]] Low low() const {
    std::fill_n(scratch, classes, 0);
    return {0, 0, 0, scratch, total};
  }
  static std::uint32_t weight_of(std::uint32_t payload) { return payload >> kClassBits; }
  static void add_class(Low& low, std::uint32_t k, std::int64_t w) {
    std::int64_t& of = low.by_class[k];
    low.squares += w * (2 * of + w);
    of += w;
    low.cross += w * low.total[k];
    low.weight += w;
  }
  static void add(Low& low, std::uint32_t payload, std::int64_t /*value*/) {
    add_class(low, payload & ((1U << kClassBits) - 1), payload >> kClassBits);
  }
  static void add_masked(std::uint32_t mask, Low& low, std::uint32_t payload, std::int64_t /*value*/) {
    low.by_class[payload & ((1U << kClassBits) - 1)] += (payload & mask) >> kClassBits;
  }
  void settle(Low& low) const {
    for (std::uint32_t k = 0; k < classes; ++k) {
      const std::int64_t weight = low.by_class[k];
      low.weight += weight;
      low.squares += weight * weight;
      low.cross += weight * low.total[k];
    }
  }
  [[nodiscard]] std::int64_t rest(const Low& low) const { return squares - 2 * low.cross + low.squares; }
  [[nodiscard]] double score_of(const Low& low) const {
    return score(static_cast<double>(low.weight), static_cast<double>(low.squares), static_cast<double>(rest(low)));
  }
  [[nodiscard]] bool may_reach(const Low& low, double bar) const {
    return reaches(static_cast<double>(low.weight), static_cast<double>(low.squares), static_cast<double>(rest(low)),
                   bar);
  }
  void fill(Cut& cut, const Low& low) const {
    cut.weight = low.weight;
    cut.sum = low.squares;
    cut.rest = rest(low);
  }
  // Makes it a node with these weights of the classes.
  void become(const std::int64_t* by_class, double weight) {
    n = weight;
    total = by_class;
    squares = 0;
    for (std::uint32_t k = 0; k < classes; ++k) squares += by_class[k] * by_class[k];
  }
};

// The rows of the node at hand, in the order of their entries.
template <class Node>
struct Rows {
  const Entry* entry = nullptr;
  const std::int64_t* value = nullptr;  // centred, of numbers
  std::uint32_t size = 0;

  [[nodiscard]] std::int64_t value_at(std::uint32_t i) const {
    if constexpr (Node::kNumbers) return value[i];
    return 0;
  }
};

}  // namespace bough::forest
