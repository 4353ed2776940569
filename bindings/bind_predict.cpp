// bough._core.apply, decision_path and probabilities: rows of a table to nodes, and nodes to answers.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/columns.hpp"
#include "bindings/interpreter.hpp"
#include "bough/base/error.hpp"
#include "bough/predict/answers.hpp"
#include "bough/predict/apply.hpp"
#include "bough/tree/tree.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

using NodeArray = nb::ndarray<nb::ro, std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Without the GIL, in slices that grow until one takes a tick, so that Ctrl-C is answered several times a second.
std::vector<std::int32_t> apply_nodes(const Tree& tree, const nb::sequence& items, std::int32_t n_threads) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds tick(50);
  const Columns columns = read_columns(items);
  if (columns.views.empty()) throw InvalidInput("columns", "a table has at least one column");
  const auto n_rows = static_cast<std::int64_t>(columns.rows);
  std::vector<std::int32_t> nodes(columns.rows);
  const std::span<std::int32_t> out(nodes);
  const Unlocked unlocked;
  const Applier applier(tree, columns.views, n_rows);
  std::int64_t slice = 4096;
  for (std::int64_t begin = 0; begin < n_rows;) {
    const std::int64_t rows = std::min(slice, n_rows - begin);
    const Clock::time_point start = Clock::now();
    applier.run(begin, out.subspan(begin, rows), std::max(n_threads, 1));
    begin += rows;
    if (Clock::now() - start < tick) {
      slice *= 4;
      continue;
    }
    const Locked lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return nodes;
}

nb::object probabilities(const Tree& tree, const NodeArray& nodes) {
  const std::size_t rows = nodes.shape(0);
  const std::size_t classes = tree.class_scale.size();
  std::vector<double> shares(rows * classes);
  {
    const Unlocked unlocked;
    class_probabilities(tree, {nodes.data(), rows}, shares);
  }
  return to_numpy<double, 2>(std::move(shares), {rows, classes});
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
  m.def("probabilities", &probabilities, "tree"_a, "nodes"_a);
}

}  // namespace bough::python
