// See class_rules.hpp. The one loop of IREP, RIPPER and JRip; what differs between them is in the options.
#include "bough/cover/class_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "bough/base/error.hpp"
#include "bough/cover/fuzzy.hpp"
#include "bough/cover/grow_rule.hpp"
#include "bough/cover/prune_rule.hpp"

namespace bough {
namespace {

// By column: whether rules for this class may ask for values above a cut, and below one.
std::vector<std::uint8_t> directions(const Covering& shared, std::uint32_t label, bool up) {
  const AllowedLiterals& allowed = shared.options.allowed;
  std::vector<std::uint8_t> free(shared.data.table->columns.size(), (up ? allowed.above : allowed.at_most) ? 1 : 0);
  for (std::size_t c = 0; c < shared.options.monotone.size(); ++c) {
    const int sign = label == 1 ? shared.options.monotone[c] : -shared.options.monotone[c];
    if ((up && sign < 0) || (!up && sign > 0)) free[c] = 0;
  }
  return free;
}

// The weight that a literal must keep covered, so that the rule is likely to reach the least weight on all rows.
double least_growing(const CoverOptions& options) {
  if (!options.prune || !options.held_out.empty()) return options.min_weight;
  return options.min_weight * (options.folds - 1.0) / options.folds;
}

}  // namespace

template <class Count>
ClassRules<Count>::ClassRules(const Covering& shared, ClassRows rows, std::uint32_t label,
                              const Description& description, std::size_t most)
    : shared_(shared),
      rows_(std::move(rows)),
      label_(label),
      description_(description),
      most_(most),
      search_(shared.data, shared.options, shared.logs, shared.sorted, directions(shared, label, true),
              directions(shared, label, false), least_growing(shared.options)),
      base_(rows_.order) {}

template <class Count>
std::vector<LearntRule> ClassRules<Count>::learn(std::vector<LearntRule> initial) {
  for (LearntRule& rule : initial) set_covered(rule);
  std::vector<LearntRule> rules = build(std::move(initial));
  const CoverOptions& options = shared_.options;
  if (options.reduce) rules = reduce(std::move(rules), shared_.data, rows_, description_);
  for (std::uint32_t round = 0; options.prune && round < options.rounds; ++round) {
    rules = reduce(optimise(rules), shared_.data, rows_, description_);
  }
  return within_limits(std::move(rules));
}

template <class Count>
std::vector<std::uint32_t> ClassRules<Count>::left(const std::vector<LearntRule>& rules) const {
  if (rules.empty()) return rows_.order;
  RuleTurns turns(shared_.data, rows_);
  for (const LearntRule& rule : rules) turns.take(rule);
  const bool optimised = shared_.options.prune && shared_.options.rounds > 0;
  return turns.left_of(optimised ? rows_.order : base_);
}

template <class Count>
std::vector<LearntRule> ClassRules<Count>::build(std::vector<LearntRule> initial) {
  std::vector<LearntRule> rules;
  RuleTurns turns(shared_.data, rows_);
  double total = description_.data(turns.counts());
  double best = total;
  const auto add = [&](const LearntRule& rule) {
    const LearntRule* last = &rule;
    total += defined(relative_length(turns, {&last, 1}, description_));
    best = std::min(best, total);
    turns.take(rule);
  };
  for (LearntRule& rule : initial) {
    add(rule);
    rules.push_back(std::move(rule));
  }
  bool is_first = true;
  while (rules.size() < most_ && fuzzy::above(turns.positive_left(), 0.0)) {
    RowParts parts = split_rows(turns.left_of(base_), shared_.data, shared_.place, shared_.options, shared_.draws);
    if (std::exchange(is_first, false) && rules.empty()) base_ = parts.order;
    LearntRule rule = new_rule(parts, shared_.options.prune_value);
    add(rule);
    if (ends(rule, turns, total, best)) break;
    rules.push_back(std::move(rule));
  }
  return rules;
}

template <class Count>
std::vector<LearntRule> ClassRules<Count>::optimise(const std::vector<LearntRule>& old) {
  std::vector<LearntRule> rules;
  RuleTurns turns(shared_.data, rows_);
  double total = description_.data(turns.counts());
  double best = total;
  std::vector<std::uint32_t> current = rows_.order;
  std::size_t at = 0;
  while (fuzzy::above(turns.positive_left(), 0.0)) {
    const bool residual = at >= old.size();
    if (residual && rules.size() >= most_) break;
    RowParts parts = split_rows(current, shared_.data, shared_.place, shared_.options, shared_.draws);
    if (!residual && !old[at].covered.meets(turns.left())) {
      rules.push_back(old[at++]);
      turns.take(rules.back());
      current = std::move(parts.order);
      continue;
    }
    LearntRule rule =
        residual ? new_rule(parts, shared_.options.prune_value) : choose(turns, parts, std::span(old).subspan(at));
    if (residual) {
      const LearntRule* last = &rule;
      total += defined(relative_length(turns, {&last, 1}, description_));
      best = std::min(best, total);
    }
    turns.take(rule);
    if (residual && ends(rule, turns, total, best)) return rules;
    ++at;
    rules.push_back(std::move(rule));
    current = turns.left_of(rows_.order);
  }
  for (std::size_t k = at + (shared_.options.jrip ? 1 : 0); k < old.size(); ++k) rules.push_back(old[k]);
  return rules;
}

// The old rule, one grown from nothing in its place, or the old one grown further: whichever makes the description of
// the list shortest. Both new ones are pruned on rows that no later rule covers.
template <class Count>
LearntRule ClassRules<Count>::choose(const RuleTurns& before, const RowParts& parts, std::span<const LearntRule> old) {
  RowSet pruning = parts.pruning;
  for (const LearntRule& later : old.subspan(1)) pruning -= later.covered;
  LearntRule replacement;
  complete(replacement, parts.growing, pruning, shared_.options.optimise_value);
  LearntRule revision = old.front();
  RowSet growing = parts.growing;
  growing &= old.front().covered;
  complete(revision, growing, pruning, shared_.options.optimise_value);

  std::vector<const LearntRule*> list = {nullptr};
  for (const LearntRule& later : old.subspan(1)) list.push_back(&later);
  const std::array<const LearntRule*, 3> variants = {&old.front(), &revision, &replacement};
  std::vector<Variant> with;
  std::array<bool, 3> allowed = {};
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const LearntRule& rule = *(list.front() = variants[i]);
    const double bits = defined(relative_length(before, list, description_));
    RuleTurns turns = before;
    turns.take(rule);
    allowed[i] = (i == 0 && shared_.options.jrip) ||
                 (keeps_limits(turns.turns().back()) && asks_all(rule.conditions, shared_.options.required) &&
                  (shared_.options.jrip || !rule.conditions.empty()));
    if (shared_.options.written.cost) {
      for (const LearntRule& later : old.subspan(1)) turns.take(later);
    }
    with.push_back({bits, turns.counts()});
  }
  std::vector<double> cost;
  if (shared_.options.written.cost) {
    cost = shared_.options.written.cost(with);
  } else {
    for (const Variant& one : with) cost.push_back(one.bits);
  }
  for (std::size_t i = 0; i < cost.size(); ++i) {
    if (!allowed[i]) cost[i] = std::numeric_limits<double>::infinity();
  }
  const auto least = std::ranges::min_element(cost) - cost.begin();
  return *variants[static_cast<std::size_t>(least)];
}

template <class Count>
LearntRule ClassRules<Count>::new_rule(const RowParts& parts, const RuleWorth& worth) {
  LearntRule rule;
  complete(rule, parts.growing, parts.pruning, worth);
  return rule;
}

template <class Count>
void ClassRules<Count>::complete(LearntRule& rule, const RowSet& growing, const RowSet& pruning,
                                 const RuleWorth& worth) {
  CoveredRows<Count> rows;
  rows.row = growing.rows();
  rows.count.reserve(rows.row.size());
  for (const std::uint32_t row : rows.row) {
    rows.count.emplace_back(shared_.data.weight_of(row), shared_.data.label[row] == label_);
    rows.sum += rows.count.back();
  }
  const std::size_t had = rule.conditions.size();
  const Growth growth = grow_rule(rule.conditions, std::move(rows), shared_.options, *shared_.data.table, search_,
                                  shared_.edges, shared_.watch);
  const std::size_t grown = rule.conditions.size();
  rule.pruning = prune_rule(rule.conditions, pruning, rows_.positive, shared_.data, shared_.options, worth);
  const std::size_t kept = rule.conditions.size();
  const bool known = kept > had && (kept == grown || shared_.options.deletions == Deletions::last);
  rule.growing = known ? growth[kept - had - 1] : count(growing, rule.conditions);
  if (rule.conditions.empty()) rule.initial = -1;
  set_covered(rule);
}

template <class Count>
bool ClassRules<Count>::ends(const LearntRule& rule, const RuleTurns& turns, double total, double best) const {
  const CoverOptions& options = shared_.options;
  const Turn& turn = turns.turns().back();
  if (total > best + options.slack || !fuzzy::above(turn.covered_positive, 0.0)) return true;
  if (options.max_error <= 1.0 && turn.wrong() / turn.covered >= options.max_error) return true;
  const double pruning_error = (rule.pruning.total - rule.pruning.positive) / rule.pruning.total;
  if (pruning_error > options.max_pruning_error) return true;
  if (!asks_all(rule.conditions, options.required)) return true;
  if (!keeps_limits(turn) || (!options.jrip && rule.conditions.empty())) return true;
  return options.written.stop && options.written.stop({total, best, turn, rule.pruning, turns.turns().size() - 1});
}

template <class Count>
bool ClassRules<Count>::keeps_limits(const Turn& turn) const {
  return turn.covered >= shared_.options.min_weight &&
         turn.covered_positive >= shared_.options.min_precision * turn.covered;
}

// What a rule takes in its turn changes with the rules before it: the first that breaks a limit goes, until none does.
template <class Count>
std::vector<LearntRule> ClassRules<Count>::within_limits(std::vector<LearntRule> rules) const {
  std::erase_if(rules, [&](const LearntRule& rule) { return !asks_all(rule.conditions, shared_.options.required); });
  while (true) {
    RuleTurns turns(shared_.data, rows_);
    for (const LearntRule& rule : rules) turns.take(rule);
    const auto broken = std::ranges::find_if(turns.turns(), [&](const Turn& turn) { return !keeps_limits(turn); });
    if (broken == turns.turns().end()) break;
    rules.erase(rules.begin() + (broken - turns.turns().begin()));
  }
  if (rules.size() > most_) rules.resize(most_);
  return rules;
}

template <class Count>
double ClassRules<Count>::defined(double length) const {
  if (std::isfinite(length) || !shared_.options.jrip) return length;
  throw InvalidInput("description", "its length is undefined on these rows, where JRip stops with an error as well");
}

template <class Count>
Weights ClassRules<Count>::count(const RowSet& rows, const std::vector<Condition>& conditions) const {
  RowSet covered = rows;
  for (const Condition& condition : conditions) keep_covered(covered, condition, *shared_.data.table);
  return {shared_.data.weigh(covered, rows_.positive), shared_.data.weigh(covered)};
}

template <class Count>
void ClassRules<Count>::set_covered(LearntRule& rule) const {
  rule.covered = rows_.all;
  for (const Condition& condition : rule.conditions) keep_covered(rule.covered, condition, *shared_.data.table);
}

template class ClassRules<WholeCount>;
template class ClassRules<RealCount>;

}  // namespace bough
