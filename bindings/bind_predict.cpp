// bough._core.apply, decision_path, probabilities, answer_values and spread_...: rows of a table to nodes, and nodes to
// answers.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/columns.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bough/base/error.hpp"
#include "bough/base/watch.hpp"
#include "bough/predict/answers.hpp"
#include "bough/predict/apply.hpp"
#include "bough/tree/tree.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

using NodeArray = nb::ndarray<nb::ro, std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Columns read_table(const nb::sequence& items) {
  Columns columns = read_columns(items);
  if (columns.views.empty()) throw InvalidInput("columns", "a table has at least one column");
  return columns;
}

std::vector<std::int32_t> apply_nodes(const Tree& tree, const nb::sequence& items, std::int32_t n_threads) {
  const Columns columns = read_table(items);
  Watch watch{Asker(nb::none())};
  const Unlocked unlocked;
  return apply(tree, columns.views, static_cast<std::int64_t>(columns.rows), n_threads, watch);
}

Smoothing read_smoothing(double m, const nb::object& prior) {
  Smoothing smoothing;
  smoothing.m = m;
  if (!prior.is_none()) smoothing.prior = from_numpy<double>(prior, "prior");
  return smoothing;
}

nb::object probabilities(const Tree& tree, const NodeArray& nodes, double m, const nb::object& prior) {
  const std::size_t rows = nodes.shape(0);
  const std::size_t classes = tree.class_scale.size();
  const Smoothing smoothing = read_smoothing(m, prior);
  std::vector<double> shares(rows * classes);
  {
    const Unlocked unlocked;
    class_probabilities(tree, {nodes.data(), rows}, smoothing, shares);
  }
  return to_numpy<double, 2>(std::move(shares), {rows, classes});
}

nb::object probabilities_of_rows(const Tree& tree, const nb::sequence& items, std::int32_t n_threads, double m,
                                 const nb::object& prior) {
  const Columns columns = read_table(items);
  const std::size_t classes = tree.class_scale.size();
  const Smoothing smoothing = read_smoothing(m, prior);
  std::vector<double> shares(columns.rows * classes);
  Watch watch{Asker(nb::none())};
  {
    const Unlocked unlocked;
    spread_probabilities(tree, columns.views, static_cast<std::int64_t>(columns.rows), smoothing, n_threads, watch,
                         shares);
  }
  return to_numpy<double, 2>(std::move(shares), {columns.rows, classes});
}

nb::object values_of_rows(const Tree& tree, const nb::sequence& items, std::int32_t n_threads) {
  const Columns columns = read_table(items);
  std::vector<double> values(columns.rows);
  Watch watch{Asker(nb::none())};
  {
    const Unlocked unlocked;
    spread_values(tree, columns.views, static_cast<std::int64_t>(columns.rows), n_threads, watch, values);
  }
  return to_numpy(std::move(values));
}

nb::object values_of_nodes(const Tree& tree, const nb::sequence& items, const NodeArray& nodes,
                           std::int32_t n_threads) {
  const Columns columns = read_table(items);
  if (nodes.shape(0) != columns.rows) {
    throw InvalidInput("nodes", "expected one for each of " + std::to_string(columns.rows) + " rows, found " +
                                    std::to_string(nodes.shape(0)));
  }
  std::vector<double> values(columns.rows);
  Watch watch{Asker(nb::none())};
  {
    const Unlocked unlocked;
    answer_values(tree, columns.views, {nodes.data(), columns.rows}, n_threads, watch, values);
  }
  return to_numpy(std::move(values));
}

}  // namespace

void bind_predict(nb::module_& m) {
  m.def(
      "apply",
      [](const Tree& tree, const nb::sequence& columns, std::int32_t n_threads) {
        return to_numpy(apply_nodes(tree, columns, n_threads));
      },
      "tree"_a, "columns"_a, "n_threads"_a = 1);
  m.def(
      "decision_path",
      [](const Tree& tree, const nb::sequence& columns, std::int32_t n_threads) {
        const std::vector<std::int32_t> nodes = apply_nodes(tree, columns, n_threads);
        Paths paths;
        {
          const Unlocked unlocked;
          paths = paths_to(tree, nodes);
        }
        return nb::make_tuple(to_numpy(std::move(paths.indptr)), to_numpy(std::move(paths.indices)));
      },
      "tree"_a, "columns"_a, "n_threads"_a = 1);
  m.def("probabilities", &probabilities, "tree"_a, "nodes"_a, "m"_a = 0.0, "prior"_a = nb::none());
  m.def("spread_probabilities", &probabilities_of_rows, "tree"_a, "columns"_a, "n_threads"_a = 1, "m"_a = 0.0,
        "prior"_a = nb::none());
  m.def("answer_values", &values_of_nodes, "tree"_a, "columns"_a, "nodes"_a, "n_threads"_a = 1);
  m.def("spread_values", &values_of_rows, "tree"_a, "columns"_a, "n_threads"_a = 1);
}

}  // namespace bough::python
