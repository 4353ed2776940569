// bough._core.shapley_values: what each column of each row adds to its answer.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/columns.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bough/base/error.hpp"
#include "bough/base/watch.hpp"
#include "bough/explain/tree_shap.hpp"
#include "bough/leaf/constant.hpp"
#include "bough/tree/tree.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

nb::object shapley_of_rows(const Tree& tree, const nb::sequence& items, std::int32_t n_threads, double m,
                           const nb::object& prior) {
  const Columns columns = read_columns(items);
  if (columns.views.empty()) throw InvalidInput("columns", "a table has at least one column");
  Smoothing smoothing;
  smoothing.m = m;
  if (!prior.is_none()) smoothing.prior = from_numpy<double>(prior, "prior");
  Watch watch{Asker(nb::none())};
  Shapley found;
  {
    const Unlocked unlocked;
    found = shapley_values(tree, columns.views, static_cast<std::int64_t>(columns.rows), smoothing, n_threads, watch);
  }
  const std::size_t outputs = found.base.size();
  return nb::make_tuple(to_numpy<double, 3>(std::move(found.values), {columns.rows, columns.views.size(), outputs}),
                        to_numpy(std::move(found.base)));
}

}  // namespace

void bind_explain(nb::module_& m) {
  m.def("shapley_values", &shapley_of_rows, "tree"_a, "columns"_a, "n_threads"_a = 1, "m"_a = 0.0,
        "prior"_a = nb::none());
}

}  // namespace bough::python
