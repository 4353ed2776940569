// bough._core.part: rules from partial trees, as flat arrays; fractional_probabilities and fractional_apply: rows of a
// table through rules that may take a part of a row.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/columns.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bough/base/error.hpp"
#include "bough/base/watch.hpp"
#include "bough/cover/fractional.hpp"
#include "bough/cover/part.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

// Enumerations as their integers.
template <class T>
nb::object to_integers(const std::vector<T>& values) {
  std::vector<stored_t<T>> stored(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) stored[i] = static_cast<stored_t<T>>(values[i]);
  return to_numpy(std::move(stored));
}

nb::dict to_dict(PartRules&& found) {
  FractionalRules& rules = found.rules;
  const std::size_t n = rules.size();
  std::vector<double> printed;
  printed.reserve(2 * n);
  for (const std::array<double, 2>& figures : found.printed)
    printed.insert(printed.end(), figures.begin(), figures.end());
  nb::dict told;
  told["rule_begin"] = to_numpy(std::move(rules.begin));
  told["column"] = to_numpy(std::move(rules.column));
  told["kind"] = to_integers(rules.asks);
  told["code"] = to_numpy(std::move(rules.code));
  told["value_type"] = to_integers(rules.value_type);
  told["value_bits"] = to_numpy(std::move(rules.value_bits));
  told["share"] = to_numpy(std::move(rules.share));
  told["label"] = to_numpy(std::move(found.label));
  told["counts"] = to_numpy<double, 2>(std::move(rules.counts), {n, rules.classes});
  told["printed"] = to_numpy<double, 2>(std::move(printed), {n, 2});
  return told;
}

nb::dict part_of(const OwnedTable& owned, const nb::object& labels, std::uint32_t n_classes, const nb::object& weights,
                 double min_weight, double confidence, std::optional<double> complement, bool pruned,
                 bool binary_levels, bool mdl, bool actual_value, double epsilon, double value_gap, int threads,
                 nb::object progress) {
  PartOptions options;
  options.min_weight = min_weight;
  options.confidence = pruned ? std::optional(confidence) : std::nullopt;
  options.complement = complement;
  options.binary_levels = binary_levels;
  options.mdl = mdl;
  options.actual_value = actual_value;
  options.epsilon = epsilon;
  options.value_gap = value_gap;
  options.threads = threads;
  const auto label = from_numpy<std::uint32_t>(labels, "labels");
  const auto weight = weights.is_none() ? std::vector<double>() : from_numpy<double>(weights, "weights");
  Watch watch(Asker(std::move(progress)), static_cast<double>(owned.table.rows));
  PartRules found;
  {
    const Unlocked unlocked;
    found = part(owned.table, label, n_classes, weight, options, watch);
  }
  return to_dict(std::move(found));
}

FractionalRules read_rules(const nb::dict& given) {
  FractionalRules rules;
  rules.begin = from_numpy<std::int64_t>(given["rule_begin"], "rule_begin");
  rules.column = from_numpy<std::int32_t>(given["column"], "column");
  rules.asks = from_numpy<Asks>(given["kind"], "kind");
  rules.code = from_numpy<std::int32_t>(given["code"], "code");
  rules.value_type = from_numpy<ValueType>(given["value_type"], "value_type");
  rules.value_bits = from_numpy<std::uint64_t>(given["value_bits"], "value_bits");
  rules.share = from_numpy<double>(given["share"], "share");
  nb::ndarray<nb::numpy, const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> counts;
  if (!nb::try_cast(given["counts"], counts, false))
    throw nb::type_error("counts: expected a two-dimensional numpy array of float64 in C order");
  rules.classes = counts.shape(1);
  rules.counts.assign(counts.data(), counts.data() + counts.size());
  check_rules(rules);
  return rules;
}

// Calls with_rows(columns, rules, options, watch) without the interpreter's lock.
template <class WithRows>
auto with_rows(const nb::dict& given, const nb::sequence& items, int n_threads, double epsilon, bool unseen_is_missing,
               const WithRows& use) {
  const FractionalRules rules = read_rules(given);
  const Columns columns = read_columns(items);
  if (columns.views.empty()) throw InvalidInput("columns", "a table has at least one column");
  const FractionalOptions options{epsilon, unseen_is_missing, n_threads};
  Watch watch{Asker(nb::none())};
  const Unlocked unlocked;
  return std::pair(use(rules, columns.views, static_cast<std::int64_t>(columns.rows), options, watch), columns.rows);
}

}  // namespace

void bind_part(nb::module_& m) {
  m.def("part", &part_of, "table"_a, "labels"_a, "n_classes"_a, "weights"_a = nb::none(), nb::kw_only(),
        "min_weight"_a = 2.0, "confidence"_a = 0.25, "complement"_a = nb::none(), "pruned"_a = true,
        "binary_levels"_a = false, "mdl"_a = true, "actual_value"_a = true, "epsilon"_a = 1e-6, "value_gap"_a = 1e-5,
        "threads"_a = 1, "progress"_a = nb::none());
  m.def(
      "fractional_probabilities",
      [](const nb::dict& rules, const nb::sequence& columns, int n_threads, double epsilon, bool unseen_is_missing) {
        auto [found, rows] =
            with_rows(rules, columns, n_threads, epsilon, unseen_is_missing, &fractional_probabilities);
        const auto classes = nb::cast<std::size_t>(rules["counts"].attr("shape")[1]);
        return to_numpy<double, 2>(std::move(found), {rows, classes});
      },
      "rules"_a, "columns"_a, "n_threads"_a = 1, "epsilon"_a = 1e-6, "unseen_is_missing"_a = true);
  m.def(
      "fractional_apply",
      [](const nb::dict& rules, const nb::sequence& columns, int n_threads, double epsilon, bool unseen_is_missing) {
        return to_numpy(with_rows(rules, columns, n_threads, epsilon, unseen_is_missing, &fractional_apply).first);
      },
      "rules"_a, "columns"_a, "n_threads"_a = 1, "epsilon"_a = 1e-6, "unseen_is_missing"_a = true);
}

}  // namespace bough::python
