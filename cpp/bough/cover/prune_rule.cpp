// See prune_rule.hpp.
#include "bough/cover/prune_rule.hpp"

#include <cstdint>

#include "bough/cover/fuzzy.hpp"

namespace bough {
namespace {

class Pruner {
 public:
  Pruner(std::vector<Condition>& conditions, const RowSet& rows, const RowSet& positive, const CoverData& data,
         const CoverOptions& options, const RuleWorth& worth)
      : conditions_(conditions), rows_(rows), positive_(positive), data_(data), options_(options), worth_(worth) {}

  Weights prune() {
    all_ = {data_.weigh(rows_, positive_), data_.weigh(rows_)};
    if (conditions_.empty() || !fuzzy::above(all_.total, 0.0)) return {};
    return options_.deletions == Deletions::last ? drop_last() : drop_single();
  }

 private:
  [[nodiscard]] Weights count(const RowSet& covered) const {
    return {data_.weigh(covered, positive_), data_.weigh(covered)};
  }
  // Of shorter rules, the first of which may be the one without conditions.
  [[nodiscard]] std::vector<double> worth(const std::vector<Weights>& covered, bool has_empty) const {
    if (worth_.written) return worth_.written(covered, all_);
    std::vector<double> values;
    values.reserve(covered.size());
    for (const Weights& one : covered) values.push_back(worth(one, has_empty && values.empty()));
    return values;
  }
  [[nodiscard]] double worth(const Weights& covered, bool is_empty) const {
    const double p = covered.positive;
    const double n = covered.total - covered.positive;
    const PruneValue value = is_empty && options_.jrip ? PruneValue::laplace : worth_.value;
    if (value == PruneValue::laplace) return (p + 1.0) / (covered.total + 2.0);
    if (value == PruneValue::accuracy) return (p + (all_.total - all_.positive - n)) / all_.total;
    return fuzzy::above(covered.total, 0.0) ? (p - n) / covered.total : -1.0;
  }

  // Whether without a condition the rule would not ask a column that it has to.
  [[nodiscard]] bool is_needed(std::size_t i) const {
    if (options_.required.empty()) return false;
    std::vector<Condition> others = conditions_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    return asks_all(conditions_, options_.required) && !asks_all(others, options_.required);
  }

  // The best beginning of the rule.
  Weights drop_last() {
    RowSet covered = rows_;
    std::vector<Weights> counts = {all_};
    for (const Condition& condition : conditions_) {
      keep_covered(covered, condition, *data_.table);
      counts.push_back(count(covered));
    }
    const std::vector<double> values = worth(counts, true);
    std::size_t length = 0;
    bool enough = asks_all({}, options_.required);
    for (std::size_t i = 1; i < counts.size(); ++i) {
      const bool is_least = !enough && asks_all({conditions_.begin(), conditions_.begin() + i}, options_.required);
      enough = enough || is_least;
      if (enough && (is_least || values[i] > values[length])) length = i;
    }
    conditions_.resize(length);
    return counts[length];
  }

  // One after another the condition whose loss leaves the rule worth most, if not less than before.
  Weights drop_single() {
    RowSet covered = rows_;
    for (const Condition& condition : conditions_) keep_covered(covered, condition, *data_.table);
    Weights kept = count(covered);
    while (!conditions_.empty()) {
      std::vector<Weights> counts;
      for (std::size_t i = 0; i < conditions_.size(); ++i) {
        RowSet without = rows_;
        for (std::size_t k = 0; k < conditions_.size(); ++k) {
          if (k != i) keep_covered(without, conditions_[k], *data_.table);
        }
        counts.push_back(count(without));
      }
      counts.push_back(kept);
      const std::vector<double> values = worth(counts, conditions_.size() == 1);
      std::size_t best = conditions_.size();
      for (std::size_t i = 0; i < conditions_.size(); ++i) {
        if (is_needed(i)) continue;
        if (values[i] > values[best] || (values[i] == values[best] && best == conditions_.size())) best = i;
      }
      if (best == conditions_.size()) break;
      conditions_.erase(conditions_.begin() + static_cast<std::ptrdiff_t>(best));
      kept = counts[best];
    }
    return kept;
  }

  std::vector<Condition>& conditions_;
  const RowSet& rows_;
  const RowSet& positive_;
  const CoverData& data_;
  const CoverOptions& options_;
  const RuleWorth& worth_;
  Weights all_;
};

}  // namespace

Weights prune_rule(std::vector<Condition>& conditions, const RowSet& rows, const RowSet& positive,
                   const CoverData& data, const CoverOptions& options, const RuleWorth& worth) {
  return Pruner(conditions, rows, positive, data, options, worth).prune();
}

}  // namespace bough
