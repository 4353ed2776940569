// See covering.hpp.
#include "bough/cover/covering.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "bough/base/error.hpp"
#include "bough/cover/apply_rules.hpp"
#include "bough/cover/class_order.hpp"
#include "bough/cover/class_rules.hpp"
#include "bough/cover/fuzzy.hpp"

namespace bough {
namespace {

constexpr double largest_count = 4294967295.0;

bool is_whole(const CoverData& data) {
  double sum = 0.0;
  for (const double w : data.weight) {
    if (w != std::floor(w)) return false;
    sum += w;
  }
  return data.weight.empty() || sum < largest_count;
}

// How many literals there are to choose from: levels, and two for each value of a number.
double number_of_literals(const RankedTable& table, const std::vector<std::uint8_t>& forbidden) {
  double literals = 0.0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!forbidden.empty() && forbidden[c] != 0) continue;
    const RankedColumn& column = table.columns[c];
    literals += column.view.kind == ColumnKind::nominal ? column.ranks : 2.0 * column.ranks;
  }
  return literals;
}

class Coverer {
 public:
  Coverer(const CoverData& data, const InitialRules& initial, const CoverOptions& options, Watch& watch)
      : data_(data), initial_(initial), options_(options), watch_(watch), weight_(data.classes, 0.0) {
    for (std::size_t row = 0; row < data.table->rows; ++row) {
      if (data.weight_of(row) > 0.0) rows_.push_back(static_cast<std::uint32_t>(row));
      weight_[data.label[row]] += data.weight_of(row);
    }
  }

  CoverResult run() {
    JavaRandom java(static_cast<std::int64_t>(options_.seed));
    order_ = options_.jrip ? jrip_class_order(weight_, java) : class_order(weight_);
    Draws draws = options_.jrip ? Draws(java) : Draws(Random(options_.seed));
    std::vector<std::uint32_t> place(data_.classes);
    for (std::size_t i = 0; i < order_.size(); ++i) place[order_[i]] = static_cast<std::uint32_t>(i);
    read_initial();
    const bool whole = is_whole(data_);
    const Logs logs = whole ? Logs(std::reduce(weight_.begin(), weight_.end())) : Logs();
    SortedColumns sorted(*data_.table);
    Edges edges(*data_.table, options_.cut_at);
    const Covering shared = {data_, options_, place, logs, sorted, edges, draws, watch_};
    for (std::size_t i = 0; i + 1 < order_.size(); ++i) {
      if (whole) {
        learn<WholeCount>(shared, i);
      } else {
        learn<RealCount>(shared, i);
      }
      watch_.done(1.0);
    }
    return result();
  }

 private:
  // Rules for one class, if rows of it are left.
  template <class Count>
  void learn(const Covering& shared, std::size_t at) {
    const std::uint32_t label = order_[at];
    ClassRows rows = {rows_, RowSet(data_.table->rows, rows_), RowSet(data_.table->rows)};
    for (const std::uint32_t row : rows_) {
      if (data_.label[row] == label) rows.positive.add(row);
    }
    rows.weight = data_.weigh(rows.all);
    rows.positive_weight = data_.weigh(rows.positive);
    std::vector<LearntRule> begun;
    for (const std::size_t r : revisable_[label]) begun.push_back(given_rule(r));
    if (begun.empty() && !fuzzy::above(rows.positive_weight, 0.0)) return;
    double later = 0.0;
    for (std::size_t k = at; k < order_.size(); ++k) later += weight_[order_[k]];
    const Description description(weight_[label] / later, number_of_literals(*data_.table, options_.forbidden),
                                  options_.max_error, options_.jrip);
    ClassRules<Count> learner(shared, std::move(rows), label, description, options_.max_rules - learnt_.size());
    std::vector<LearntRule> rules = learner.learn(std::move(begun));
    rows_ = learner.left(rules);
    for (LearntRule& rule : rules) {
      rule.conditions = without_implied(rule.conditions);
      learnt_.push_back(std::move(rule));
      label_.push_back(static_cast<std::int32_t>(label));
    }
  }

  // The initial rules as conditions; locked ones take their rows at once.
  void read_initial() {
    revisable_.resize(data_.classes);
    const auto n = static_cast<std::size_t>(initial_.rules.size());
    if (n == 0) return;
    if (n > options_.max_rules) throw InvalidInput("max_rules", "there are more initial rules than that");
    std::vector<ColumnView> columns;
    columns.reserve(data_.table->columns.size());
    for (const RankedColumn& column : data_.table->columns) columns.push_back(column.view);
    const RuleCovers covers(initial_.rules, columns, Unseen::missing);
    Tile tile = covers.tile();
    std::vector<RowSet> held(static_cast<std::size_t>(initial_.rules.literals()), RowSet(data_.table->rows));
    const auto n_rows = static_cast<std::int64_t>(data_.table->rows);
    for (std::int64_t begin = 0; begin < n_rows; begin += Tile::lanes) {
      watch_.poll(held.size() * Tile::lanes);
      tile.turn_to(begin, std::min(Tile::lanes, n_rows - begin));
      for (std::size_t i = 0; i < held.size(); ++i) {
        held[i].word(static_cast<std::size_t>(begin / Tile::lanes)) =
            covers.holds(static_cast<std::int64_t>(i), tile, tile.all());
      }
    }
    held_.reserve(held.size());
    for (RowSet& rows : held) held_.push_back(std::make_shared<const RowSet>(std::move(rows)));
    for (std::size_t r = 0; r < n; ++r) {
      const std::uint32_t label = initial_.label[r];
      if (initial_.locked[r] != 0) {
        lock(r, label);
      } else if (label == order_.back()) {
        throw InvalidInput("initial[" + std::to_string(r) + "]",
                           "a rule for the default class, the most frequent one, can only be locked");
      } else {
        revisable_[label].push_back(r);
      }
    }
  }
  void lock(std::size_t r, std::uint32_t label) {
    LearntRule rule = given_rule(r);
    rule.covered = RowSet(data_.table->rows, rows_);
    for (const Condition& condition : rule.conditions) rule.covered &= *condition.set;
    std::erase_if(rows_, [&](std::uint32_t row) { return rule.covered.has(row); });
    learnt_.push_back(std::move(rule));
    label_.push_back(static_cast<std::int32_t>(label));
  }
  LearntRule given_rule(std::size_t r) const {
    LearntRule rule;
    rule.initial = static_cast<std::int32_t>(r);
    for (std::int64_t i = initial_.rules.rule_begin[r]; i < initial_.rules.rule_begin[r + 1]; ++i) {
      Condition condition;
      condition.form = Form::given;
      condition.column = initial_.rules.kind[i] == LiteralKind::sum ? -1 : initial_.rules.column[i];
      condition.given = i;
      condition.set = held_[i];
      rule.conditions.push_back(std::move(condition));
    }
    return rule;
  }

  CoverResult result() {
    CoverResult made;
    made.label = label_;
    made.order.assign(order_.begin(), order_.end());
    made.class_weight.assign((learnt_.size() + 1) * data_.classes, 0.0);
    std::vector<std::uint32_t> all(data_.table->rows);
    std::iota(all.begin(), all.end(), 0U);
    RowSet left(data_.table->rows, all);
    const auto weigh = [&](std::size_t r, const RowSet& rows) {
      rows.for_each(
          [&](std::uint32_t row) { made.class_weight[r * data_.classes + data_.label[row]] += data_.weight_of(row); });
    };
    for (std::size_t r = 0; r < learnt_.size(); ++r) {
      const LearntRule& rule = learnt_[r];
      for (const Condition& condition : rule.conditions) add_literal(condition, initial_.rules, made.rules);
      made.rules.rule_begin.push_back(made.rules.literals());
      RowSet taken = rule.covered;
      taken &= left;
      left -= taken;
      weigh(r, taken);
      made.growing.insert(made.growing.end(), {rule.growing.positive, rule.growing.total});
      made.pruning.insert(made.pruning.end(), {rule.pruning.positive, rule.pruning.total});
      made.initial.push_back(rule.initial);
    }
    weigh(learnt_.size(), left);
    return made;
  }

  const CoverData& data_;
  const InitialRules& initial_;
  const CoverOptions& options_;
  Watch& watch_;
  std::vector<double> weight_;       // by class
  std::vector<std::uint32_t> order_;  // of the classes
  std::vector<std::uint32_t> rows_;   // left for the next class
  std::vector<std::vector<std::size_t>> revisable_;    // initial rules by class
  std::vector<std::shared_ptr<const RowSet>> held_;    // by literal of the initial rules
  std::vector<LearntRule> learnt_;
  std::vector<std::int32_t> label_;
};

}  // namespace

CoverResult cover(const CoverData& data, const InitialRules& initial, const CoverOptions& options, Watch& watch) {
  check_cover(data, initial, options);
  return Coverer(data, initial, options, watch).run();
}

}  // namespace bough
