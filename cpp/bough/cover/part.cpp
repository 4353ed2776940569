#include "bough/cover/part.hpp"

#include <cmath>
#include <numeric>
#include <string>

#include "bough/base/error.hpp"
#include "bough/cover/partial_tree.hpp"
#include "bough/engine/options.hpp"

namespace bough {
namespace {

// The rules by which C4.5 chooses tests.
GrowOptions tests_of(const PartOptions& options) {
  GrowOptions grow;
  grow.criterion = Criterion::gain_ratio;
  grow.branching = options.binary_levels ? Branching::one_level : Branching::per_level;
  grow.gain.choice = Choice::above_average;
  grow.gain.declared_branches = true;
  grow.gain.two_branches = true;
  grow.gain.relative_minimum = true;
  grow.gain.threshold_penalty = options.mdl;
  grow.gain.many_valued_share = 0.3;
  grow.gain.value_gap = options.value_gap;
  grow.gain.epsilon = options.epsilon;
  grow.cut = options.actual_value ? CutRule::data_value : CutRule::midpoint;
  grow.min_leaf_weight = options.min_weight;
  grow.missing = MissingRule::fractional;
  grow.threads = options.threads;
  return grow;
}

void check(const RankedTable& table, const std::vector<std::uint32_t>& label, std::uint32_t classes,
           const std::vector<double>& weight, const PartOptions& options) {
  if (classes == 0) throw InvalidInput("n_classes", "at least one is needed");
  if (label.size() != table.rows) throw InvalidInput("labels", "one for each row is needed");
  if (!weight.empty() && weight.size() != table.rows) throw InvalidInput("weights", "one for each row is needed");
  for (const std::uint32_t of_row : label) {
    if (of_row >= classes)
      throw InvalidInput("labels", "class " + std::to_string(of_row) + " of " + std::to_string(classes));
  }
  for (const double of_row : weight) {
    const bool fits = of_row >= 0.0 && std::isfinite(of_row);
    if (!fits) throw InvalidInput("weights", "expected finite numbers that are not negative");
  }
  // A lighter branch could not be told from an empty one, and a rule for it would take nothing away.
  if (!(options.min_weight > options.epsilon)) throw InvalidInput("min_weight", "must be above the tolerance");
}

std::optional<Pessimist> pessimist_of(const PartOptions& options) {
  if (!options.confidence) return std::nullopt;
  return Pessimist(*options.confidence, options.complement.value_or(1.0 - *options.confidence));
}

// The share of a row that a rule takes.
double cover(const std::vector<RuleStep>& steps, const RankedTable& table, std::uint32_t row) {
  double share = 1.0;
  for (const RuleStep& step : steps) {
    const RankedColumn& column = table.columns[static_cast<std::size_t>(step.test.column)];
    const std::uint32_t rank = column.rank[row];
    if (rank == column.ranks) {
      share *= step.share;
    } else if (step.test.branch_of(rank) != step.branch) {
      return 0.0;
    }
  }
  return share;
}

// Leaves in `rows` what the rule does not take; the number of rows that are gone. A row goes if the rule takes all of
// it, however little that is: many rules that take a part each leave rows of next to no weight, whose values are still
// places for a cut (Weka's rules on adult need them from the 600th on).
std::size_t take_away(HeldRows& rows, const std::vector<RuleStep>& steps, const RankedTable& table,
                      const Tolerance& shares) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double rest = 1.0 - cover(steps, table, rows.row[i]);
    if (!shares.above(rest, 0.0)) continue;
    rows.row[kept] = rows.row[i];
    rows.label[kept] = rows.label[i];
    rows.weight[kept++] = rows.weight[i] * rest;
  }
  const std::size_t gone = rows.size() - kept;
  rows.row.resize(kept);
  rows.label.resize(kept);
  rows.weight.resize(kept);
  return gone;
}

Asks asked(const RuleStep& step) {
  switch (step.test.kind) {
    case NodeTest::Kind::threshold:
      return step.branch == 0 ? Asks::at_most : Asks::above;
    case NodeTest::Kind::one_level:
      return step.branch == 0 ? Asks::level : Asks::other_level;
    case NodeTest::Kind::levels:
      break;
  }
  return Asks::level;
}

void add(PartRules& found, const PartialLeaf& leaf) {
  FractionalRules& rules = found.rules;
  for (const RuleStep& step : leaf.steps) {
    const Asks asks = asked(step);
    const bool nominal = FractionalRules::is_nominal(asks);
    rules.column.push_back(step.test.column);
    rules.asks.push_back(asks);
    const std::size_t level = step.test.kind == NodeTest::Kind::levels ? step.branch : step.test.rank;
    rules.code.push_back(nominal ? static_cast<std::int32_t>(level) : -1);
    rules.value_type.push_back(step.test.threshold.type);
    rules.value_bits.push_back(step.test.threshold.bits);
    rules.share.push_back(step.share);
  }
  rules.begin.push_back(static_cast<std::int64_t>(rules.column.size()));
  rules.counts.insert(rules.counts.end(), leaf.counts.begin(), leaf.counts.end());
  const double weight = std::accumulate(leaf.counts.begin(), leaf.counts.end(), 0.0);
  found.label.push_back(static_cast<std::int32_t>(leaf.label));
  found.printed.push_back({weight, weight - leaf.counts[leaf.label]});
}

}  // namespace

PartRules part(const RankedTable& table, const std::vector<std::uint32_t>& label, std::uint32_t classes,
               const std::vector<double>& weight, const PartOptions& options, Watch& watch) {
  check(table, label, classes, weight, options);
  HeldRows rows;
  for (std::uint32_t row = 0; row < table.rows; ++row) {
    const double part_of_row = weight.empty() ? 1.0 : weight[row];
    if (part_of_row > 0.0) rows.add(row, part_of_row, label[row]);
  }
  const double total = std::accumulate(rows.weight.begin(), rows.weight.end(), 0.0);
  const GrowOptions grow = tests_of(options);
  PartialTrees trees(table, classes, grow, pessimist_of(options), total, watch);
  PartRules found;
  found.rules.classes = classes;
  do {  // a table without rows gives one rule, which takes all
    const PartialLeaf leaf = trees.grow(rows);
    add(found, leaf);
    const std::size_t gone = take_away(rows, leaf.steps, table, trees.shares());
    watch.done(static_cast<double>(gone));
    if (leaf.steps.empty()) break;
  } while (rows.size() > 0);
  return found;
}

}  // namespace bough
