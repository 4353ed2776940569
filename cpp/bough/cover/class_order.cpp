// See class_order.hpp.
#include "bough/cover/class_order.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "bough/cover/draws.hpp"

namespace bough {
namespace {

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

class Quicksort {
 public:
  Quicksort(std::span<const double> weight, std::span<std::uint32_t> order) : weight_(weight), order_(order) {}

  // Ranges wait on a list: nothing recurs.
  void sort() {
    std::vector<std::pair<std::int64_t, std::int64_t>> waiting = {{0, std::ssize(order_) - 1}};
    while (!waiting.empty()) {
      const auto [left, right] = waiting.back();
      waiting.pop_back();
      const std::int64_t size = right - left + 1;
      if (size < 2) continue;
      if (size <= 3) {
        exchange_if_above(left, left + 1);
        if (size == 2) continue;
        exchange_if_above(left, right);
        exchange_if_above(left + 1, right);
        continue;
      }
      const std::int64_t middle = part(left, right);
      waiting.emplace_back(middle + 1, right);
      waiting.emplace_back(left, middle - 1);
    }
  }

 private:
  [[nodiscard]] double at(std::int64_t i) const { return weight_[order_[i]]; }
  void exchange_if_above(std::int64_t i, std::int64_t j) {
    if (at(i) > at(j)) std::swap(order_[i], order_[j]);
  }
  std::int64_t part(std::int64_t left, std::int64_t right) {
    const std::int64_t centre = (left + right) / 2;
    exchange_if_above(left, centre);
    exchange_if_above(left, right);
    exchange_if_above(centre, right);
    std::swap(order_[centre], order_[right - 1]);
    const double pivot = at(right - 1);
    std::int64_t up = left;
    std::int64_t down = right - 1;
    while (true) {
      while (at(++up) < pivot) {
      }
      while (at(--down) > pivot) {
      }
      if (up >= down) break;
      std::swap(order_[up], order_[down]);
    }
    std::swap(order_[up], order_[right - 1]);
    return up;
  }

  std::span<const double> weight_;
  std::span<std::uint32_t> order_;
};

}  // namespace

std::vector<std::uint32_t> class_order(std::span<const double> weight) {
  std::vector<std::uint32_t> order = numbers(weight.size());
  std::ranges::stable_sort(order, {}, [&](std::uint32_t c) { return weight[c]; });
  return order;
}

std::vector<std::uint32_t> jrip_class_order(std::span<const double> weight, JavaRandom& main) {
  std::vector<std::uint32_t> order = numbers(weight.size());
  Draws(JavaRandom(main.next_int())).shuffle(std::span(order));
  Quicksort(weight, order).sort();
  return order;
}

}  // namespace bough
