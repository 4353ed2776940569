// bough._core.Rules: rules as flat arrays, checked; rules_apply and rules_cover: asked of the rows of a table.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/columns.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bindings/rule_arrays.hpp"
#include "bough/base/error.hpp"
#include "bough/base/watch.hpp"
#include "bough/cover/apply_rules.hpp"
#include "bough/cover/rules.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

Rules read_literals(const nb::dict& arrays) {
  Rules rules;
  ArrayReader reader(arrays);
  visit_fields(rules, [&](const char* name, auto& field) { reader.needed(name, field); });
  reader.finish("a name that rules do not have");
  validate(rules);
  return rules;
}

nb::dict show_rules(nb::handle self) {
  nb::dict arrays;
  visit_fields(nb::cast<const Rules&>(self),
               [&](const char* name, const auto& field) { arrays[name] = view_numpy(field, self); });
  return arrays;
}

Unseen to_unseen(int code) {
  if (code < 0 || code > 1) throw InvalidInput("unseen", "expected 0 (missing) or 1 (other)");
  return static_cast<Unseen>(code);
}

// What `ask`, which is first_cover or all_covers, says of the rows of a table.
template <class Ask>
auto ask_rows(const Rules& rules, const Columns& columns, int unseen, int threads, const Ask& ask) {
  const Unseen as = to_unseen(unseen);
  Watch watch{Asker(nb::none())};
  const Unlocked unlocked;
  return ask(rules, columns.views, static_cast<std::int64_t>(columns.rows), as, threads, watch);
}

nb::object apply_rules(const Rules& rules, const nb::sequence& items, int unseen, int threads) {
  return to_numpy(ask_rows(rules, read_columns(items), unseen, threads, first_cover));
}

nb::object cover_rows(const Rules& rules, const nb::sequence& items, int unseen, int threads) {
  const Columns columns = read_columns(items);
  return to_numpy<std::uint8_t, 2>(ask_rows(rules, columns, unseen, threads, all_covers),
                                   {columns.rows, static_cast<std::size_t>(rules.size())});
}

}  // namespace

void bind_rules(nb::module_& m) {
  nb::class_<Rules>(m, "Rules", "Conjunctions of literals as checked, read-only arrays.")
      .def(
          "__init__", [](Rules* self, const nb::dict& arrays) { new (self) Rules(read_literals(arrays)); }, "arrays"_a)
      .def("__len__", [](const Rules& self) { return self.size(); })
      .def("to_arrays", [](nb::handle_t<Rules> self) { return show_rules(self); })
      .def(
          "check",
          [](const Rules& self, const std::vector<std::int32_t>& kinds, const std::vector<std::int64_t>& n_levels) {
            check_columns(self, kinds, n_levels);
          },
          "kinds"_a, "n_levels"_a)
      .def("__getstate__", [](nb::handle_t<Rules> self) { return show_rules(self); })
      .def("__setstate__", [](Rules& self, const nb::dict& arrays) { new (&self) Rules(read_literals(arrays)); });
  m.def("rules_apply", &apply_rules, "rules"_a, "columns"_a, "unseen"_a = 0, "threads"_a = 1);
  m.def("rules_cover", &cover_rows, "rules"_a, "columns"_a, "unseen"_a = 0, "threads"_a = 1);
}

}  // namespace bough::python
