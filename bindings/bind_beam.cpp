// bough._core.find_class_rule and find_value_rule: the best rule that a beam search finds in some rows.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bough/base/error.hpp"
#include "bough/base/watch.hpp"
#include "bough/cover/beam.hpp"
#include "bough/cover/rule_judge.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

std::vector<double> read_weights(const nb::object& weights, const RankedTable& table) {
  auto read = from_numpy<double>(weights, "weights");
  if (read.size() != table.rows) throw InvalidInput("weights", "expected one for each row");
  return read;
}

std::vector<std::uint32_t> rows_of(const std::vector<double>& weights) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (weights[row] > 0) rows.push_back(static_cast<std::uint32_t>(row));
  }
  return rows;
}

BeamOptions read_options(const nb::dict& given) {
  BeamOptions options;
  Options fields(given);
  fields.read("width", options.width);
  fields.read("steps", options.steps);
  fields.read("min_weight", options.min_weight);
  fields.read("threads", options.threads);
  if (fields.has("asks")) options.asks = from_numpy<std::uint8_t>(given["asks"], "asks");
  fields.finish();
  if (options.width == 0) throw InvalidInput("width", "expected at least 1");
  if (options.asks.size() != kAsks) throw InvalidInput("asks", "expected one for each kind of condition");
  return options;
}

nb::object search(const OwnedTable& owned, const RuleJudge& judge, std::vector<std::uint32_t> rows,
                  const BeamOptions& options) {
  Watch watch{Asker(nb::none())};
  std::optional<FoundRule> found;
  {
    const Unlocked unlocked;
    found = beam_search(owned.table, judge, std::move(rows), options, watch);
  }
  if (!found) return nb::none();
  nb::dict rule;
  rule["rule"] = nb::cast(std::move(found->body));
  rule["quality"] = found->quality;
  rule["label"] = found->label;
  rule["rows"] = to_numpy(std::move(found->rows));
  return rule;
}

nb::object find_class_rule(const OwnedTable& owned, const nb::object& label, const nb::object& weights,
                           const nb::object& prior, const std::string& quality, std::int32_t target, double alpha,
                           const nb::dict& options) {
  static const std::map<std::string, RuleQuality> kQualities = {
      {"laplace", RuleQuality::laplace}, {"entropy", RuleQuality::entropy}, {"wracc", RuleQuality::wracc}};
  const auto labels = from_numpy<std::uint32_t>(label, "label");
  const std::vector<double> masses = read_weights(weights, owned.table);
  const auto priors = from_numpy<double>(prior, "prior");
  const auto known = kQualities.find(quality);
  if (known == kQualities.end()) throw InvalidInput("quality", "unknown choice " + quality);
  if (labels.size() != owned.table.rows) throw InvalidInput("label", "expected one for each row");
  for (const std::uint32_t one : labels) {
    if (one >= priors.size()) throw InvalidInput("label", "expected numbers of classes");
  }
  for (const double one : priors) {
    if (!(one >= 0)) throw InvalidInput("prior", "expected weights of at least 0");
  }
  if (target < -1 || target >= static_cast<std::int32_t>(priors.size())) {
    throw InvalidInput("target", "expected the number of a class, or -1");
  }
  const RuleJudge judge(labels, priors.size(), masses, priors, {known->second, target, alpha});
  return search(owned, judge, rows_of(masses), read_options(options));
}

nb::object find_value_rule(const OwnedTable& owned, const nb::object& value, const nb::object& weights,
                           const nb::dict& options) {
  const auto values = from_numpy<double>(value, "value");
  if (values.size() != owned.table.rows) throw InvalidInput("value", "expected one for each row");
  const std::vector<double> masses = read_weights(weights, owned.table);
  std::vector<std::uint32_t> rows = rows_of(masses);
  const RuleJudge judge(values, masses, rows);
  return search(owned, judge, std::move(rows), read_options(options));
}

}  // namespace

void bind_beam(nb::module_& m) {
  m.def("find_class_rule", &find_class_rule, "table"_a, "label"_a, "weights"_a, "prior"_a, "quality"_a, "target"_a,
        "alpha"_a, "options"_a);
  m.def("find_value_rule", &find_value_rule, "table"_a, "value"_a, "weights"_a, "options"_a);
}

}  // namespace bough::python
