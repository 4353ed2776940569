// See prune_rule.hpp.
#include "bough/cover/prune_rule.hpp"

#include <cstdint>

#include "bough/cover/fuzzy.hpp"

namespace bough {
namespace {

class Pruner {
 public:
  Pruner(std::vector<Condition>& conditions, const RowSet& rows, const RowSet& positive, const CoverData& data,
         const CoverOptions& options, PruneValue value)
      : conditions_(conditions), rows_(rows), positive_(positive), data_(data), options_(options), value_(value) {}

  Weights prune() {
    all_ = {data_.weigh(rows_, positive_), data_.weigh(rows_)};
    if (conditions_.empty() || !fuzzy::above(all_.total, 0.0)) return {};
    return options_.deletions == Deletions::last ? drop_last() : drop_single();
  }

 private:
  [[nodiscard]] Weights count(const RowSet& covered) const {
    return {data_.weigh(covered, positive_), data_.weigh(covered)};
  }
  [[nodiscard]] double worth(const Weights& covered, bool is_empty) const {
    const double p = covered.positive;
    const double n = covered.total - covered.positive;
    const PruneValue value = is_empty && options_.jrip ? PruneValue::laplace : value_;
    if (value == PruneValue::laplace) return (p + 1.0) / (covered.total + 2.0);
    if (value == PruneValue::accuracy) return (p + (all_.total - all_.positive - n)) / all_.total;
    return fuzzy::above(covered.total, 0.0) ? (p - n) / covered.total : -1.0;
  }

  // The best beginning of the rule.
  Weights drop_last() {
    RowSet covered = rows_;
    Weights kept = all_;
    double best = worth(all_, true);
    std::size_t length = 0;
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      keep_covered(covered, conditions_[i], *data_.table);
      const Weights here = count(covered);
      const double own = worth(here, false);
      if (!(own > best)) continue;
      best = own;
      kept = here;
      length = i + 1;
    }
    conditions_.resize(length);
    return kept;
  }

  // One after another the condition whose loss leaves the rule worth most, if not less than before.
  Weights drop_single() {
    RowSet covered = rows_;
    for (const Condition& condition : conditions_) keep_covered(covered, condition, *data_.table);
    Weights kept = count(covered);
    while (!conditions_.empty()) {
      double best = worth(kept, false);
      std::size_t dropped = conditions_.size();
      Weights left;
      for (std::size_t i = 0; i < conditions_.size(); ++i) {
        RowSet without = rows_;
        for (std::size_t k = 0; k < conditions_.size(); ++k) {
          if (k != i) keep_covered(without, conditions_[k], *data_.table);
        }
        const Weights here = count(without);
        const double own = worth(here, conditions_.size() == 1);
        if (own < best || (own == best && dropped < conditions_.size())) continue;
        best = own;
        dropped = i;
        left = here;
      }
      if (dropped == conditions_.size()) break;
      conditions_.erase(conditions_.begin() + static_cast<std::ptrdiff_t>(dropped));
      kept = left;
    }
    return kept;
  }

  std::vector<Condition>& conditions_;
  const RowSet& rows_;
  const RowSet& positive_;
  const CoverData& data_;
  const CoverOptions& options_;
  PruneValue value_;
  Weights all_;
};

}  // namespace

Weights prune_rule(std::vector<Condition>& conditions, const RowSet& rows, const RowSet& positive,
                   const CoverData& data, const CoverOptions& options, PruneValue value) {
  return Pruner(conditions, rows, positive, data, options, value).prune();
}

}  // namespace bough
