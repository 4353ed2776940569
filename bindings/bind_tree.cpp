// bough._core.Tree: the frozen tree as read-only views of its arrays, made from arrays, cut; and its builder.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bough/base/error.hpp"
#include "bough/tree/builder.hpp"
#include "bough/tree/cut.hpp"
#include "bough/tree/structure.hpp"
#include "bough/tree/tree.hpp"
#include "bough/tree/validate.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

// The arrays that define a tree, by the names that Python, pickles and error places use.
template <class SomeTree, class Visit>
void visit_arrays(SomeTree& tree, const Visit& visit) {
  visit("parent", tree.parent);
  visit("split_begin", tree.split_begin);
  visit("rows", tree.rows);
  visit("weight", tree.weight);
  visit("impurity", tree.impurity);
  visit("risk", tree.risk);
  visit("complexity", tree.complexity);
  visit("majority", tree.majority);
  visit("label", tree.label);
  visit("count_begin", tree.count_begin);
  visit("count_class", tree.count_class);
  visit("count_weight", tree.count_weight);
  visit("class_scale", tree.class_scale);
  visit("growth_scale", tree.growth_scale);
  visit("value", tree.value);
  visit("split_role", tree.splits.role);
  visit("split_kind", tree.splits.kind);
  visit("split_found", tree.splits.found);
  visit("split_value_type", tree.splits.value_type);
  visit("split_side", tree.splits.side);
  visit("split_low", tree.splits.low);
  visit("split_column", tree.splits.column);
  visit("split_payload", tree.splits.payload);
  visit("split_score", tree.splits.score);
  visit("split_adjusted", tree.splits.adjusted);
  visit("set_begin", tree.splits.set_begin);
  visit("set_code", tree.splits.set_code);
  visit("set_branch", tree.splits.set_branch);
}

// Those that a tree of thresholds and level sets does without; arrays that come from outside may leave them out.
template <class SomeTree, class Visit>
void visit_optional(SomeTree& tree, const Visit& visit) {
  visit("split_missing", tree.splits.missing);
  visit("edge_begin", tree.splits.edge_begin);
  visit("edge_type", tree.splits.edge_type);
  visit("edge_bits", tree.splits.edge_bits);
  visit("interval_branch", tree.splits.interval_branch);
  visit("term_begin", tree.splits.terms.begin);
  visit("term_column", tree.splits.terms.column);
  visit("term_code", tree.splits.terms.code);
  visit("term_negated", tree.splits.terms.negated);
  visit("term_type", tree.splits.terms.type);
  visit("term_side", tree.splits.terms.side);
  visit("term_bits", tree.splits.terms.bits);
  visit("split_feature", tree.splits.derived);
  visit("lin_begin", tree.splits.sums.begin);
  visit("lin_column", tree.splits.sums.column);
  visit("lin_code", tree.splits.sums.code);
  visit("lin_weight", tree.splits.sums.weight);
  visit("lin_fill", tree.splits.sums.fill);
  visit("lin_scale", tree.splits.sums.scale);
  visit("lin_origin", tree.splits.sums.origin);
  visit("lin_whole", tree.splits.sums.whole);
  visit("lin_other", tree.splits.sums.other);
  visit("lin_other_code", tree.splits.sums.other_code);
  visit("lin_other_origin", tree.splits.sums.other_origin);
  visit("lin_centre", tree.splits.sums.centre);
  visit("lin_other_centre", tree.splits.sums.other_centre);
  visit("net_hidden", tree.splits.sums.layers.units);
  visit("net_begin", tree.splits.sums.layers.begin);
  visit("net_weight", tree.splits.sums.layers.weight);
  visit("mac_begin", tree.splits.sums.machine_begin);
  visit("mac_weight", tree.splits.sums.machine_weight);
  visit("model_index", tree.models.index);
  visit("model_begin", tree.models.terms.begin);
  visit("model_column", tree.models.terms.column);
  visit("model_code", tree.models.terms.code);
  visit("model_weight", tree.models.terms.weight);
  visit("model_fill", tree.models.terms.fill);
  visit("model_scale", tree.models.terms.scale);
  visit("model_origin", tree.models.terms.origin);
  visit("model_bias", tree.models.bias);
}

// The arrays that follow from the parents.
template <class SomeTree, class Visit>
void visit_derived(SomeTree& tree, const Visit& visit) {
  visit("branch", tree.branch);
  visit("end", tree.end);
  visit("child_begin", tree.child_begin);
  visit("children", tree.children);
}

using RoutingTuple = std::tuple<bool, int, int, int>;

Otherwise otherwise(const char* place, int code) {
  if (code < 0 || code > static_cast<int>(Otherwise::spread)) {
    throw InvalidInput(place, "unknown code " + std::to_string(code));
  }
  return static_cast<Otherwise>(code);
}

Routing to_routing(const RoutingTuple& r) {
  return {std::get<0>(r), otherwise("routing.fallback", std::get<1>(r)), otherwise("routing.absent", std::get<2>(r)),
          otherwise("routing.unseen", std::get<3>(r))};
}

RoutingTuple from_routing(const Routing& r) {
  return {r.surrogates, static_cast<int>(r.fallback), static_cast<int>(r.absent), static_cast<int>(r.unseen)};
}

Tree tree_from_arrays(const nb::dict& arrays, const RoutingTuple& routing) {
  Tree tree;
  tree.routing = to_routing(routing);
  ArrayReader reader(arrays);
  visit_arrays(tree, [&](const char* name, auto& field) { reader.needed(name, field); });
  link(tree);
  const auto read = [&](const char* name, auto& field) { reader.optional(name, field); };
  visit_optional(tree, read);
  visit_derived(tree, read);
  reader.finish("a name that no tree has");
  validate(tree);
  return tree;
}

nb::dict to_arrays(nb::handle self) {
  nb::dict arrays;
  const auto& tree = nb::cast<const Tree&>(self);
  const auto show = [&](const char* name, const auto& field) { arrays[name] = view_numpy(field, self); };
  visit_arrays(tree, show);
  visit_optional(tree, show);
  return arrays;
}

nb::object field_view(nb::handle self, std::string_view name) {
  nb::object found;
  const auto& tree = nb::cast<const Tree&>(self);
  const auto look = [&](const char* field_name, const auto& field) {
    if (name == field_name) found = view_numpy(field, self);
  };
  visit_arrays(tree, look);
  visit_optional(tree, look);
  visit_derived(tree, look);
  return found;
}

// A Python float is a double; an int is written as int64, or as uint64 if it is too large for that.
Threshold to_threshold(nb::handle value, int side) {
  if (side < 0 || side > 1) throw InvalidInput("side", "expected 0 (le) or 1 (lt)");
  Threshold t;
  t.side = static_cast<Side>(side);
  if (nb::isinstance<nb::float_>(value)) {
    t.bits = std::bit_cast<std::uint64_t>(nb::cast<double>(value));
    return t;
  }
  if (!nb::isinstance<nb::int_>(value)) throw nb::type_error("threshold: expected a float or an int");
  std::int64_t small = 0;
  if (nb::try_cast(value, small, false)) {
    t.type = ValueType::i64;
    t.bits = std::bit_cast<std::uint64_t>(small);
    return t;
  }
  std::uint64_t large = 0;
  if (!nb::try_cast(value, large, false)) throw InvalidInput("threshold", "does not fit into 64 bits");
  t.type = ValueType::u64;
  t.bits = large;
  return t;
}

SplitFacts split_facts(int role, std::int32_t column, double score, double adjusted, int found, std::int32_t missing) {
  if (role < 0 || role > 255 || found < 0 || found > 255) throw InvalidInput("split", "role and found are small codes");
  return {static_cast<SplitRole>(role), column, score, adjusted, static_cast<Found>(found), missing};
}

std::uint8_t to_low(int low) {
  if (low < 0 || low > 1) throw InvalidInput("low", "expected 0 or 1");
  return static_cast<std::uint8_t>(low);
}

std::int32_t add_node(TreeBuilder& self, std::int32_t parent, std::int32_t branch, std::optional<std::int32_t> label,
                      const std::vector<std::pair<std::int32_t, double>>& counts, std::optional<double> value,
                      std::int64_t rows, double weight, double impurity, double risk, double complexity,
                      std::int32_t majority) {
  const NodeFacts facts = {rows, weight, impurity, risk, complexity, majority};
  if (label.has_value() == value.has_value()) {
    throw InvalidInput("node", "give a label and counts (classification) or a value (regression)");
  }
  if (value.has_value()) return self.add_value_node(parent, branch, facts, *value);
  std::vector<std::int32_t> classes;
  std::vector<double> weights;
  for (const auto& [c, w] : counts) {
    classes.push_back(c);
    weights.push_back(w);
  }
  return self.add_class_node(parent, branch, facts, *label, classes, weights);
}

// Column, code, weight, fill, scale, origin; of a product also the other column, code and origin, and both centres.
std::vector<LinearTerm> to_terms(const std::vector<nb::tuple>& tuples) {
  std::vector<LinearTerm> terms;
  terms.reserve(tuples.size());
  for (const nb::tuple& entry : tuples) {
    if (entry.size() != 6 && entry.size() != 11) throw InvalidInput("terms", "a term has six entries, or eleven");
    LinearTerm& term = terms.emplace_back();
    term.column = nb::cast<std::int32_t>(entry[0]);
    term.code = nb::cast<std::int32_t>(entry[1]);
    term.weight = nb::cast<double>(entry[2]);
    term.fill = nb::cast<double>(entry[3]);
    term.scale = nb::cast<double>(entry[4]);
    term.origin = nb::cast<std::int64_t>(entry[5]);
    if (entry.size() == 6) continue;
    term.other = nb::cast<std::int32_t>(entry[6]);
    term.other_code = nb::cast<std::int32_t>(entry[7]);
    term.other_origin = nb::cast<std::int64_t>(entry[8]);
    term.centre = nb::cast<double>(entry[9]);
    term.other_centre = nb::cast<double>(entry[10]);
  }
  return terms;
}

// (column, code, negated) or, of a threshold, (column, -1, negated, number, side).
Property to_property(const nb::tuple& term) {
  if (term.size() != 3 && term.size() != 5) throw InvalidInput("terms", "a term has three entries, or five");
  Property property = {nb::cast<std::int32_t>(term[0]), nb::cast<std::int32_t>(term[1]), nb::cast<bool>(term[2])};
  if (term.size() == 5) property.threshold = to_threshold(term[3], nb::cast<int>(term[4]));
  if ((term.size() == 3) != property.asks_level()) throw InvalidInput("terms", "the code of a threshold is -1");
  return property;
}

void bind_builder(nb::module_& m) {
  nb::class_<TreeBuilder>(m, "TreeBuilder", "Nodes in preorder, each followed by its splits; freeze() checks them.")
      .def(
          "__init__",
          [](TreeBuilder* self, std::vector<double> class_scale, const RoutingTuple& routing) {
            new (self) TreeBuilder(std::move(class_scale), to_routing(routing));
          },
          "class_scale"_a = std::vector<double>{}, "routing"_a = RoutingTuple{true, 1, 0, 0})
      .def("add_node", &add_node, "parent"_a, "branch"_a, nb::kw_only(), "label"_a = nb::none(),
           "counts"_a = std::vector<std::pair<std::int32_t, double>>{}, "value"_a = nb::none(), "rows"_a = 0,
           "weight"_a = 0.0, "impurity"_a = 0.0, "risk"_a = 0.0, "complexity"_a = 0.0, "majority"_a = -1)
      .def(
          "add_threshold",
          [](TreeBuilder& self, std::int32_t column, nb::handle threshold, int side, int low, int role, double score,
             double adjusted, int found, std::int32_t missing) {
            self.add_threshold(split_facts(role, column, score, adjusted, found, missing),
                               to_threshold(threshold, side), to_low(low));
          },
          "column"_a, "threshold"_a, nb::kw_only(), "side"_a = 0, "low"_a = 0, "role"_a = 0, "score"_a = 0.0,
          "adjusted"_a = 0.0, "found"_a = 0, "missing"_a = -1)
      .def(
          "add_levels",
          [](TreeBuilder& self, std::int32_t column, const std::vector<std::int32_t>& codes,
             const std::vector<std::int32_t>& branches, int role, double score, double adjusted, int found,
             std::int32_t missing) {
            self.add_levels(split_facts(role, column, score, adjusted, found, missing), codes, branches);
          },
          "column"_a, "codes"_a, "branches"_a, nb::kw_only(), "role"_a = 0, "score"_a = 0.0, "adjusted"_a = 0.0,
          "found"_a = 0, "missing"_a = -1)
      .def(
          "add_intervals",
          [](TreeBuilder& self, std::int32_t column, const nb::list& edges, const std::vector<std::int32_t>& branches,
             int side, int role, double score, double adjusted, int found, std::int32_t missing) {
            std::vector<Threshold> thresholds;
            for (const nb::handle edge : edges) thresholds.push_back(to_threshold(edge, side));
            self.add_intervals(split_facts(role, column, score, adjusted, found, missing), thresholds, branches);
          },
          "column"_a, "edges"_a, "branches"_a, nb::kw_only(), "side"_a = 0, "role"_a = 0, "score"_a = 0.0,
          "adjusted"_a = 0.0, "found"_a = 0, "missing"_a = -1)
      .def(
          "add_conjunction",
          [](TreeBuilder& self, const std::vector<nb::tuple>& terms, int low, int role, double score, double adjusted,
             std::int32_t missing) {
            std::vector<Property> all;
            all.reserve(terms.size());
            for (const nb::tuple& term : terms) all.push_back(to_property(term));
            self.add_conjunction(split_facts(role, 0, score, adjusted, 0, missing), all, to_low(low));
          },
          "terms"_a, nb::kw_only(), "low"_a = 0, "role"_a = 0, "score"_a = 0.0, "adjusted"_a = 0.0, "missing"_a = -1)
      .def(
          "set_model",
          [](TreeBuilder& self, double bias, const std::vector<nb::tuple>& terms) {
            self.set_model(bias, to_terms(terms));
          },
          "bias"_a, "terms"_a)
      .def(
          "ask_sum",
          [](TreeBuilder& self, const std::vector<nb::tuple>& terms, bool whole, const std::vector<double>& machine) {
            self.ask_sum(to_terms(terms), whole, machine);
          },
          "terms"_a, nb::kw_only(), "whole"_a = false, "machine"_a = std::vector<double>{})
      .def(
          "ask_network",
          [](TreeBuilder& self, const std::vector<nb::tuple>& terms, std::int32_t units, std::vector<double> weights,
             bool whole) { self.ask_network(to_terms(terms), whole, {units, std::move(weights)}); },
          "terms"_a, "units"_a, "weights"_a, nb::kw_only(), "whole"_a = false)
      .def("freeze", &TreeBuilder::freeze);
}

}  // namespace

void bind_tree(nb::module_& m) {
  const nb::exception<InvalidInput> invalid_input(m, "InvalidInput", PyExc_ValueError);

  nb::class_<Tree> tree(m, "Tree", "The frozen tree: read-only views of the kernel's arrays.");
  tree.def("__len__", [](const Tree& self) { return self.size(); });
  const Tree any;  // only its field names matter here
  const auto expose = [&](const char* name, const auto&) {
    tree.def_prop_ro(name, [name](nb::handle_t<Tree> self) { return field_view(self, name); });
  };
  visit_arrays(any, expose);
  visit_optional(any, expose);
  visit_derived(any, expose);
  tree.def_prop_ro("routing", [](const Tree& self) { return from_routing(self.routing); })
      .def_prop_ro("is_classifier", &Tree::is_classifier)
      .def("depths", [](const Tree& self) { return to_numpy(node_depths(self)); })
      .def_static("from_arrays", &tree_from_arrays, "arrays"_a, "routing"_a)
      .def("to_arrays", [](nb::handle_t<Tree> self) { return to_arrays(self); })
      .def(
          "check_columns",
          [](const Tree& self, const std::vector<std::int32_t>& kinds, const std::vector<std::int64_t>& n_levels) {
            check_columns(self, kinds, n_levels);
          },
          "kinds"_a, "n_levels"_a)
      .def(
          "cut",
          [](const Tree& self, const std::vector<std::int32_t>& nodes) {
            CutTree result = cut(self, nodes);
            return nb::make_tuple(nb::cast(std::move(result.tree)), to_numpy(std::move(result.origin)));
          },
          "nodes"_a)
      .def("__getstate__",
           [](nb::handle_t<Tree> self) {
             return std::make_tuple(to_arrays(self), from_routing(nb::cast<const Tree&>(self).routing));
           })
      .def("__setstate__", [](Tree& self, const std::tuple<nb::dict, RoutingTuple>& state) {
        new (&self) Tree(tree_from_arrays(std::get<0>(state), std::get<1>(state)));
      });

  bind_builder(m);
}

}  // namespace bough::python
