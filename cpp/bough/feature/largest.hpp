// The feature "which sum is the largest": several sums of the same terms compete, each with weights and a constant of
// its own, and the value is the number of the one that wins (a linear machine, linear discriminant functions). Its
// values are levels 0, 1, ..., one for each sum, so that a set of levels parts them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/feature/linear.hpp"

namespace bough {

// By how much the largest and the smallest weight of a term differ: what the term says about which sum wins.
[[nodiscard]] double spread_of(std::span<const double> machine, std::size_t terms, std::size_t term);

// The number of the largest sum, the lowest of equal ones, or a State. Each sum adds its terms in their order, then its
// constant. Missing as a sum is, and also where one of them is not finite.
template <class Row>
[[nodiscard]] std::int32_t largest_of(const TermLists& lists, std::int64_t list, const Row& row) {
  constexpr std::size_t kFew = 16;
  const std::span<const double> machine = lists.machine(list);
  const std::int64_t first = lists.begin[list];
  const auto width = static_cast<std::size_t>(lists.begin[list + 1] - first) + 1;
  const std::size_t count = machine.size() / width;
  std::array<double, kFew> few{};
  std::vector<double> many(count > kFew ? count : 0, 0.0);
  double* sum = count > kFew ? many.data() : few.data();
  const std::int32_t state = each_term(lists, list, row, [&](std::int64_t t, double x) {
    const double* weight = machine.data() + (t - first);
    for (std::size_t k = 0; k < count; ++k) sum[k] += weight[k * width] * x;
  });
  if (state != State::known) return state;
  std::size_t best = 0;
  for (std::size_t k = 0; k < count; ++k) {
    sum[k] += machine[k * width + width - 1];
    if (!std::isfinite(sum[k])) return State::missing;
    if (sum[k] > sum[best]) best = k;
  }
  return static_cast<std::int32_t>(best);
}

}  // namespace bough
