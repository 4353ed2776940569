// Which branch a row takes: the feature of a split has a value, and the partition of the split says where it belongs.
// The one reading of tests, for rows of values and rows of ranks (feature/row.hpp); quicker ways are tables made by it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

#include "bough/feature/all_of.hpp"
#include "bough/feature/largest.hpp"
#include "bough/feature/linear.hpp"
#include "bough/feature/state.hpp"
#include "bough/split/split.hpp"

namespace bough {

// The number of the interval that a value lies in, `below(e)` telling whether it lies below edge e; edges rise.
template <class Below>
[[nodiscard]] std::int64_t interval_of(std::int64_t edges, const Below& below) {
  const auto all = std::views::iota(std::int64_t{0}, edges);
  return std::ranges::partition_point(all, [&](std::int64_t e) { return !below(e); }) - all.begin();
}

// The branch of a level, or State::absent if none of the codes, which rise, is it.
[[nodiscard]] inline std::int32_t branch_of_level(std::span<const std::int32_t> codes,
                                                  std::span<const std::int32_t> branches, std::int32_t code) {
  const auto found = std::ranges::lower_bound(codes, code);
  if (found == codes.end() || *found != code) return State::absent;
  return branches[static_cast<std::size_t>(found - codes.begin())];
}

// A partition of levels.
[[nodiscard]] inline std::int32_t by_level(const SplitPool& pool, std::int64_t split, std::int32_t code) {
  const std::uint64_t set = pool.payload[split];
  const auto begin = static_cast<std::size_t>(pool.set_begin[set]);
  const auto size = static_cast<std::size_t>(pool.set_begin[set + 1]) - begin;
  return branch_of_level(std::span(pool.set_code).subspan(begin, size), std::span(pool.set_branch).subspan(begin, size),
                         code);
}

// A partition of numbers: a threshold or intervals. `is_low(t)` tells on which side of t the number is.
template <class IsLow>
[[nodiscard]] std::int32_t by_number(const SplitPool& pool, std::int64_t split, const IsLow& is_low) {
  const std::int32_t low = pool.low[split];
  const Side side = pool.side[split];
  if (pool.kind[split] == SplitKind::threshold) {
    return is_low(Threshold{pool.payload[split], pool.value_type[split], side}) ? low : 1 - low;
  }
  const auto list = static_cast<std::int64_t>(pool.payload[split]);
  const std::int64_t begin = pool.edge_begin[list];
  const std::int64_t interval = interval_of(pool.edge_begin[list + 1] - begin, [&](std::int64_t e) {
    return is_low(Threshold{pool.edge_bits[begin + e], pool.edge_type[begin + e], side});
  });
  return pool.interval_branch[begin + list + interval];
}

// The branch of a row, or the State in which the split does not know it.
template <class Row>
[[nodiscard]] std::int32_t branch_of(const SplitPool& pool, std::int64_t split, const Row& row) {
  const SplitKind kind = pool.kind[split];
  if (kind == SplitKind::holds) {
    const std::int32_t holds = all_of(pool.terms, static_cast<std::int64_t>(pool.payload[split]), row);
    if (holds < 0) return holds;
    return holds == 1 ? pool.low[split] : 1 - pool.low[split];
  }
  if (const std::int32_t list = pool.derived_of(split); list >= 0) {
    if (kind == SplitKind::levels) {
      const std::int32_t largest = largest_of(pool.sums, list, row);
      return largest < 0 ? largest : by_level(pool, split, largest);
    }
    const Sum sum = number_of(pool.sums, list, row);
    if (sum.state != State::known) return sum.state;
    return by_number(pool, split, [&](const Threshold& threshold) {
      return threshold.side == Side::le ? sum.value <= threshold.as_f64() : sum.value < threshold.as_f64();
    });
  }
  const std::int32_t column = pool.column[split];
  const std::int32_t state = row.state(column, kind == SplitKind::levels);
  if (state != State::known) return state;
  if (kind == SplitKind::levels) return by_level(pool, split, row.code(column));
  return by_number(pool, split, [&](const Threshold& threshold) { return row.is_low(column, threshold); });
}

}  // namespace bough
