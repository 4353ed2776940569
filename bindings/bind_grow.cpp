// bough._core.grow: trees grown on ranks made once, with the interpreter's lock released.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/expert.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bindings/user_judge.hpp"
#include "bindings/user_search.hpp"
#include "bough/base/error.hpp"
#include "bough/base/watch.hpp"
#include "bough/engine/grow.hpp"
#include "bough/engine/open/refine.hpp"
#include "bough/engine/options.hpp"
#include "bough/engine/plan.hpp"
#include "bough/engine/sorted/replay.hpp"
#include "bough/pruning/cost_complexity.hpp"
#include "bough/stats/node_stats.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

struct Asked {
  GrowOptions grow;
  std::unique_ptr<UserJudge> judge;
  std::unique_ptr<UserSearch> finder;
  ComplexityRule complexity = ComplexityRule::weakest_link;
  double cp = -1.0;  // relative complexity up to which nodes are cut; negative: none
  bool cut = true;   // false: complexities for `cp` only, so that whoever cuts can tell what
};

void read_branching(Options& options, GrowOptions& o) {
  const std::map<std::string, Branching> ways = {
      {"binary", Branching::binary},   {"one_level", Branching::one_level}, {"per_level", Branching::per_level},
      {"grouped", Branching::grouped}, {"merged", Branching::merged},       {"intervals", Branching::intervals}};
  options.read_choice<Branching>("branching", o.branching, ways);
  options.read_choice<Branching>("nominal", o.branches.nominal, ways);
  options.read("max_branches", o.branches.most);
  options.read("intervals", o.branches.intervals);
  options.read("merge_level", o.branches.merge_level);
  options.read("split_level", o.branches.split_level);
  options.read("merge_bins", o.branches.bins);
  options.read("merge_bonferroni", o.branches.merge_bonferroni);
}

void read_selection(Options& options, SelectionOptions& o) {
  options.read_choice<SearchRule>("search", o.search,
                                  {{"exhaustive", SearchRule::exhaustive},
                                   {"unbiased", SearchRule::unbiased},
                                   {"conjunctions", SearchRule::conjunctions},
                                   {"discriminant", SearchRule::discriminant},
                                   {"perturb", SearchRule::perturb},
                                   {"linear_combination", SearchRule::linear_combination},
                                   {"quest", SearchRule::quest},
                                   {"curved", SearchRule::curved},
                                   {"omnivariate", SearchRule::omnivariate},
                                   {"gradient", SearchRule::gradient},
                                   {"machine", SearchRule::machine},
                                   {"written", SearchRule::written}});
  options.read("conjunction_size", o.properties);
  options.read("conjunction_thresholds", o.thresholds);
  options.read_choice<SelectionTest>(
      "selection_test", o.test,
      {{"chi_squared", SelectionTest::chi_squared}, {"permutation", SelectionTest::permutation}});
  options.read("selection_level", o.level);
  options.read("selection_bonferroni", o.bonferroni);
  options.read("resamples", o.resamples);
  options.read("seed", o.seed);
}

void read_oblique(Options& options, ObliqueOptions& o) {
  options.read("max_levels", o.max_levels);
  options.read("missing_whole", o.whole);
  options.read_choice<Sparse>("sparse", o.sparse, {{"backward", Sparse::backward}, {"forward", Sparse::forward}});
  options.read("max_terms", o.max_terms);
  options.read_choice<Grouping>("grouping", o.grouping,
                                {{"auto", Grouping::automatic},
                                 {"two_means", Grouping::two_means},
                                 {"all", Grouping::all},
                                 {"one_vs_rest", Grouping::one_vs_rest}});
  options.read("shrinkage", o.shrinkage);
  options.read("by_value", o.by_value);
  options.read("restarts", o.restarts);
  options.read("jumps", o.jumps);
  options.read("max_cycles", o.max_cycles);
  options.read_choice<MoveOrder>(
      "move_order", o.order,
      {{"sequential", MoveOrder::sequential}, {"best", MoveOrder::best}, {"random", MoveOrder::random}});
  options.read("search_rows", o.search_rows);
  options.read_choice<MachineRule>("machine", o.machine,
                                   {{"fact", MachineRule::fact}, {"thermal", MachineRule::thermal}});
  options.read("deletion", o.deletion);
  options.read_choice<Curve>("curve", o.curve,
                             {{"quadratic", Curve::quadratic},
                              {"sphere", Curve::sphere},
                              {"ellipsoid", Curve::ellipsoid},
                              {"full_ellipsoid", Curve::full_ellipsoid},
                              {"principal", Curve::principal}});
  options.read("perturb", o.perturb);
  options.read("find_rows", o.find_rows);
  options.read_choice<Found>("found", o.found, {{"written", Found::written}, {"gradient", Found::gradient}});
  options.read("column_level", o.level);
  options.read("linear", o.linear);
  options.read("logistic", o.logistic);
  options.read("penalty", o.penalty);
  options.read("passes", o.passes);
}

// Searches that compete, each with the options that a growth by it alone would have.
void read_omnivariate(Options& options, const nb::dict& given, OmnivariateOptions& o) {
  options.read("choice_level", o.level);
  options.read("test_rows", o.test_rows);
  if (!options.has("contenders")) return;
  for (const nb::handle one : nb::cast<nb::list>(given["contenders"])) {
    const nb::dict own = nb::cast<nb::dict>(one);
    Options read(own);
    Contender& contender = o.contenders.emplace_back();
    read_selection(read, contender.selection);
    read_oblique(read, contender.oblique);
    read.finish();
  }
}

void read_stopping(Options& options, const nb::dict& given, StoppingOptions& o) {
  options.read("max_impurity", o.max_impurity);
  options.read("majority_share", o.majority_share);
  options.read("error_threshold", o.error_threshold);
  options.read("min_gain", o.min_gain);
  options.read("significance", o.significance);
  read_significance_test(options, o.significance_test);
  options.read("significance_bonferroni", o.bonferroni);
  options.read("gains_level", o.gains_level);
  read_size(options, o.size);
  options.read_choice<GrowthOrder>("size_order", o.size.order,
                                   {{"best_first", GrowthOrder::best_first}, {"layers", GrowthOrder::layers}});
  if (options.has("validation")) o.validation = from_numpy<double>(given["validation"], "validation");
  options.read_choice<ValidationRule>("validation_rule", o.validation_rule,
                                      {{"strict", ValidationRule::strict}, {"not_worse", ValidationRule::not_worse}});
}

// Without a table, to plan a growth: splits that an expert gives are then noted, not read.
Asked read_options(const nb::dict& given, const RankedTable* table) {
  Asked asked;
  GrowOptions& o = asked.grow;
  Options options(given);
  read_branching(options, o);
  read_selection(options, o.selection);
  read_oblique(options, o.oblique);
  read_omnivariate(options, given, o.omnivariate);
  options.read("lookahead", o.ahead.depth);
  options.read("beam", o.ahead.beam);
  read_stopping(options, given, o.stop);
  for (const char* name : {"initial", "forced", "columns_below"}) options.has(name);
  if (table != nullptr) {
    o.expert = read_expert(given, *table);
  } else if (gives_expert(given)) {
    o.expert.forced.resize(1);
  }
  options.read("ask_missing", o.ask_missing);
  options.read_choice<LeafRule>(
      "leaf", o.leaf,
      {{"by_criterion", LeafRule::by_criterion}, {"mean", LeafRule::mean}, {"median", LeafRule::median}});
  options.read_choice<Loop>("loop", o.loop, {{"auto", Loop::automatic}, {"open", Loop::open}});
  options.read_choice<Criterion>("criterion", o.criterion,
                                 {{"gini", Criterion::gini},
                                  {"entropy", Criterion::entropy},
                                  {"misclassification", Criterion::misclassification},
                                  {"twoing", Criterion::twoing},
                                  {"weighted_gini", Criterion::weighted_gini},
                                  {"squared_error", Criterion::squared_error},
                                  {"absolute_error", Criterion::absolute_error},
                                  {"worst_error", Criterion::worst_error},
                                  {"gain_ratio", Criterion::gain_ratio},
                                  {"chi_squared", Criterion::chi_squared},
                                  {"weighted_entropy", Criterion::weighted_entropy},
                                  {"expected_cost", Criterion::expected_cost},
                                  {"gini_half", Criterion::gini_half},
                                  {"user", Criterion::user}});
  options.read_choice<TwoingImpurity>("twoing_impurity", o.twoing,
                                      {{"gini", TwoingImpurity::gini},
                                       {"entropy", TwoingImpurity::entropy},
                                       {"misclassification", TwoingImpurity::misclassification}});
  options.read_choice<Choice>("choice", o.gain.choice,
                              {{"best", Choice::best}, {"above_average", Choice::above_average}});
  options.read("declared_branches", o.gain.declared_branches);
  options.read("two_branches", o.gain.two_branches);
  options.read("relative_minimum", o.gain.relative_minimum);
  options.read("threshold_penalty", o.gain.threshold_penalty);
  options.read("many_valued_share", o.gain.many_valued_share);
  options.read("later_rules", o.gain.later_rules);
  options.read("value_gap", o.gain.value_gap);
  options.read("epsilon", o.gain.epsilon);
  options.read_choice<CutRule>(
      "threshold", o.cut,
      {{"midpoint", CutRule::midpoint}, {"weighted", CutRule::weighted}, {"data_value", CutRule::data_value}});
  options.read_choice<Side>("threshold_side", o.side, {{"le", Side::le}, {"lt", Side::lt}});
  options.read_choice<BranchOrder>("branch_order", o.branch_order,
                                   {{"value", BranchOrder::value}, {"response", BranchOrder::response}});
  options.read_choice<SubsetRule>("subsets", o.subsets,
                                  {{"auto", SubsetRule::automatic},
                                   {"exact", SubsetRule::exact},
                                   {"heuristic", SubsetRule::heuristic},
                                   {"all", SubsetRule::all}});
  options.read("max_depth", o.max_depth);
  options.read("min_split_weight", o.min_split_weight);
  options.read("min_leaf_weight", o.min_leaf_weight);
  options.read("min_split_rows", o.min_split_rows);
  options.read("min_leaf_rows", o.min_leaf_rows);
  options.read("min_impurity_decrease", o.min_impurity_decrease);
  options.read("max_leaf_nodes", o.max_leaf_nodes);
  options.read("zero_gain", o.zero_gain);
  options.read("count_rows", o.count_rows);
  options.read_choice<MissingRule>("missing", o.missing,
                                   {{"surrogate", MissingRule::surrogate},
                                    {"majority", MissingRule::majority},
                                    {"stop", MissingRule::stop},
                                    {"fractional", MissingRule::fractional},
                                    {"own_branch", MissingRule::own_branch},
                                    {"learned", MissingRule::learned}});
  options.read_choice<Otherwise>("fallback", o.fallback,
                                 {{"majority", Otherwise::majority}, {"stop", Otherwise::stop}});
  const std::map<std::string, Otherwise> ways = {{"missing", Otherwise::missing},
                                                 {"majority", Otherwise::majority},
                                                 {"stop", Otherwise::stop},
                                                 {"error", Otherwise::error}};
  options.read_choice<Otherwise>("absent", o.absent, ways);
  options.read_choice<Otherwise>("unseen", o.unseen, ways);
  options.read("discount_missing", o.discount_missing);
  options.read("tie_stops", o.tie_stops);
  options.read_choice<MajorityRule>(
      "majority", o.majority,
      {{"known_weight", MajorityRule::known_weight}, {"routed_rows", MajorityRule::routed_rows}});
  options.read("max_surrogates", o.surrogates.most);
  options.read("surrogate_keep_direction", o.surrogates.keep_direction);
  options.read("surrogate_beyond_majority", o.surrogates.beyond_majority);
  options.read("surrogate_joint_base", o.surrogates.joint_base);
  options.read("surrogate_least", o.surrogates.least);
  options.read("surrogate_two_disagree", o.surrogates.two_disagree);
  options.read("max_competitors", o.max_competitors);
  options.read("tie", o.tie);
  options.read_choice<TieRule>("ties", o.ties, {{"first", TieRule::first}, {"rounding", TieRule::rounding}});
  options.read("monotone", o.monotone);
  options.read("feature_cost", o.feature_cost);
  options.read("threads", o.threads);
  options.read("cp", asked.cp);
  options.read("cut", asked.cut);
  options.read_choice<ComplexityRule>(
      "complexity", asked.complexity,
      {{"weakest_link", ComplexityRule::weakest_link}, {"accounts", ComplexityRule::accounts}});
  const bool scores = options.has("score");
  const bool has_impurity = options.has("impurity");
  if (scores != (o.criterion == Criterion::user))
    throw InvalidInput("score", "goes with criterion user, and only there");
  if (has_impurity && !scores) throw InvalidInput("impurity", "goes with score, and only there");
  if (scores) {
    asked.judge = std::make_unique<UserJudge>(nb::object(given["score"]),
                                              has_impurity ? nb::object(given["impurity"]) : nb::object(nb::none()),
                                              o.discount_missing);
    o.judge = asked.judge.get();
  }
  const bool finds = options.has("find");
  if (finds != (o.selection.search == SearchRule::written))
    throw InvalidInput("find", "goes with search written, and only there");
  if (finds) {
    asked.finder = std::make_unique<UserSearch>(nb::object(given["find"]));
    o.finder = asked.finder.get();
  }
  options.finish();
  o.risk_share = asked.cp;
  return asked;
}

void check_request(const Target& target, const Asked& asked, const RankedTable& table) {
  check_target(target, table);
  const GrowOptions& o = asked.grow;
  if (!o.monotone.empty() && o.monotone.size() != table.columns.size())
    throw InvalidInput("monotone", "one for each column");
  if (!o.feature_cost.empty() && o.feature_cost.size() != table.columns.size()) {
    throw InvalidInput("feature_cost", "one for each column");
  }
  if (o.criterion == Criterion::weighted_gini && target.cost.empty())
    throw InvalidInput("cost", "weighted_gini needs costs");
  if (!o.stop.validation.empty() && o.stop.validation.size() != table.rows)
    throw InvalidInput("validation", "one weight for each row");
  const Plan planned = plan(o, target.classes);
  if (!planned.refused.empty()) throw InvalidInput(planned.refused.front().option, planned.refused.front().text);
}

Tree grow_tree(const OwnedTable& owned, const nb::dict& target_fields, const nb::dict& options, nb::object progress,
               const nb::object& refused, const nb::object& choices) {
  Asked asked = read_options(options, &owned.table);
  std::vector<RefusedSplit> refusals;
  if (!refused.is_none()) asked.grow.refused = &refusals;
  std::vector<NodeChoice> chosen;
  if (!choices.is_none()) asked.grow.choices = &chosen;
  const Target target = read_target(target_fields);
  check_request(target, asked, owned.table);
  Watch watch(Asker(std::move(progress)), static_cast<double>(owned.table.rows));
  Tree tree;
  {
    const Unlocked unlocked;
    tree = grow(owned.table, target, asked.grow, watch);
  }
  for (RefusedSplit& split : refusals)
    nb::cast<nb::list>(refused).append(nb::make_tuple(split.node, split.without, split.with, std::move(split.stump)));
  for (NodeChoice& choice : chosen)
    nb::cast<nb::list>(choices).append(nb::make_tuple(choice.node, choice.chosen, choice.error, choice.p));
  const Unlocked unlocked;
  const double root_risk = tree.risk.front();
  const double alpha = asked.cp < 0.0 ? -1.0 : asked.cp * root_risk;
  if (asked.cut) return prune(std::move(tree), asked.complexity, alpha);
  tree.complexity = node_complexity(tree, asked.complexity, alpha);
  return tree;
}

Tree refined(const Tree& tree, const OwnedTable& owned, const nb::dict& target_fields, const nb::dict& options,
             nb::object progress) {
  const Asked asked = read_options(options, &owned.table);
  const Target target = read_target(target_fields);
  check_request(target, asked, owned.table);
  if (asked.judge != nullptr) throw InvalidInput("refine", "does not go with a criterion in Python");
  if (asked.grow.missing == MissingRule::fractional) throw InvalidInput("refine", "rows must go down one branch");
  Watch watch(Asker(std::move(progress)), static_cast<double>(owned.table.rows));
  const Unlocked unlocked;
  Tree better = refine(tree, owned.table, target, asked.grow, watch);
  better.complexity = node_complexity(better, asked.complexity, -1.0);
  return better;
}

Tree replay_surrogates(const Tree& tree, const OwnedTable& owned, const nb::dict& target_fields,
                       const nb::dict& options, nb::object progress) {
  const Asked asked = read_options(options, &owned.table);
  const Target target = read_target(target_fields);
  check_request(target, asked, owned.table);
  Watch watch(Asker(std::move(progress)), static_cast<double>(owned.table.rows));
  if (plan(asked.grow, target.classes).is_open()) return tree;  // found while it grew
  const Unlocked unlocked;
  return add_surrogates(tree, owned.table, target, asked.grow, watch);
}

nb::list as_list(const std::vector<Remark>& remarks) {
  nb::list all;
  for (const Remark& remark : remarks) all.append(nb::make_tuple(remark.option, remark.text));
  return all;
}

nb::dict plan_growth(const nb::dict& options, std::size_t classes) {
  const Plan planned = plan(read_options(options, nullptr).grow, classes);
  nb::dict told;
  told["engine"] = planned.is_open() ? "open" : "sorted";
  told["because"] = as_list(planned.open);
  told["refused"] = as_list(planned.refused);
  return told;
}

// The impurity of nodes that hold these weights of classes, one row of counts a node.
nb::object node_impurities(const nb::dict& options, std::uint32_t classes, const nb::object& counts,
                           const nb::object& cost) {
  const Criterion criterion = read_options(options, nullptr).grow.criterion;
  const std::vector<double> all = from_numpy<double>(counts, "counts");
  Target target;
  target.classes = classes;
  target.growth_scale.assign(classes, 1.0);
  if (!cost.is_none()) target.cost = from_numpy<double>(cost, "cost");
  const bool weighs = criterion == Criterion::weighted_gini || criterion == Criterion::weighted_entropy ||
                      criterion == Criterion::expected_cost;
  if (weighs && target.cost.size() != std::size_t{classes} * classes) throw InvalidInput("cost", "not square");
  if (classes == 0 || all.size() % classes != 0) throw InvalidInput("counts", "one for each class is needed");
  std::vector<double> found;
  for (auto first = all.begin(); first != all.end(); first += classes) {
    found.push_back(class_impurity({first, first + classes}, target, criterion));
  }
  return to_numpy(std::move(found));
}

nb::object pruned_ends(const Tree& tree, const nb::object& last, const nb::object& alpha) {
  const std::vector<std::int32_t> nodes = from_numpy<std::int32_t>(last, "last");
  const std::vector<double> alphas = from_numpy<double>(alpha, "alpha");
  std::vector<std::int32_t> ends;
  {
    const Unlocked unlocked;
    ends = ends_at(tree, nodes, alphas);
  }
  return to_numpy(std::move(ends));
}

}  // namespace

void bind_grow(nb::module_& m) {
  m.def("plan", &plan_growth, "options"_a, "classes"_a);
  m.def("impurities", &node_impurities, "options"_a, "classes"_a, "counts"_a, "cost"_a.none() = nb::none());
  m.def("grow", &grow_tree, "table"_a, "target"_a, "options"_a, "progress"_a.none(), "refused"_a = nb::none(),
        "choices"_a = nb::none());
  m.def("refine", &refined, "tree"_a, "table"_a, "target"_a, "options"_a, "progress"_a = nb::none());
  m.def("add_surrogates", &replay_surrogates, "tree"_a, "table"_a, "target"_a, "options"_a, "progress"_a = nb::none());
  m.def("ends_at", &pruned_ends, "tree"_a, "last"_a, "alpha"_a);
}

}  // namespace bough::python
