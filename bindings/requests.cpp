// See requests.hpp.
#include "bindings/requests.hpp"

#include <cstdint>

#include "bindings/arrays.hpp"
#include "bindings/interpreter.hpp"

namespace bough::python {

namespace nb = nanobind;

void Asker::operator()(double share) const {
  const Locked lock;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (!progress_.is_none()) progress_(share);
}

void Options::finish() const {
  if (known_ != nb::len(given_)) throw InvalidInput("options", "an option is not known");
}

void read_size(Options& options, SizePenalty& into) {
  options.read("size_penalty", into.alpha);
  options.read_choice<SizeUnit>("size_unit", into.unit,
                                {{"nodes", SizeUnit::nodes}, {"links", SizeUnit::links}, {"leaves", SizeUnit::leaves}});
  options.read("size_weighted", into.weighted);
}

void read_significance_test(Options& options, SignificanceTest& into) {
  options.read_choice<SignificanceTest>(
      "significance_test", into, {{"pearson", SignificanceTest::pearson}, {"one_sided", SignificanceTest::one_sided}});
}

Target read_target(const nb::dict& fields) {
  Target target;
  target.classes = nb::cast<std::uint32_t>(fields["classes"]);
  const auto has = [&](const char* name) { return fields.contains(name); };
  if (has("label")) target.label = from_numpy<std::uint32_t>(fields["label"], "label");
  if (has("value")) target.value = from_numpy<double>(fields["value"], "value");
  if (has("weight")) target.weight = from_numpy<double>(fields["weight"], "weight");
  if (has("growth_scale")) target.growth_scale = from_numpy<double>(fields["growth_scale"], "growth_scale");
  if (has("class_scale")) target.class_scale = from_numpy<double>(fields["class_scale"], "class_scale");
  if (has("cost")) target.cost = from_numpy<double>(fields["cost"], "cost");
  return target;
}

void check_target(const Target& target, const RankedTable& table) {
  const std::size_t classes = target.classes;
  if (classes > 0) {
    if (target.label.size() != table.rows) throw InvalidInput("label", "one for each row is needed");
    for (const std::uint32_t label : target.label) {
      if (label >= classes)
        throw InvalidInput("label", "class " + std::to_string(label) + " of " + std::to_string(classes));
    }
    if (target.growth_scale.size() != classes || target.class_scale.size() != classes) {
      throw InvalidInput("scale", "one for each class is needed");
    }
    if (!target.cost.empty() && target.cost.size() != classes * classes) throw InvalidInput("cost", "not square");
  } else if (target.value.size() != table.rows) {
    throw InvalidInput("value", "one for each row is needed");
  }
  if (!target.weight.empty() && target.weight.size() != table.rows)
    throw InvalidInput("weight", "one for each row is needed");
}

}  // namespace bough::python
