// bough._core.prune_* and merge_leaves: smaller trees, and what was decided on the way; and the complexities of a tree
// that was edited.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bough/base/watch.hpp"
#include "bough/pruning/cost_complexity.hpp"
#include "bough/pruning/description_length.hpp"
#include "bough/pruning/error_based.hpp"
#include "bough/pruning/merge_leaves.hpp"
#include "bough/pruning/reduced_error.hpp"
#include "bough/pruning/significant_splits.hpp"
#include "bough/pruning/size_penalty.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

// One field of the steps of a log as an array.
template <class T>
nb::object column(const std::vector<PruningStep>& log, T PruningStep::* field) {
  std::vector<T> values;
  values.reserve(log.size());
  for (const PruningStep& cut : log) values.push_back(cut.*field);
  return to_numpy(std::move(values));
}

// The tree, and the steps: node of the old tree, branch that took its place (-1: leaf), what was compared before and
// after, leaves and risk of the whole tree from then on, and whether plain training errors were compared.
nb::tuple to_tuple(PrunedTree&& pruned) {
  nb::dict log;
  log["node"] = column(pruned.log, &PruningStep::node);
  log["branch"] = column(pruned.log, &PruningStep::branch);
  log["before"] = column(pruned.log, &PruningStep::before);
  log["after"] = column(pruned.log, &PruningStep::after);
  log["leaves"] = column(pruned.log, &PruningStep::leaves);
  log["risk"] = column(pruned.log, &PruningStep::risk);
  std::vector<std::uint8_t> plain;
  plain.reserve(pruned.log.size());
  for (const PruningStep& cut : pruned.log) plain.push_back(static_cast<std::uint8_t>(cut.plain));
  log["plain"] = to_numpy(std::move(plain));
  return nb::make_tuple(nb::cast(std::move(pruned.tree)), log);
}

std::map<std::string, Criterion> criteria() {
  return {{"gini", Criterion::gini},
          {"entropy", Criterion::entropy},
          {"gain_ratio", Criterion::gain_ratio},
          {"misclassification", Criterion::misclassification},
          {"twoing", Criterion::twoing}};
}

// Prunes by rows of a table, with a link back to Python while it works.
template <class Asked>
nb::tuple by_rows(PrunedTree (*prune)(const Tree&, const RankedTable&, const Target&, const Asked&, Watch&),
                  const Tree& tree, const OwnedTable& owned, const nb::dict& target_fields, const Asked& asked,
                  nb::object progress) {
  const Target target = read_target(target_fields);
  check_target(target, owned.table);
  Watch watch(Asker(std::move(progress)), static_cast<double>(tree.size()));
  PrunedTree pruned;
  {
    const Unlocked unlocked;
    pruned = prune(tree, owned.table, target, asked, watch);
  }
  return to_tuple(std::move(pruned));
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
  options.read_choice<Criterion>("criterion", asked.criterion, criteria());
  options.finish();
  return by_rows(&prune_error_based, tree, owned, target_fields, asked, std::move(progress));
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

// What nodes are pruned by: the tree's own risk, or another one.
std::vector<double> risk_of(const Tree& tree, const nb::object& given) {
  if (given.is_none()) return tree.risk;
  std::vector<double> risk = from_numpy<double>(given, "risk");
  if (risk.size() != tree.risk.size()) throw InvalidInput("risk", "one for each node is needed");
  for (const double each : risk) {
    if (!std::isfinite(each) || each < 0.0) throw InvalidInput("risk", "must be finite and not negative");
  }
  return risk;
}

// What the split of each node pays for a leaf, in units of the price of one; empty: all the same.
std::vector<double> charge_of(const Tree& tree, const nb::object& given) {
  if (given.is_none()) return {};
  std::vector<double> charge = from_numpy<double>(given, "charge");
  if (charge.size() != tree.risk.size()) throw InvalidInput("charge", "one for each node is needed");
  for (const double each : charge) {
    if (!std::isfinite(each) || each <= 0.0) throw InvalidInput("charge", "must be finite and positive");
  }
  return charge;
}

// The tree with the complexities of its nodes worked out anew: after an edit, or over another risk.
Tree renewed_links(const Tree& tree, const nb::object& risk, const nb::object& charge) {
  Tree renewed = tree;
  renewed.complexity = weakest_links(tree, risk_of(tree, risk), charge_of(tree, charge));
  return renewed;
}

nb::tuple replay(const Tree& tree, const OwnedTable& owned, const nb::dict& target_fields, const nb::object& nodes,
                 const nb::object& branches, const nb::dict& given) {
  ErrorBasedOptions asked;
  Options options(given);
  options.read("epsilon", asked.epsilon);
  options.read_choice<Criterion>("criterion", asked.criterion, criteria());
  options.finish();
  const Target target = read_target(target_fields);
  check_target(target, owned.table);
  const auto node = from_numpy<std::int32_t>(nodes, "nodes");
  const auto branch = from_numpy<std::int32_t>(branches, "branches");
  if (node.size() != branch.size()) throw InvalidInput("branches", "one for each node is needed");
  std::vector<PruningStep> cuts(node.size());
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    cuts[i].node = node[i];
    cuts[i].branch = branch[i];
  }
  Watch watch(Asker(nb::none()), 1.0);
  PrunedTree pruned;
  {
    const Unlocked unlocked;
    pruned = replay_cuts(tree, owned.table, target, cuts, asked, watch);
  }
  return to_tuple(std::move(pruned));
}

nb::tuple merged(const Tree& tree, const nb::dict& given) {
  MergeOptions asked;
  Options options(given);
  options.read("most", asked.most);
  options.read("by_weight", asked.by_weight);
  options.read("leaves", asked.leaves);
  options.finish();
  return to_tuple(merge_leaves(tree, asked));
}

nb::tuple by_size(const Tree& tree, const nb::dict& given) {
  SizePenalty asked;
  Options options(given);
  read_size(options, asked);
  options.finish();
  return to_tuple(prune_size_penalty(tree, asked));
}

nb::tuple insignificant(const Tree& tree, const OwnedTable& owned, const nb::dict& target_fields, const nb::dict& given,
                        nb::object progress) {
  SignificantOptions asked;
  Options options(given);
  options.read("level", asked.level);
  read_significance_test(options, asked.test);
  options.read("paid", asked.paid);
  options.finish();
  return by_rows(&prune_insignificant, tree, owned, target_fields, asked, std::move(progress));
}

nb::tuple weak_nodes_cut(const Tree& tree, double alpha, bool accounts, const nb::object& risk) {
  const ComplexityRule rule = accounts ? ComplexityRule::accounts : ComplexityRule::weakest_link;
  return to_tuple(prune_weak(tree, rule, alpha, risk_of(tree, risk)));
}

DescriptionOptions description_options(const nb::dict& given) {
  DescriptionOptions asked;
  Options options(given);
  options.read_choice<ExceptionCode>("exceptions", asked.exceptions,
                                     {{"counts", ExceptionCode::counts}, {"stochastic", ExceptionCode::stochastic}});
  options.read("one_level", asked.one_level);
  options.read("tree_weight", asked.tree_weight);
  options.finish();
  return asked;
}

nb::tuple by_description(const Tree& tree, const nb::object& values, const nb::dict& given) {
  const auto numbers = from_numpy<std::int64_t>(values, "values");
  return to_tuple(prune_description_length(tree, numbers, description_options(given)));
}

nb::tuple length_of(const Tree& tree, const nb::object& values, const nb::dict& given) {
  const auto numbers = from_numpy<std::int64_t>(values, "values");
  const DescriptionLength bits = description_length(tree, numbers, description_options(given));
  return nb::make_tuple(bits.tree, bits.exceptions);
}

}  // namespace

void bind_prune(nb::module_& m) {
  m.def("prune_error_based", &error_based, "tree"_a, "table"_a, "target"_a, "options"_a, "progress"_a = nb::none());
  m.def("prune_reduced_error", &reduced_error, "tree"_a, "table"_a, "target"_a, "options"_a, "holdout_weight"_a,
        "progress"_a = nb::none());
  m.def("weakest_links", &renewed_links, "tree"_a, "risk"_a = nb::none(), "charge"_a = nb::none());
  m.def("replay_cuts", &replay, "tree"_a, "table"_a, "target"_a, "nodes"_a, "branches"_a, "options"_a);
  m.def("prune_cost_complexity", &weak_nodes_cut, "tree"_a, "alpha"_a, "accounts"_a = false, "risk"_a = nb::none());
  m.def("merge_leaves", &merged, "tree"_a, "options"_a);
  m.def("prune_size_penalty", &by_size, "tree"_a, "options"_a);
  m.def("prune_insignificant", &insignificant, "tree"_a, "table"_a, "target"_a, "options"_a, "progress"_a = nb::none());
  m.def("prune_description_length", &by_description, "tree"_a, "values"_a, "options"_a);
  m.def("description_length", &length_of, "tree"_a, "values"_a, "options"_a);
}

}  // namespace bough::python
