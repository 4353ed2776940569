// bough._core.RankedTable and grow: ranks made once, trees grown on them with the interpreter's lock released.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/columns.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/base/watch.hpp"
#include "bough/grow/grow.hpp"
#include "bough/grow/options.hpp"
#include "bough/grow/replay.hpp"
#include "bough/pruning/cost_complexity.hpp"
#include "bough/table/ranked.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

OwnedTable rank_table(const nb::sequence& columns, const std::vector<std::uint32_t>& levels, const nb::object& used,
                      int threads) {
  Columns read = read_columns(columns);
  if (levels.size() != read.views.size()) throw InvalidInput("levels", "one number for each column is needed");
  std::vector<std::uint8_t> takes_part;
  if (!used.is_none()) {
    takes_part = from_numpy<std::uint8_t>(used, "used");
    if (takes_part.size() != read.rows) throw InvalidInput("used", "one entry for each row is needed");
  }
  OwnedTable owned;
  owned.table.rows = read.rows;
  owned.table.columns.resize(read.views.size());
  owned.owners = std::move(read.owners);
  Watch watch{Asker(nb::none())};
  {
    const Unlocked unlocked;
    parallel_for(read.views.size(), threads, [&](std::size_t c, int) {
      watch.poll(read.rows);
      owned.table.columns[c] =
          rank_column(read.views[c], read.rows, levels[c], takes_part.empty() ? nullptr : takes_part.data());
    });
  }
  return owned;
}

struct Asked {
  GrowOptions grow;
  ComplexityRule complexity = ComplexityRule::weakest_link;
  double cp = -1.0;  // relative complexity up to which nodes are cut; negative: none
};

Asked read_options(const nb::dict& given) {
  Asked asked;
  GrowOptions& o = asked.grow;
  Options options(given);
  options.read_choice<Criterion>("criterion", o.criterion,
                                 {{"gini", Criterion::gini},
                                  {"entropy", Criterion::entropy},
                                  {"misclassification", Criterion::misclassification},
                                  {"twoing", Criterion::twoing},
                                  {"weighted_gini", Criterion::weighted_gini},
                                  {"squared_error", Criterion::squared_error},
                                  {"absolute_error", Criterion::absolute_error},
                                  {"worst_error", Criterion::worst_error},
                                  {"gain_ratio", Criterion::gain_ratio}});
  options.read_choice<Branching>(
      "branching", o.branching,
      {{"binary", Branching::binary}, {"one_level", Branching::one_level}, {"per_level", Branching::per_level}});
  options.read_choice<Choice>("choice", o.gain.choice,
                              {{"best", Choice::best}, {"above_average", Choice::above_average}});
  options.read("declared_branches", o.gain.declared_branches);
  options.read("two_branches", o.gain.two_branches);
  options.read("relative_minimum", o.gain.relative_minimum);
  options.read("threshold_penalty", o.gain.threshold_penalty);
  options.read("many_valued_share", o.gain.many_valued_share);
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
                                    {"fractional", MissingRule::fractional}});
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
  options.read_choice<ComplexityRule>(
      "complexity", asked.complexity,
      {{"weakest_link", ComplexityRule::weakest_link}, {"accounts", ComplexityRule::accounts}});
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
  const bool many = o.branching != Branching::binary || o.missing == MissingRule::fractional;
  if (many &&
      (target.classes == 0 || !o.monotone.empty() || o.max_leaf_nodes > 0 || o.missing == MissingRule::surrogate)) {
    throw InvalidInput("branching",
                       "many branches and fractional cases are for classes, depth first, without surrogates "
                       "and monotone constraints");
  }
  if (o.criterion == Criterion::gain_ratio && (target.classes == 0 || o.branching == Branching::binary))
    throw InvalidInput("criterion", "gain_ratio is for classes and branches by level");
  const bool sums =
      o.criterion == Criterion::gini || o.criterion == Criterion::entropy || o.criterion == Criterion::squared_error;
  if (o.ties == TieRule::rounding && !(sums && o.monotone.empty()))
    throw InvalidInput("ties", "rounding is for gini, entropy and squared_error without monotone constraints");
  if (o.criterion == Criterion::weighted_gini && target.cost.empty())
    throw InvalidInput("cost", "weighted_gini needs costs");
}

Tree grow_tree(const OwnedTable& owned, const nb::dict& target_fields, const nb::dict& options, nb::object progress) {
  const Asked asked = read_options(options);
  const Target target = read_target(target_fields);
  check_request(target, asked, owned.table);
  Watch watch(Asker(std::move(progress)), static_cast<double>(owned.table.rows));
  const Unlocked unlocked;
  Tree tree = grow(owned.table, target, asked.grow, watch);
  const double root_risk = tree.risk.front();
  return prune(std::move(tree), asked.complexity, asked.cp < 0.0 ? -1.0 : asked.cp * root_risk);
}

Tree replay_surrogates(const Tree& tree, const OwnedTable& owned, const nb::dict& target_fields,
                       const nb::dict& options, nb::object progress) {
  const Asked asked = read_options(options);
  const Target target = read_target(target_fields);
  check_request(target, asked, owned.table);
  Watch watch(Asker(std::move(progress)), static_cast<double>(owned.table.rows));
  const Unlocked unlocked;
  return add_surrogates(tree, owned.table, target, asked.grow, watch);
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
  nb::class_<OwnedTable>(m, "RankedTable", "Columns with the rank of every value, ready to grow trees on.")
      .def_prop_ro("n_rows", [](const OwnedTable& self) { return self.table.rows; })
      .def_prop_ro("n_columns", [](const OwnedTable& self) { return self.table.columns.size(); })
      .def(
          "ranks",
          [](const OwnedTable& self, std::size_t column) {
            if (column >= self.table.columns.size()) throw nb::index_error("no such column");
            return self.table.columns[column].ranks;
          },
          "column"_a);
  m.def("rank_table", &rank_table, "columns"_a, "levels"_a, "used"_a.none(), "threads"_a);
  m.def("grow", &grow_tree, "table"_a, "target"_a, "options"_a, "progress"_a.none());
  m.def("add_surrogates", &replay_surrogates, "tree"_a, "table"_a, "target"_a, "options"_a, "progress"_a = nb::none());
  m.def("ends_at", &pruned_ends, "tree"_a, "last"_a, "alpha"_a);
}

}  // namespace bough::python
