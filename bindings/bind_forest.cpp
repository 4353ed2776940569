// bough._core.Forest: the trees of a forest as flat arrays; grow_forest, forest_predict and what else rows are taken
// through it for.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/columns.hpp"
#include "bindings/forest_arrays.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bough/base/error.hpp"
#include "bough/base/watch.hpp"
#include "bough/forest/apply.hpp"
#include "bough/forest/forest.hpp"
#include "bough/forest/join.hpp"
#include "bough/forest/permuted.hpp"
#include "bough/forest/quantile.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;
using forest::Absent;
using forest::Bags;
using forest::Combine;
using forest::Forest;
using forest::ForestData;
using forest::ForestOptions;
using forest::Missing;
using forest::SearchWay;

namespace {

ForestOptions read_forest_options(const nb::dict& given) {
  ForestOptions o;
  Options options(given);
  options.read("max_features", o.max_features);
  options.read("max_depth", o.max_depth);
  options.read("min_split", o.min_split);
  options.read("min_leaf", o.min_leaf);
  options.read("min_decrease", o.min_decrease);
  options.read("random_cuts", o.random_cuts);
  options.read("constants_count", o.constants_count);
  options.read_choice<SearchWay>(
      "way", o.way, {{"automatic", SearchWay::automatic}, {"bins", SearchWay::bins}, {"sorted", SearchWay::sorted}});
  options.read("entropy", o.entropy);
  options.read_choice<Missing>("missing", o.missing,
                               {{"learned", Missing::learned},
                                {"majority", Missing::majority},
                                {"random", Missing::random},
                                {"own_branch", Missing::own_branch}});
  options.read_choice<Absent>(
      "absent", o.absent, {{"majority", Absent::majority}, {"missing", Absent::missing}, {"random", Absent::random}});
  options.read("order_once", o.order_once);
  options.read("draw_once", o.draw_once);
  options.read("max_leaves", o.max_leaves);
  if (options.has("monotone")) {
    for (const int sign : nb::cast<std::vector<int>>(given["monotone"])) {
      o.monotone.push_back(static_cast<std::int8_t>(std::clamp(sign, -2, 2)));  // beyond 1 they are refused
    }
  }
  options.finish();
  return o;
}

Bags read_bags(const nb::dict& given) {
  Bags bags;
  Options options(given);
  options.read("seed", bags.seed);
  options.read("bootstrap", bags.bootstrap);
  options.read("draws", bags.draws);
  if (options.has("given")) bags.given = from_numpy<std::uint32_t>(given["given"], "given");
  options.finish();
  return bags;
}

ForestData read_data(const OwnedTable& owned, const nb::dict& given) {
  ForestData data;
  data.table = &owned.table;
  Options options(given);
  options.read("classes", data.classes);
  if (options.has("label")) data.label = from_numpy<std::uint32_t>(given["label"], "label");
  if (options.has("value")) data.value = from_numpy<std::int64_t>(given["value"], "value");
  options.read("offset", data.offset);
  options.read("scale", data.scale);
  if (options.has("weight")) data.weight = from_numpy<std::uint32_t>(given["weight"], "weight");
  options.finish();
  return data;
}

// Whether the exception is Python's KeyboardInterrupt; any other is thrown on.
bool was_interrupted(const std::exception_ptr& ended) {
  if (!ended) return false;
  try {
    std::rethrow_exception(ended);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_KeyboardInterrupt)) throw;
  }
  return true;
}

bool grow_trees(Forest& grown, const OwnedTable& owned, const nb::dict& target, const nb::dict& bags,
                const nb::dict& options, std::size_t first, std::size_t trees, int threads, nb::object progress) {
  const ForestData data = read_data(owned, target);
  const Bags drawn = read_bags(bags);
  const ForestOptions asked = read_forest_options(options);
  Watch watch(Asker(std::move(progress)), static_cast<double>(trees));
  std::exception_ptr ended;
  {
    const Unlocked unlocked;
    ended = grow_forest(grown, data, drawn, asked, first, trees, threads, watch);
  }
  return was_interrupted(ended);
}

Combine to_combine(const std::string& name) {
  if (name != "mean" && name != "vote") throw InvalidInput("combine", "expected mean or vote");
  return name == "vote" ? Combine::vote : Combine::mean;
}

void check_range(const Forest& grown, std::size_t first, std::size_t last) {
  if (first >= last || last > grown.trees()) throw InvalidInput("trees", "expected a range of trees of the forest");
}

nb::object predict(const Forest& grown, const nb::sequence& columns, const std::string& combine, int threads,
                   std::size_t first, std::size_t last) {
  const Columns read = read_columns(columns);
  const Combine by = to_combine(combine);
  check_range(grown, first, last);
  std::vector<double> mean;
  {
    const Unlocked unlocked;
    mean = predict_forest(grown, read.views, read.rows, first, last, by, threads);
  }
  return to_numpy<double, 2>(std::move(mean), {read.rows, std::size_t{grown.width()}});
}

nb::object leaves(const Forest& grown, const nb::sequence& columns, int threads, std::size_t first, std::size_t last) {
  const Columns read = read_columns(columns);
  check_range(grown, first, last);
  std::vector<std::uint32_t> leaf;
  {
    const Unlocked unlocked;
    leaf = leaves_of_forest(grown, read.views, 0, read.rows, first, last, threads);
  }
  return to_numpy<std::uint32_t, 2>(std::move(leaf), {read.rows, last - first});
}

nb::object quantiles(const Forest& grown, const nb::sequence& columns, const nb::dict& given,
                     const std::vector<double>& shares, int threads) {
  const Columns read = read_columns(columns);
  const forest::LeafRows rows = {
      shown<std::uint64_t>(given["tree"], "tree"), shown<std::uint32_t>(given["node"], "node"),
      shown<std::uint32_t>(given["member"], "member"), shown<double>(given["value"], "value")};
  std::vector<double> found;
  {
    const Unlocked unlocked;
    found = forest_quantiles(grown, read.views, read.rows, rows, shares, threads);
  }
  return to_numpy<double, 2>(std::move(found), {read.rows, shares.size()});
}

nb::tuple out_of_bag(const Forest& grown, const nb::sequence& columns, const nb::dict& bags, const nb::dict& given,
                     const std::string& combine, int threads) {
  const Columns read = read_columns(columns);
  const Bags drawn = read_bags(bags);
  const Combine by = to_combine(combine);
  if (!drawn.given.empty() && drawn.given.size() != read.rows * grown.trees()) {
    throw InvalidInput("given", "expected a count for each tree and row");
  }
  forest::Truth truth;
  Options options(given);
  if (options.has("label")) truth.label = from_numpy<std::uint32_t>(given["label"], "label");
  if (options.has("value")) truth.value = from_numpy<double>(given["value"], "value");
  if (options.has("weight")) truth.weight = from_numpy<double>(given["weight"], "weight");
  if (options.has("cost")) truth.cost = from_numpy<double>(given["cost"], "cost");
  options.finish();
  forest::OutOfBag out;
  {
    const Unlocked unlocked;
    out = predict_out_of_bag(grown, read.views, read.rows, drawn, truth, by, threads);
  }
  return nb::make_tuple(to_numpy<double, 2>(std::move(out.sum), {read.rows, std::size_t{grown.width()}}),
                        to_numpy(std::move(out.trees)), to_numpy(std::move(out.loss)));
}

nb::tuple permuted(const Forest& grown, const nb::sequence& columns, const nb::dict& bags, const nb::dict& given,
                   const nb::dict& shuffled, int threads) {
  const Columns read = read_columns(columns);
  const Bags drawn = read_bags(bags);
  forest::LeafLoss loss;
  Options options(given);
  if (options.has("label")) loss.label = from_numpy<std::uint32_t>(given["label"], "label");
  if (options.has("cost")) loss.cost = from_numpy<double>(given["cost"], "cost");
  if (options.has("value")) loss.value = from_numpy<double>(given["value"], "value");
  if (options.has("weight")) loss.weight = from_numpy<double>(given["weight"], "weight");
  options.read("squared", loss.squared);
  options.finish();
  forest::Shuffling how;
  Options shuffling(shuffled);
  shuffling.read("seed", how.seed);
  shuffling.read("repeats", how.repeats);
  shuffling.read("by_case", how.by_case);
  shuffling.finish();
  forest::PermutedLoss found;
  {
    const Unlocked unlocked;
    found = permuted_loss(grown, read.views, read.rows, drawn, loss, how, threads);
  }
  const std::size_t groups = found.mean.size() / read.views.size();
  const std::size_t cases = how.by_case ? read.rows : 0;
  return nb::make_tuple(to_numpy<double, 2>(std::move(found.mean), {groups, read.views.size()}),
                        to_numpy<double, 2>(std::move(found.error), {groups, read.views.size()}),
                        to_numpy<double, 2>(std::move(found.by_case), {cases, read.views.size()}));
}

// One tree in plain arrays, thresholds as numbers, for whoever builds a tree of the other kind from it.
nb::dict tree_arrays(const Forest& grown, std::size_t tree) {
  if (tree >= grown.trees()) throw InvalidInput("tree", "the forest has fewer trees");
  const std::size_t begin = grown.begin[tree];
  const std::size_t size = grown.begin[tree + 1] - begin;
  std::vector<std::int64_t> child(size);
  std::vector<std::int64_t> column(size);
  std::vector<double> threshold(size);
  std::vector<std::uint32_t> at(size);
  std::vector<std::uint8_t> missing_high(size);
  for (std::size_t i = 0; i < size; ++i) {
    const forest::WideNode node = grown.node(begin + i);
    const bool leaf = node.child() == i;
    child[i] = leaf ? -1 : std::int64_t{node.child()};
    column[i] = leaf ? -1 : std::int64_t{node.column()};
    at[i] = node.cut;
    const bool number = !leaf && grown.column[node.column()].levels == 0;
    threshold[i] = number ? grown.threshold_of(node.column(), node.cut) : 0.0;
    missing_high[i] = static_cast<std::uint8_t>(node.missing_high());
  }
  nb::dict arrays;
  arrays["child"] = to_numpy(std::move(child));
  arrays["column"] = to_numpy(std::move(column));
  arrays["threshold"] = to_numpy(std::move(threshold));
  arrays["place"] = to_numpy(std::move(at));
  arrays["missing_high"] = to_numpy(std::move(missing_high));
  return arrays;
}

}  // namespace

void bind_forest(nb::module_& m) {
  nb::class_<Forest>(m, "Forest", "The trees of a forest, as flat arrays.")
      .def(nb::init<>())
      .def("__len__", &Forest::trees)
      .def_prop_ro("classes", [](const Forest& self) { return self.classes; })
      .def_prop_ro("nodes", &Forest::nodes)
      .def_prop_ro("node_bytes", [](const Forest& self) { return self.wide() ? 12 : 8; })
      .def("tree", &tree_arrays, "tree"_a)
      .def("arrays", [](nb::handle self) { return forest_to_arrays(nb::cast<const Forest&>(self), self); })
      .def_static("from_arrays", &forest_from_arrays, "arrays"_a, "classes"_a, "wide"_a)
      .def_prop_ro(
          "begin",
          [](const Forest& self) { return to_numpy(std::vector<std::uint64_t>(self.begin.begin(), self.begin.end())); })
      .def_prop_ro("set", [](nb::handle self) { return view_numpy(nb::cast<const Forest&>(self).set.all(), self); })
      .def_prop_ro("count", [](nb::handle self) { return view_numpy(nb::cast<const Forest&>(self).count.all(), self); })
      .def_prop_ro("answer",
                   [](nb::handle self) { return view_numpy(nb::cast<const Forest&>(self).answer.all(), self); })
      .def_prop_ro("weight",
                   [](nb::handle self) { return view_numpy(nb::cast<const Forest&>(self).weight.all(), self); })
      .def_prop_ro("gain", [](nb::handle self) { return view_numpy(nb::cast<const Forest&>(self).gain.all(), self); })
      .def("join", &forest::join, "more"_a)
      .def("copy", [](const Forest& self) { return Forest(self); });
  m.def("grow_forest", &grow_trees, "forest"_a, "table"_a, "target"_a, "bags"_a, "options"_a, "first"_a, "trees"_a,
        "threads"_a, "progress"_a.none() = nb::none());
  m.def("forest_predict", &predict, "forest"_a, "columns"_a, "combine"_a, "threads"_a, "first"_a, "last"_a);
  m.def("forest_leaves", &leaves, "forest"_a, "columns"_a, "threads"_a, "first"_a, "last"_a);
  m.def("forest_quantiles", &quantiles, "forest"_a, "columns"_a, "leaf_rows"_a, "shares"_a, "threads"_a);
  m.def("forest_out_of_bag", &out_of_bag, "forest"_a, "columns"_a, "bags"_a, "truth"_a, "combine"_a, "threads"_a);
  m.def("forest_permuted", &permuted, "forest"_a, "columns"_a, "bags"_a, "loss"_a, "shuffling"_a, "threads"_a);
  m.def(
      "forest_bag",
      [](const nb::dict& bags, std::size_t tree, std::size_t rows) {
        if (rows == 0 || rows >= 0xffffffffU) throw InvalidInput("rows", "expected 1 to 2^32 - 2");
        const Bags drawn = read_bags(bags);
        if (!drawn.given.empty() && (tree + 1) * rows > drawn.given.size()) throw InvalidInput("tree", "has no bag");
        return to_numpy(bag_of(drawn, tree, rows));
      },
      "bags"_a, "tree"_a, "rows"_a);
}

}  // namespace bough::python
