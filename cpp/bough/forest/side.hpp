// Which branch each row of a node takes at its best cut, and what the node remembers of it: keys between which the cut
// lies, or the set of levels that take the high branch, those among them that the node has not seen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bough/forest/grown.hpp"
#include "bough/forest/keys.hpp"
#include "bough/forest/level_order.hpp"
#include "bough/forest/options.hpp"
#include "bough/forest/scores.hpp"
#include "bough/forest/seeds.hpp"

namespace bough::forest {

inline constexpr std::uint32_t kUncounted = ~0U;

class Side {
 public:
  // Calls use(whether a key takes the high branch, how many rows take the low one or `kUncounted`, what the node asks).
  template <class Search, class Use>
  void with(const Search& search, const ForestOptions& options, const KeyColumn& of, const std::uint32_t* key,
            std::uint32_t rows, std::int64_t weight, std::uint64_t seed, std::vector<std::uint32_t>& sets,
            const Use& use) {
    const Cut& cut = search.best();
    GrownNode asks;
    asks.column = search.column();
    Shares shares = {cut.weight, weight, seed};
    if (cut.base != 0) {
      // Rows that were left out count on neither side.
      if (cut.missing_high == 0) shares.low -= weight - cut.base;
      shares.both = cut.base;
    }
    if (of.by_sets()) {
      sort_out_levels(search.levels(), options, of, cut, shares);
      asks.low = write(of, sets);
      asks.missing_high = high_[of.levels - 1];
      use([high = high_.data()](std::uint32_t k) { return high[k] != 0; }, kUncounted, asks);
      return;
    }
    bool any_missing = false;
    std::uint32_t low = 0;
    std::uint32_t high = kUncounted;
    std::uint32_t highs = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
      const std::uint32_t k = key[i];
      const bool missing = k == of.missing;
      const bool above = k > cut.key;
      any_missing |= missing;
      highs += above ? 1U : 0U;
      low = std::max(low, above ? 0U : k);
      high = std::min(high, above && !missing ? k : kUncounted);
    }
    asks.low = options.random_cuts ? cut.key : low;
    asks.high = high;
    asks.missing_high = any_missing ? cut.missing_high : side_of_missing(options, shares);
    if (of.levels > 0) {
      sort_out_places(options, of, cut, shares, asks);
      asks.low = write(of, sets);
    }
    if (any_missing) {
      use([key_of = of.missing, side = cut.missing_high != 0,
           at = cut.key](std::uint32_t k) { return k == key_of ? side : k > at; },
          kUncounted, asks);
    } else {
      use([at = cut.key](std::uint32_t k) { return k > at; }, rows - highs, asks);
    }
  }

  // What is known against what is missing.
  GrownNode apart(std::uint32_t column, const KeyColumn& of, std::vector<std::uint32_t>& sets) {
    GrownNode asks;
    asks.column = column;
    asks.high = kUncounted;
    asks.missing_high = 1;
    if (of.levels > 0) {
      high_.assign(of.levels, 0);
      high_.back() = 1;
      asks.low = write(of, sets);
    }
    return asks;
  }

 private:
  // The weights that a cut was scored by, and the seed of what is drawn by them.
  struct Shares {
    std::int64_t low;
    std::int64_t both;
    std::uint64_t seed;
    [[nodiscard]] std::uint8_t heavier() const { return 2 * low < both ? 1 : 0; }
  };

  // Where nothing is known of rows without a value.
  static std::uint8_t side_of_missing(const ForestOptions& options, const Shares& shares) {
    if (options.missing != Missing::random) return shares.heavier();
    return is_below(Words(missing_seed(shares.seed)).next(), shares.low, shares.both) ? 0 : 1;
  }

  // Fills in the levels that have no side yet; that of missing values, the last, has.
  void fill_absent(const ForestOptions& options, const Shares& shares) {
    Words words(absent_seed(shares.seed));
    const std::uint8_t fixed = options.absent == Absent::missing ? high_.back() : shares.heavier();
    for (std::uint8_t& side : high_) {
      if (side != kOpen) continue;
      side = fixed;
      if (options.absent == Absent::random) side = is_below(words.next(), shares.low, shares.both) ? 0 : 1;
    }
  }

  template <class Levels>
  void sort_out_levels(const Levels& levels, const ForestOptions& options, const KeyColumn& of, const Cut& cut,
                       const Shares& shares) {
    if (cut.apart != 0) {
      high_.assign(of.levels, 0);
      high_.back() = 1;
      return;
    }
    high_.assign(of.levels, kOpen);
    for (const std::uint32_t level : levels.low()) high_[level] = 0;
    for (const std::uint32_t level : levels.high()) high_[level] = 1;
    if (cut.base != 0) high_.back() = cut.missing_high;
    if (high_.back() == kOpen) high_.back() = side_of_missing(options, shares);
    fill_absent(options, shares);
  }

  // Levels in the order of the forest, cut as numbers.
  void sort_out_places(const ForestOptions& options, const KeyColumn& of, const Cut& cut, const Shares& shares,
                       const GrownNode& asks) {
    high_.assign(of.levels, 0);
    high_.back() = asks.missing_high;
    if (cut.apart != 0) return;
    const double threshold = options.random_cuts ? static_cast<double>(key_float(asks.low))
                                                 : (static_cast<double>(asks.low) + static_cast<double>(asks.high)) / 2;
    for (std::uint32_t level = 0; level + 1 < of.levels; ++level) {
      const std::uint32_t place = of.place[level];
      high_[level] = static_cast<double>(place) > threshold ? 1 : 0;
      if (place == kNoPlace) high_[level] = kOpen;
    }
    fill_absent(options, shares);
  }

  // Where the set begins.
  [[nodiscard]] std::uint32_t write(const KeyColumn& of, std::vector<std::uint32_t>& sets) const {
    const auto begin = static_cast<std::uint32_t>(sets.size());
    sets.resize(begin + (std::size_t{of.levels} + 31) / 32, 0);
    for (std::uint32_t level = 0; level < of.levels; ++level) {
      if (high_[level] != 0) sets[begin + level / 32] |= 1U << (level % 32);
    }
    return begin;
  }

  static constexpr std::uint8_t kOpen = 2;
  std::vector<std::uint8_t> high_;  // by level: its branch
};

}  // namespace bough::forest
