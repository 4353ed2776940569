// bough._core.absolute_errors_along: a statistic that Python cannot have by sums.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/interpreter.hpp"
#include "bough/base/error.hpp"
#include "bough/search/two_pass.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

// After each row: the sum of the weighted distances of the rows so far from their median.
nb::object absolute_errors_along(const nb::object& values, const nb::object& weights) {
  const std::vector<double> value = from_numpy<double>(values, "values");
  const std::vector<double> weight = from_numpy<double>(weights, "weights");
  if (value.size() != weight.size()) throw InvalidInput("weights", "one for each value");
  std::vector<double> errors;
  {
    const Unlocked unlocked;
    std::vector<std::uint32_t> order(value.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return value[i]; });
    std::vector<std::uint32_t> rank(value.size());
    for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<std::uint32_t>(i);
    const double origin = value.empty() ? 0.0 : value[order[order.size() / 2]];
    AbsoluteSide side(value.size(), value.data(), rank.data(), weight.data(), origin);
    errors.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      side.add(static_cast<std::uint32_t>(i));
      errors.push_back(std::max(0.0, side.cost()));
    }
  }
  return to_numpy(std::move(errors));
}

}  // namespace

void bind_stats(nb::module_& m) { m.def("absolute_errors_along", &absolute_errors_along, "values"_a, "weights"_a); }

}  // namespace bough::python
