// See plan.hpp.
#include "bough/engine/plan.hpp"

#include "bough/criterion/superclass.hpp"

namespace bough {
namespace {

class Remarks {
 public:
  void add(bool applies, const char* option, const char* text) {
    if (applies) found_.push_back({option, text});
  }
  void add(const std::vector<Remark>& more) { found_.insert(found_.end(), more.begin(), more.end()); }
  [[nodiscard]] std::vector<Remark> take() { return std::move(found_); }

 private:
  std::vector<Remark> found_;
};

std::vector<Remark> why_open(const GrowOptions& o, std::size_t classes) {
  Remarks why;
  const bool binary = o.branching == Branching::binary;
  const bool known_branching = binary || o.branching == Branching::one_level || o.branching == Branching::per_level;
  why.add(o.loop == Loop::open, "loop", "the open engine was asked for");
  why.add(o.gain.later_rules, "later_rules", "rules of later releases of C4.5 for groups of levels");
  why.add(!known_branching, "branching", "branches that the sorted engine does not make");
  why.add(o.branches.most >= 0, "max_branches", "a bound on the number of branches");
  // Half of Gini is scanned as Gini (engine/grow.cpp).
  const bool later = o.criterion > Criterion::gain_ratio && o.criterion != Criterion::gini_half;
  why.add(later || (o.criterion == Criterion::gain_ratio && binary), "criterion",
          "a criterion that the sorted engine has no scan for");
  why.add(o.criterion == Criterion::twoing && o.twoing != TwoingImpurity::gini, "twoing_impurity",
          "an impurity that twoing has no closed form for");
  why.add(o.selection.search != SearchRule::exhaustive, "search", "columns are not searched exhaustively");
  why.add(o.ahead.depth > 1, "lookahead", "tests are chosen by what their branches gain");
  const StoppingOptions& stop = o.stop;
  why.add(stop.significance != 0.0, "significance", "a test of significance stops");
  why.add(stop.gains_level != 0.0, "gains_level", "the gains so far stop");
  why.add(!stop.validation.empty(), "validation", "rows of validation stop");
  why.add(!o.expert.empty(), "forced", "splits or columns are given");
  why.add(o.missing == MissingRule::own_branch || o.missing == MissingRule::learned, "missing",
          "missing values have a branch at every split");
  why.add(o.ask_missing, "ask_missing", "tests may ask whether a value is missing");
  why.add(classes == 0 && o.leaf != LeafRule::by_criterion, "leaf", "an answer that does not follow the criterion");
  const bool many = !binary || o.missing == MissingRule::fractional;
  why.add(many && (classes == 0 || o.max_leaf_nodes > 0 || o.missing == MissingRule::surrogate),
          binary ? "missing" : "branching",
          "the sorted engine has it for classes, in depth and without surrogates only");
  return why.take();
}

std::vector<Remark> refused_by_both(const GrowOptions& o, std::size_t classes) {
  Remarks refused;
  const bool sums = o.criterion == Criterion::gini || o.criterion == Criterion::gini_half ||
                    o.criterion == Criterion::entropy || o.criterion == Criterion::squared_error;
  refused.add(o.ties == TieRule::rounding && !(sums && o.monotone.empty()), "ties",
              "rounding is for gini, entropy and squared_error without monotone constraints");
  const bool numbers = o.criterion == Criterion::squared_error || o.criterion == Criterion::absolute_error ||
                       o.criterion == Criterion::worst_error;
  refused.add(o.criterion != Criterion::user && numbers != (classes == 0), "criterion",
              "does not go with this kind of target");
  return refused.take();
}

// What the search itself does not go with.
std::vector<Remark> refused_by_search(const GrowOptions& o, std::size_t classes) {
  Remarks refused;
  const bool moments = o.criterion == Criterion::squared_error || o.criterion == Criterion::user;
  const bool conjunctions = o.selection.search == SearchRule::conjunctions;
  refused.add(classes == 0 && !moments && (o.branching == Branching::merged || conjunctions), "criterion",
              "this branching or search needs squared_error");
  if (makes_sums(o.selection.search)) {
    refused.add(!o.feature_cost.empty(), "feature_cost", "a sum of columns has no cost of its own");
    refused.add(o.subsets != SubsetRule::automatic, "subsets", "sums of columns go with the usual search of levels");
    const bool order = o.criterion == Criterion::absolute_error || o.criterion == Criterion::worst_error;
    refused.add(order || o.criterion == Criterion::user, "criterion",
                "sums of columns need a criterion of class counts or of means");
    const bool machine = o.selection.search == SearchRule::machine;
    refused.add(machine && classes == 0, "search", "a sum for each class needs classes");
    refused.add(machine && o.criterion == Criterion::twoing, "criterion", "twoing judges two branches");
    refused.add(machine && o.stop.significance_test == SignificanceTest::one_sided && o.stop.significance > 0.0,
                "significance_test", "one_sided is for two branches");
    refused.add(o.cut == CutRule::data_value, "threshold", "a sum has no values in the data");
    refused.add(o.gain.later_rules, "later_rules", "they price the cuts of a column, not those of a sum");
  }
  const bool quest = o.selection.search == SearchRule::quest;
  refused.add((quest || o.selection.search == SearchRule::gradient) && classes == 0, "search", "it parts classes");
  refused.add(quest && o.branching != Branching::binary, "branching",
              "the point between two groups makes two branches");
  refused.add(quest && o.ask_missing, "search", "there is no test of significance for missing values");
  refused.add(o.selection.properties < 2 || o.selection.properties > 3, "conjunction_size", "two or three");
  refused.add(o.selection.thresholds < 0, "conjunction_thresholds", "at least 0");
  return refused.take();
}

std::vector<Remark> refused_by_open(const GrowOptions& o, std::size_t classes) {
  Remarks refused;
  refused.add(!o.monotone.empty(), "monotone", "constraints go with binary tests of the classic kind only");
  refused.add(o.ties == TieRule::rounding, "ties", "rounding goes with the classic requests only");
  refused.add(o.gain.value_gap > 0.0, "value_gap", "goes with the classic requests only");
  refused.add(o.majority == MajorityRule::routed_rows || o.tie_stops, "majority",
              "by routed rows is for classic requests");
  refused.add(o.branch_order == BranchOrder::response, "branch_order", "response is for classic requests");
  refused.add(o.surrogates.two_disagree, "surrogate_two_disagree", "is for classic requests");
  refused.add(o.max_leaf_nodes > 0 && o.missing == MissingRule::fractional, "max_leaf_nodes",
              "growing best first would keep the parts of fractional cases of the whole frontier");
  refused.add(o.max_leaf_nodes > 0 && o.stop.gains_level > 0.0, "max_leaf_nodes",
              "gains so far are judged breadth first");
  const bool two = o.branching == Branching::binary || o.branching == Branching::one_level;
  refused.add(o.criterion == Criterion::twoing && (!two || o.missing == MissingRule::own_branch), "criterion",
              "twoing judges two branches");
  refused.add(o.twoing == TwoingImpurity::misclassification && classes > kSuperclassed, "twoing_impurity",
              "errors of superclasses are found by trying every division of the classes, which are too many");
  refused.add(refused_by_search(o, classes));
  refused.add(o.ahead.depth < 1 || o.ahead.depth > 2, "lookahead", "one level or two");
  refused.add(o.ahead.depth > 1 && o.gain.choice == Choice::above_average, "lookahead",
              "tests are compared by their gain, not by its ratio");
  refused.add(o.selection.search == SearchRule::omnivariate && o.omnivariate.contenders.empty(), "candidates",
              "at least one search");
  // Each of several searches must go with the request as it would alone; they are no searches of several.
  for (const Contender& one : o.omnivariate.contenders) {
    GrowOptions alone = o;
    alone.selection = one.selection;
    alone.oblique = one.oblique;
    alone.omnivariate = {};
    refused.add(refused_by_search(alone, classes));
  }
  const bool one_sided = o.stop.significance_test == SignificanceTest::one_sided;
  refused.add(classes == 0 && one_sided, "significance_test", "one_sided is for classes");
  refused.add(o.stop.significance > 0.0 && one_sided && (!two || o.missing == MissingRule::own_branch),
              "significance_test", "one_sided is for two branches");
  refused.add(o.branches.intervals < 2, "intervals", "two at least");
  refused.add(o.branches.bins < 2, "merge_bins", "two at least");
  refused.add(o.branches.most >= 0 && o.branches.most < 2, "max_branches", "two at least");
  refused.add(o.branches.nominal == Branching::merged || o.branches.nominal == Branching::intervals, "nominal",
              "binary, one_level, per_level or grouped");
  refused.add(o.selection.search == SearchRule::unbiased && o.ask_missing, "search",
              "unbiased selection has no test for missing values");
  refused.add(o.gain.choice == Choice::above_average && classes == 0, "choice", "above_average is for classes");
  return refused.take();
}

}  // namespace

Plan plan(const GrowOptions& options, std::size_t classes) {
  Plan found = {why_open(options, classes), refused_by_both(options, classes)};
  if (!found.is_open()) return found;
  for (Remark& remark : refused_by_open(options, classes)) found.refused.push_back(std::move(remark));
  return found;
}

}  // namespace bough
