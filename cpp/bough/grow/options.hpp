// What a growth is asked to do: the target with its weights, and one answer to each of the six questions.
#pragma once

#include <cstdint>
#include <vector>

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
};

// How many branches a test of a nominal column has: two sets of levels, one level against the others, or one a level.
enum class Branching : std::uint8_t { binary, one_level, per_level };
// Which candidate is taken: the best, or the one of the best ratio among those whose gain is at least average (C4.5).
enum class Choice : std::uint8_t { best, above_average };

// Where between two values the threshold lies; data_value: at the largest value of the whole column up to the middle.
enum class CutRule : std::uint8_t { midpoint, weighted, data_value };
// How sets of levels are searched where no order of the levels finds the best one: completely up to some number of
// levels, always, or never; all: also where an order does, because minima may shut out what it finds.
enum class SubsetRule : std::uint8_t { automatic, exact, heuristic, all };
enum class BranchOrder : std::uint8_t { value, response };  // which side is branch 0: low values, or the low response
// Where a row without the primary value goes; fractional: a share of it to every branch.
enum class MissingRule : std::uint8_t { surrogate, majority, stop, fractional };
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
  double value_gap = 0.0;  // values that are closer are not parted
  double epsilon = 0.0;  // absolute tolerance of comparisons; 0: the relative one
};

struct GrowOptions {
  Criterion criterion = Criterion::gini;
  Branching branching = Branching::binary;
  GainOptions gain;
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
  bool zero_gain = false;  // split also where nothing is gained (scikit-learn)
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
