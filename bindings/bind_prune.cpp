// bough._core.prune_error_based and prune_reduced_error: smaller trees, and what was decided on the way; and the
// complexities of a tree that was edited.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bough/base/watch.hpp"
#include "bough/pruning/cost_complexity.hpp"
#include "bough/pruning/error_based.hpp"
#include "bough/pruning/reduced_error.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

// The tree, and the decisions as (node of the old tree, "leaf" or "raised", errors before, errors after).
nb::tuple to_tuple(PrunedTree&& pruned) {
  nb::list log;
  for (const Cut& cut : pruned.log) {
    log.append(nb::make_tuple(cut.node, cut.raised ? "raised" : "leaf", cut.before, cut.after));
  }
  return nb::make_tuple(nb::cast(std::move(pruned.tree)), log);
}

nb::tuple error_based(const Tree& tree, const OwnedTable& owned, const nb::dict& target_fields, const nb::dict& given,
                      nb::object progress) {
  ErrorBasedOptions asked;
  Options options(given);
  options.read("confidence", asked.confidence);
  options.read("complement", asked.complement);
  options.read("raising", asked.raising);
  options.read("collapse", asked.collapse);
  options.read("epsilon", asked.epsilon);
  options.read_choice<Criterion>("criterion", asked.criterion,
                                 {{"gini", Criterion::gini},
                                  {"entropy", Criterion::entropy},
                                  {"gain_ratio", Criterion::gain_ratio},
                                  {"misclassification", Criterion::misclassification},
                                  {"twoing", Criterion::twoing}});
  options.finish();
  const Target target = read_target(target_fields);
  check_target(target, owned.table);
  Watch watch(Asker(std::move(progress)), static_cast<double>(tree.size()));
  PrunedTree pruned;
  {
    const Unlocked unlocked;
    pruned = prune_error_based(tree, owned.table, target, asked, watch);
  }
  return to_tuple(std::move(pruned));
}

nb::tuple reduced_error(const Tree& tree, const OwnedTable& owned, const nb::dict& target_fields, const nb::dict& given,
                        const nb::object& holdout_weight, nb::object progress) {
  ReducedErrorOptions asked;
  Options options(given);
  options.read_choice<ErrorRule>("rule", asked.rule,
                                 {{"not_worse", ErrorRule::not_worse}, {"strict", ErrorRule::strict}});
  options.read_choice<ValueError>("value_error", asked.value_error,
                                  {{"squared", ValueError::squared}, {"absolute", ValueError::absolute}});
  options.read("epsilon", asked.epsilon);
  options.finish();
  const Target target = read_target(target_fields);
  check_target(target, owned.table);
  const std::vector<double> holdout = from_numpy<double>(holdout_weight, "holdout_weight");
  Watch watch(Asker(std::move(progress)), static_cast<double>(owned.table.rows));
  PrunedTree pruned;
  {
    const Unlocked unlocked;
    pruned = prune_reduced_error(tree, owned.table, target, holdout, asked, watch);
  }
  return to_tuple(std::move(pruned));
}

// The tree with the complexities of its nodes worked out anew, after an edit.
Tree weakest_links(const Tree& tree) {
  Tree renewed = tree;
  renewed.complexity = node_complexity(tree, ComplexityRule::weakest_link, 0.0);
  return renewed;
}

}  // namespace

void bind_prune(nb::module_& m) {
  m.def("prune_error_based", &error_based, "tree"_a, "table"_a, "target"_a, "options"_a, "progress"_a = nb::none());
  m.def("prune_reduced_error", &reduced_error, "tree"_a, "table"_a, "target"_a, "options"_a, "holdout_weight"_a,
        "progress"_a = nb::none());
  m.def("weakest_links", &weakest_links, "tree"_a);
}

}  // namespace bough::python
