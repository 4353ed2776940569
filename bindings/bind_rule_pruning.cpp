// bough._core.drop_conditions and choose_subsets: rules of a tree pruned one by one, then chosen class by class.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

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
#include "bough/cover/choose_subset.hpp"
#include "bough/cover/drop_conditions.hpp"
#include "bough/cover/labelled_rows.hpp"
#include "bough/cover/rule_bodies.hpp"
#include "bough/cover/rules.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

// The rows of a training table: columns, the class of each row, and weights unless all are 1.
struct Labelled {
  Columns columns;
  std::vector<std::uint32_t> label;
  std::vector<double> weights;
  std::size_t n_classes = 0;

  [[nodiscard]] LabelledRows rows() const { return {label, n_classes, weights}; }
  [[nodiscard]] std::int64_t n_rows() const { return static_cast<std::int64_t>(label.size()); }
};

Labelled read_labelled(const nb::sequence& columns, const nb::object& label, std::size_t n_classes,
                       const nb::object& weights) {
  Labelled read{read_columns(columns), from_numpy<std::uint32_t>(label, "label"), {}, n_classes};
  if (!weights.is_none()) read.weights = from_numpy<double>(weights, "weights");
  if (read.columns.rows != read.label.size()) throw InvalidInput("label", "expected one for each row");
  if (!read.weights.empty() && read.weights.size() != read.label.size()) {
    throw InvalidInput("weights", "expected one for each row");
  }
  for (const std::uint32_t one : read.label) {
    if (one >= n_classes) throw InvalidInput("label", "expected numbers of classes");
  }
  return read;
}

void check_labels(const std::vector<std::int32_t>& labels, std::size_t n_classes, const char* field) {
  for (const std::int32_t one : labels) {
    if (one < 0 || static_cast<std::size_t>(one) >= n_classes) throw InvalidInput(field, "expected numbers of classes");
  }
}

RuleBodies read_bodies(const nb::object& begin, const nb::object& condition, const nb::object& label,
                       std::int64_t n_conditions, std::size_t n_classes) {
  RuleBodies bodies{from_numpy<std::int64_t>(begin, "begin"), from_numpy<std::int32_t>(condition, "condition"),
                    from_numpy<std::int32_t>(label, "rule_label")};
  const auto entries = static_cast<std::int64_t>(bodies.condition.size());
  if (bodies.begin.size() != bodies.size() + 1 || bodies.begin.front() != 0 || bodies.begin.back() != entries) {
    throw InvalidInput("begin", "expected an offset for each rule and the number of entries at last");
  }
  for (std::size_t rule = 0; rule < bodies.size(); ++rule) {
    if (bodies.begin[rule] > bodies.begin[rule + 1]) throw InvalidInput("begin", "expected offsets that never fall");
  }
  for (const std::int32_t one : bodies.condition) {
    if (one < 0 || one >= n_conditions) throw InvalidInput("condition", "expected numbers of conditions");
  }
  check_labels(bodies.label, n_classes, "rule_label");
  return bodies;
}

nb::dict drop(const Rules& conditions, const nb::object& begin, const nb::object& condition,
              const nb::object& rule_label, const nb::sequence& columns, const nb::object& label, std::size_t n_classes,
              const nb::object& weights, const std::string& estimate, double confidence, int threads) {
  const Labelled labelled = read_labelled(columns, label, n_classes, weights);
  const RuleBodies bodies = read_bodies(begin, condition, rule_label, conditions.size(), n_classes);
  if (estimate != "pessimistic" && estimate != "laplace") throw InvalidInput("estimate", "unknown choice " + estimate);
  const bool laplace = estimate == "laplace";
  const ErrorEstimate how{laplace ? ErrorEstimate::Kind::laplace : ErrorEstimate::Kind::pessimistic, confidence};
  Watch watch{Asker(nb::none())};
  PrunedRules pruned;
  {
    const Unlocked unlocked;
    const std::vector<RowSet> bits =
        rows_covered(conditions, labelled.columns.views, labelled.n_rows(), Unseen::missing, threads, watch);
    pruned = drop_conditions(bodies, bits, labelled.rows(), how, threads, watch);
  }
  nb::dict found;
  found["kept"] = to_numpy(std::move(pruned.kept));
  found["weight"] = to_numpy(std::move(pruned.weight));
  found["wrong"] = to_numpy(std::move(pruned.wrong));
  found["estimate"] = to_numpy(std::move(pruned.estimate));
  return found;
}

nb::object choose(const Rules& conditions, const nb::object& begin, const nb::object& condition,
                  const nb::object& rule_label, const nb::object& theory, const nb::sequence& columns,
                  const nb::object& label, std::size_t n_classes, const nb::object& weights, double theory_weight,
                  std::size_t most_exhaustive, std::size_t most_from_full, const nb::object& seed, int threads) {
  const Labelled labelled = read_labelled(columns, label, n_classes, weights);
  const RuleBodies bodies = read_bodies(begin, condition, rule_label, conditions.size(), n_classes);
  const auto bits_of_theory = from_numpy<double>(theory, "theory");
  const std::size_t n_rules = bodies.size();
  if (bits_of_theory.size() != n_rules) throw InvalidInput("theory", "expected one for each rule");
  if (most_exhaustive > 20) throw InvalidInput("most_exhaustive", "expected at most 20");
  SubsetSearch search{theory_weight, most_exhaustive, most_from_full};
  search.annealing = !seed.is_none();
  if (search.annealing) search.seed = nb::cast<std::uint64_t>(seed);
  Watch watch{Asker(nb::none())};
  std::vector<std::uint8_t> kept(n_rules);
  {
    const Unlocked unlocked;
    const LabelledRows rows = labelled.rows();
    const std::vector<RowSet> bits = rows_met(
        bodies, rows_covered(conditions, labelled.columns.views, labelled.n_rows(), Unseen::missing, threads, watch),
        rows.used);
    for (std::size_t one = 0; one < n_classes; ++one) {
      std::vector<std::int64_t> numbers;
      std::vector<double> own;
      for (std::size_t rule = 0; rule < n_rules; ++rule) {
        if (static_cast<std::size_t>(bodies.label[rule]) != one) continue;
        numbers.push_back(static_cast<std::int64_t>(rule));
        own.push_back(bits_of_theory[rule]);
      }
      const std::vector<std::uint8_t> chosen = choose_subset(bits, numbers, own, rows, one, search, watch);
      for (std::size_t place = 0; place < numbers.size(); ++place) {
        kept[static_cast<std::size_t>(numbers[place])] = chosen[place];
      }
    }
  }
  return to_numpy(std::move(kept));
}

}  // namespace

void bind_rule_pruning(nb::module_& module) {
  module.def("drop_conditions", &drop, "conditions"_a, "begin"_a, "condition"_a, "rule_label"_a, "columns"_a, "label"_a,
             "n_classes"_a, "weights"_a.none(), "estimate"_a = "pessimistic", "confidence"_a = 0.25, "threads"_a = 1,
             "Rules, given by numbers of conditions, without those that raise the errors to expect.");
  module.def("choose_subsets", &choose, "conditions"_a, "begin"_a, "condition"_a, "rule_label"_a, "theory"_a,
             "columns"_a, "label"_a, "n_classes"_a, "weights"_a.none(), "theory_weight"_a = 0.5,
             "most_exhaustive"_a = 10, "most_from_full"_a = 200, "seed"_a.none() = nb::none(), "threads"_a = 1,
             "Which rules to keep for each class, by description length; with a seed, by annealing.");
}

}  // namespace bough::python
