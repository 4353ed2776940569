// bough._core.cover: rules learnt by covering, one class after the other.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bindings/written_parts.hpp"
#include "bough/base/error.hpp"
#include "bough/base/watch.hpp"
#include "bough/cover/covering.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

AllowedLiterals read_allowed(const std::vector<std::string>& names) {
  if (names.empty()) throw InvalidInput("allow", "expected at least one kind of literal");
  AllowedLiterals allowed = {false, false, false, false, false, false};
  const std::map<std::string, bool AllowedLiterals::*> fields = {
      {"=", &AllowedLiterals::equal},    {"!=", &AllowedLiterals::unequal}, {"in", &AllowedLiterals::one_of},
      {"<=", &AllowedLiterals::at_most}, {">", &AllowedLiterals::above},    {"missing", &AllowedLiterals::missing}};
  for (const std::string& name : names) {
    const auto found = fields.find(name);
    if (found == fields.end()) throw InvalidInput("allow", "unknown kind of literal " + name);
    allowed.*found->second = true;
  }
  return allowed;
}

// Whether a part is written as a function, not named.
bool is_written(Options& options, const nb::dict& given, const char* name) {
  return given.contains(name) && PyCallable_Check(nb::object(given[name]).ptr()) != 0 && options.has(name);
}

void read_worth(Options& options, const nb::dict& given, const char* name, RuleWorth& worth) {
  if (is_written(options, given, name)) {
    worth = written_values(given[name], name);
  } else {
    options.read_choice<PruneValue>(
        name, worth.value,
        {{"difference", PruneValue::difference}, {"laplace", PruneValue::laplace}, {"accuracy", PruneValue::accuracy}});
  }
}

CoverOptions read_cover_options(const nb::dict& given) {
  CoverOptions o;
  Options options(given);
  if (is_written(options, given, "gain")) {
    o.written.gain = written_values(given["gain"], "gain");
  } else {
    options.read_choice<RuleGain>("gain", o.gain, {{"foil", RuleGain::foil}, {"laplace", RuleGain::laplace}});
  }
  if (options.has("stop")) o.written.stop = written_stop(given["stop"]);
  if (options.has("cost")) o.written.cost = written_cost(given["cost"]);
  options.read("prune", o.prune);
  read_worth(options, given, "prune_value", o.prune_value);
  read_worth(options, given, "optimise_value", o.optimise_value);
  options.read_choice<Deletions>("deletions", o.deletions, {{"last", Deletions::last}, {"single", Deletions::single}});
  options.read_choice<CutAt>("cut_at", o.cut_at, {{"midpoint", CutAt::midpoint}, {"data_value", CutAt::data_value}});
  if (options.has("allow")) o.allowed = read_allowed(nb::cast<std::vector<std::string>>(given["allow"]));
  options.read("min_positive", o.min_positive);
  options.read("forbidden", o.forbidden);
  options.read("required", o.required);
  options.read("monotone", o.monotone);
  options.read("folds", o.folds);
  options.read("stratified", o.stratified);
  if (options.has("held_out")) o.held_out = from_numpy<std::uint8_t>(given["held_out"], "held_out");
  options.read("slack", o.slack);
  options.read("max_error", o.max_error);
  options.read("max_pruning_error", o.max_pruning_error);
  options.read("rounds", o.rounds);
  options.read("reduce", o.reduce);
  options.read("min_weight", o.min_weight);
  options.read("min_precision", o.min_precision);
  options.read("max_literals", o.max_literals);
  options.read("max_rules", o.max_rules);
  options.read("jrip", o.jrip);
  options.read("threads", o.threads);
  if (options.has("seed")) {
    o.seed = o.jrip ? std::bit_cast<std::uint64_t>(nb::cast<std::int64_t>(given["seed"]))
                    : nb::cast<std::uint64_t>(given["seed"]);
  }
  options.finish();
  return o;
}

InitialRules read_initial(const nb::object& rules, const nb::object& label, const nb::object& locked) {
  InitialRules initial;
  if (rules.is_none()) return initial;
  initial.rules = nb::cast<const Rules&>(rules);
  initial.label = from_numpy<std::uint32_t>(label, "initial_class");
  initial.locked = from_numpy<std::uint8_t>(locked, "initial_locked");
  return initial;
}

nb::object pairs(std::vector<double>&& values, std::size_t rules) {
  return to_numpy<double, 2>(std::move(values), {rules, 2});
}

nb::dict cover_table(const OwnedTable& owned, const nb::object& label, std::uint32_t classes, const nb::object& weight,
                     const nb::dict& options, const nb::object& initial, const nb::object& initial_class,
                     const nb::object& initial_locked, nb::object progress) {
  CoverData data;
  data.table = &owned.table;
  data.label = from_numpy<std::uint32_t>(label, "label");
  data.classes = classes;
  if (!weight.is_none()) data.weight = from_numpy<double>(weight, "weight");
  const bool units =
      data.weight.size() == data.label.size() && std::ranges::all_of(data.weight, [](double w) { return w == 1.0; });
  if (units) data.weight.clear();  // rows without weights are counted quicker
  const CoverOptions asked = read_cover_options(options);
  const InitialRules begun = read_initial(initial, initial_class, initial_locked);
  Watch watch(Asker(std::move(progress)), classes > 1 ? classes - 1.0 : 1.0);
  CoverResult found;
  {
    const Unlocked unlocked;
    found = cover(data, begun, asked, watch);
  }
  const auto n = static_cast<std::size_t>(found.rules.size());
  nb::dict told;
  told["rules"] = nb::cast(std::move(found.rules));
  told["rule_class"] = to_numpy(std::move(found.label));
  told["class_weight"] = to_numpy<double, 2>(std::move(found.class_weight), {n + 1, std::size_t{classes}});
  told["growing"] = pairs(std::move(found.growing), n);
  told["pruning"] = pairs(std::move(found.pruning), n);
  told["initial"] = to_numpy(std::move(found.initial));
  told["class_order"] = to_numpy(std::move(found.order));
  return told;
}

}  // namespace

void bind_cover(nb::module_& m) {
  m.def("cover", &cover_table, "table"_a, "label"_a, "classes"_a, "weight"_a.none(), "options"_a,
        "initial"_a.none() = nb::none(), "initial_class"_a.none() = nb::none(), "initial_locked"_a.none() = nb::none(),
        "progress"_a.none() = nb::none());
}

}  // namespace bough::python
