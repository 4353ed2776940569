// What a growth is asked to do: the target with its weights, and one answer to each of the six questions.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/search/oblique_options.hpp"
#include "bough/split/split.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

enum class Criterion : std::uint8_t {
  gini,
  entropy,
  misclassification,
  twoing,
  weighted_gini,
  squared_error,
  absolute_error,
  worst_error,
  gain_ratio,
  chi_squared,        // Pearson's statistic for a unit of weight
  weighted_entropy,   // -sum c p log2 p, c being the mean cost of wrong decisions for the class
  expected_cost,      // of the best decision
  gini_half,
  user,
};

// Whose drop twoing looks for, of the two superclasses that the classes are divided into.
enum class TwoingImpurity : std::uint8_t { gini, entropy, misclassification };

// How many branches a test of a nominal column has: two sets of levels, one level against the others, one a level,
// groups of levels that are joined while that is better (C4.5), or while they do not differ significantly (CHAID).
// intervals: as many branches for numbers as asked, nominal columns as `IntervalOptions` says.
enum class Branching : std::uint8_t { binary, one_level, per_level, grouped, merged, intervals };
// Which candidate is taken: the best, or the one of the best ratio among those whose gain is at least average (C4.5).
enum class Choice : std::uint8_t { best, above_average };

// Where between two values the threshold lies; data_value: at the largest value of the whole column up to the middle.
enum class CutRule : std::uint8_t { midpoint, weighted, data_value };
// How sets of levels are searched where no order of the levels finds the best one: completely up to some number of
// levels, always, or never; all: also where an order does, because minima may shut out what it finds.
enum class SubsetRule : std::uint8_t { automatic, exact, heuristic, all };
enum class BranchOrder : std::uint8_t { value, response };  // which side is branch 0: low values, or the low response
// Where a row without the primary value goes; fractional: a share of it to every branch; own_branch: to one more
// branch; learned: where it suits the criterion best.
enum class MissingRule : std::uint8_t { surrogate, majority, stop, fractional, own_branch, learned };
// Which test is taken: the best by the criterion, or the best one of the column that depends most significantly on the
// target; conjunctions: also logical combinations of properties of different columns.
// The others also look for a weighted sum of columns: by discriminants, by moving coefficients exactly (OC1), by tuning
// them one by one (CART); quest: the column by its significance, then a point between two groups; curved: for one with
// products of columns; gradient: by descending a loss; machine: a sum for each class, the largest of which wins;
// written: by a search that is no part of the kernel; omnivariate: each node chooses among several.
enum class SearchRule : std::uint8_t {
  exhaustive,
  unbiased,
  conjunctions,
  discriminant,
  perturb,
  linear_combination,
  quest,
  curved,
  gradient,
  machine,
  written,
  omnivariate
};
[[nodiscard]] inline bool makes_sums(SearchRule rule) { return rule >= SearchRule::discriminant; }
enum class SelectionTest : std::uint8_t { chi_squared, permutation };
enum class SignificanceTest : std::uint8_t { pearson, one_sided };
enum class SizeUnit : std::uint8_t { nodes, links, leaves };
enum class GrowthOrder : std::uint8_t { best_first, layers };
enum class ValidationRule : std::uint8_t { strict, not_worse };
// What a leaf says in regression: the answer that suits the criterion, or this one.
enum class LeafRule : std::uint8_t { by_criterion, mean, median };
// Which loop grows: the fast one where it knows the request, or one of them always.
enum class Loop : std::uint8_t { automatic, open };
enum class MajorityRule : std::uint8_t {
  known_weight,
  routed_rows
};  // what makes a branch the larger one at prediction
// Candidates that are equal up to rounding: the first one wins, or the one that the last bits favour (rpart).
enum class TieRule : std::uint8_t { first, rounding };
enum class ComplexityRule : std::uint8_t { weakest_link, accounts };  // exact, or by carried accounts (rpart)

struct Target {
  std::uint32_t classes = 0;  // 0: regression
  std::vector<std::uint32_t> label;  // one a row
  std::vector<double> value;  // regression: one a row
  std::vector<double> weight;  // empty: every row has weight 1; rows of weight 0 take no part
  std::vector<double> growth_scale;  // by class: factors of the counts in the choice of splits (priors, costs)
  std::vector<double> class_scale;  // by class: factors of the counts in probabilities and risk (priors only)
  std::vector<double> cost;  // classes x classes, [true][decided]
};

struct SurrogateOptions {
  int most = 5;
  bool keep_direction = false;  // low values must take the branch of the primary's low values
  bool beyond_majority = true;  // drop those that agree no better than sending all to the larger branch
  bool joint_base = false;  // agreement relative to the rows with both values known, not to those with the primary
  double least = 2.0;  // cuts: the smallest weight (rows, if rows count) on either side
  bool two_disagree = false;  // sets of levels: cases of weight two must disagree (rpart: two rows)
};

// Rules of C4.5 and its kin for tests that are judged by information gain.
struct GainOptions {
  Choice choice = Choice::best;
  bool declared_branches = false;  // one branch a level: also for levels that are absent from the node
  bool two_branches = false;  // the minimum must hold in two branches only, not in all
  bool relative_minimum = false;  // cuts: a tenth of the known weight a class, from the minimum up to 25
  bool threshold_penalty = false;  // the choice among q cuts costs log2(q) bits of the node
  double many_valued_share = 0.0;  // levels are many from this share of the rows on: no part of the average; 0: never
  // As the records of C5.0 show: a cut in a wide gap is cheaper, large nodes let all columns compete, equal ratios go
  // by gain, and groups of levels pay for their choice.
  bool later_rules = false;
  double value_gap = 0.0;  // values that are closer are not parted
  double epsilon = 0.0;  // absolute tolerance of comparisons; 0: the relative one
};

struct BranchingOptions {
  std::int64_t most = -1;  // branches of a test; -1: no limit
  std::int64_t intervals = 3;  // most intervals of a number
  Branching nominal = Branching::per_level;  // of nominal columns, where numbers are cut into intervals
  double merge_level = 0.05;  // levels are merged while they differ with a larger p
  double split_level = 0.05;  // a merged test with a larger p is none
  bool merge_bonferroni = true;  // the p of a merged test pays for the number of ways to merge
  std::int64_t bins = 10;  // numbers are cut into so many parts of like weight before they are merged
};

struct SelectionOptions {
  SearchRule search = SearchRule::exhaustive;
  SelectionTest test = SelectionTest::chi_squared;
  double level = 0.05;
  bool bonferroni = true;
  std::int64_t resamples = 999;
  std::uint64_t seed = 0;
  std::int64_t properties = 2;  // conjunctions: most properties of a test
  std::int64_t thresholds = 0;  // conjunctions: most thresholds of a number or an ordered column; 0: levels alone
};

// What the size of a tree costs in the global criterion, and what the impurities of its leaves count by.
struct SizePenalty {
  double alpha = -1.0;  // negative: no such criterion
  SizeUnit unit = SizeUnit::nodes;
  bool weighted = false;  // an impurity counts by the share of the weight that its leaf has
  GrowthOrder order = GrowthOrder::best_first;  // in which trees are compared while growing
};

// Rules beside the minima. They ask for more than a gain, so that only the open growth knows the later ones.
struct StoppingOptions {
  double max_impurity = -1.0;  // a node of at most this impurity is a leaf; negative: no test
  double majority_share = 2.0;  // a node with at least this share of one class is a leaf
  double error_threshold = -1.0;  // regression: a node of at most this error is a leaf
  double min_gain = 0.0;  // the best test must gain more
  double significance = 0.0;  // level; 0: no test
  SignificanceTest significance_test = SignificanceTest::pearson;
  bool bonferroni = false;
  double gains_level = 0.0;  // against the gains of the nodes so far; 0: no test
  SizePenalty size;  // any engine grows on, and the best of the trees on the way is taken
  std::vector<double> validation;  // by row: weight in the validation set; empty: none
  ValidationRule validation_rule = ValidationRule::strict;
};

// An expert's hand: nodes are addressed by the branches that lead there from the root.
struct ForcedSplit {
  std::vector<std::int32_t> path;
  std::int32_t column = -1;
  std::vector<Threshold> edges;  // of numbers and ordered levels, rising
  std::vector<std::int32_t> code;  // of levels, rising
  std::vector<std::int32_t> branch;  // by interval or by level; empty for intervals: in order
  // A conjunction: what its terms ask; then `branch` says where rows go for which it holds, and where the others.
  std::vector<Property> terms;
  std::int32_t missing = -1;

  // Only the column is given; the test is the best that it has.
  [[nodiscard]] bool any_test() const { return edges.empty() && branch.empty(); }
};
struct ColumnsBelow {
  std::vector<std::int32_t> path;
  std::vector<std::int32_t> columns;  // only these are asked there and below
};
struct ExpertOptions {
  std::vector<ForcedSplit> forced;
  std::vector<ColumnsBelow> columns;
  [[nodiscard]] bool empty() const { return forced.empty() && columns.empty(); }
};

// A search that competes at every node, the simplest first.
struct Contender {
  SelectionOptions selection;
  ObliqueOptions oblique;
};
struct OmnivariateOptions {
  std::vector<Contender> contenders;
  double level = 0.05;  // a later one must be better at this level of significance
  std::int64_t test_rows = 30;  // smaller nodes take the first
};

// What a node chose among its contenders: their errors on rows that they were not fitted to, and the significance of
// the difference to the best of those before (of the first: 1).
struct NodeChoice {
  std::int32_t node = -1;
  std::int32_t chosen = -1;  // -1: nothing was compared
  std::vector<double> error;
  std::vector<double> p;
};

struct LookAhead {
  std::int64_t depth = 1;  // 2: the best tests are compared with the best test of one column in each branch
  std::int64_t beam = 5;  // how many of them
};

// A node of a tree whose tests are given: without children, a leaf.
struct GivenNode;  // engine/open/given.hpp

class Judge;  // criterion/judge.hpp
class Finder;  // search/written.hpp

// A split that rows of validation did not want: its node in the grown tree, the errors there without and with it, and
// the node with its branches as a tree of their own, so that whoever reads trees can read it.
struct RefusedSplit {
  std::int32_t node = -1;
  double without = 0.0;
  double with = 0.0;
  Tree stump;
};

struct GrowOptions {
  Criterion criterion = Criterion::gini;
  TwoingImpurity twoing = TwoingImpurity::gini;
  Branching branching = Branching::binary;
  BranchingOptions branches;
  GainOptions gain;
  SelectionOptions selection;
  ObliqueOptions oblique;
  OmnivariateOptions omnivariate;
  LookAhead ahead;
  StoppingOptions stop;
  ExpertOptions expert;
  const Judge* judge = nullptr;  // criterion user
  const Finder* finder = nullptr;  // search written
  std::vector<RefusedSplit>* refused = nullptr;  // where splits go that rows of validation refuse; null: nobody asks
  std::vector<NodeChoice>* choices = nullptr;  // where choices among searches go; null: nobody asks
  std::vector<GivenNode>* given = nullptr;  // tests that are not searched for, the root first; they are moved away
  LeafRule leaf = LeafRule::by_criterion;
  Loop loop = Loop::automatic;
  bool ask_missing = false;  // "is the value missing?" is a test as well
  CutRule cut = CutRule::midpoint;
  Side side = Side::le;
  BranchOrder branch_order = BranchOrder::value;
  SubsetRule subsets = SubsetRule::automatic;

  std::int64_t max_depth = -1;  // -1: no limit
  double min_split_weight = 0.0;
  double min_leaf_weight = 0.0;
  std::int64_t min_split_rows = 2;
  std::int64_t min_leaf_rows = 1;
  double min_impurity_decrease = 0.0;
  std::int64_t max_leaf_nodes = -1;  // -1: no limit; otherwise the best node of the whole frontier is split next
  double risk_share = -1.0;  // nodes with at most this share of the root's risk stay leaves; negative: no test
  // Split also where no test gains (scikit-learn, ID3 of the texts): the best one, however little or negative its gain,
  // of equal ones the first of the first column. A test parts known values, so that each branch has fewer to part.
  bool zero_gain = false;
  bool count_rows = false;  // small counts inside surrogates are rows, not weights

  MissingRule missing = MissingRule::surrogate;
  Otherwise fallback = Otherwise::majority;
  Otherwise absent = Otherwise::missing;
  Otherwise unseen = Otherwise::missing;
  bool discount_missing = true;  // a gain counts only for the share of the node whose value is known
  bool tie_stops = false;  // equal branches have no majority: the case stays (rpart); otherwise the first wins
  MajorityRule majority = MajorityRule::known_weight;
  SurrogateOptions surrogates;

  int max_competitors = 4;
  TieRule ties = TieRule::first;
  double tie = 1e-12;
  std::vector<std::int8_t> monotone;  // by column: -1, 0, 1; empty: none
  std::vector<double> feature_cost;  // by column; empty: all 1
  int threads = 1;
};

}  // namespace bough
