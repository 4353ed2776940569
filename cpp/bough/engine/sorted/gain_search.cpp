// Tests judged by information gain with the rules of C4.5: a branch for each level, and penalised cuts.
#include <algorithm>
#include <numeric>
#include <optional>

#include "bough/engine/sorted/column_query.hpp"
#include "bough/search/choice.hpp"
#include "bough/search/gain_boxes.hpp"
#include "bough/search/gain_cut.hpp"
#include "bough/search/level_branches.hpp"

namespace bough {

template <class Entry>
Candidate ColumnSearch<Entry>::judged(std::size_t column, const Judgement& judgement) const {
  Candidate candidate;
  candidate.column = static_cast<std::int32_t>(column);
  candidate.gain = judgement.gain;
  const bool by_ratio = options_.criterion == Criterion::gain_ratio;
  candidate.worth = worth(by_ratio ? judgement.ratio : judgement.gain, column);
  return candidate;
}

template <class Entry>
Candidate ColumnSearch<Entry>::by_branches(Query& query) const {
  fill_table(query);
  const ValueTable& table = query.scratch.table;
  const LevelNode node{query.stats->effective, query.node.stats->effective, options_.min_leaf_weight,
                       static_cast<std::size_t>(std::max<std::int64_t>(1, options_.min_leaf_rows))};
  const bool one = options_.branching == Branching::one_level;
  LevelBranches found = one ? judge_one_level(table, node, options_, gain_rule_, symmetric_cost_.data())
                            : judge_levels(table, node, options_, gain_rule_, symmetric_cost_.data());
  if (!found.any) return {};
  // Tests without gain have a part in the average.
  const bool averaged = options_.gain.choice == Choice::above_average;
  if (gain_rule_.is_zero(found.judgement.gain)) {
    if (!averaged && !options_.zero_gain) return {};
    if (options_.zero_gain) found.judgement = {};
  }
  Candidate candidate = judged(query.index, found.judgement);
  candidate.levels = std::make_unique<LevelSet>();
  LevelSet& levels = *candidate.levels;
  if (options_.gain.declared_branches) {
    levels.code.resize(table_.columns[query.index].ranks);
    std::iota(levels.code.begin(), levels.code.end(), 0);
  } else {
    levels.code.assign(table.code.begin(), table.code.end());
  }
  levels.branch.resize(levels.code.size());
  std::iota(levels.branch.begin(), levels.branch.end(), 0);
  levels.branches = static_cast<std::int32_t>(levels.code.size());
  if (one) {
    const auto level = static_cast<std::int32_t>(table.code[found.level]);
    std::transform(levels.code.begin(), levels.code.end(), levels.branch.begin(),
                   [&](std::int32_t code) { return code == level ? 0 : 1; });
    levels.branches = 2;
  }
  return candidate;
}

// Whether two values are too close to be parted.
template <class Entry>
bool ColumnSearch<Entry>::close(std::size_t column, std::uint32_t low_row, std::uint32_t high_row) const {
  if (has_close_[column] == 0) return false;
  const ColumnView& view = table_.columns[column].view;
  return !(value_as_double(view, low_row) + options_.gain.value_gap < value_as_double(view, high_row));
}

template <class Entry>
Candidate ColumnSearch<Entry>::by_gain_cut(Query& query) const {
  const std::size_t classes = target_.classes;
  const bool table_layout = query.column.layout == Layout::table;
  if (table_layout) {
    fill_table_from_codes(query);
  } else {
    const std::size_t known = query.cohort.known_in(query.column, query.node.begin, query.node.end);
    query.known = std::span<const Entry>(query.column.order.data() + query.node.begin, known);
    const std::size_t missing = query.node.end - query.node.begin - known;
    if (missing > 0 && missing < known) {
      subtract_missing(query);
    } else if (missing > 0) {
      count_known(query);
    }
  }
  const NodeStats& stats = *query.stats;
  if (stats.rows < 2) return {};
  GainCutNode node{stats.effective,
                   query.node.stats->effective,
                   stats.weight,
                   options_.min_leaf_weight,
                   static_cast<double>(std::max<std::int64_t>(1, options_.min_leaf_rows)),
                   static_cast<double>(stats.rows),
                   options_.zero_gain};
  if (!limit_cut(node, classes, gain_rule_, options_.gain)) return {};

  const ValueTable& table = query.scratch.table;
  const std::vector<std::uint32_t>& sample = table_.columns[query.index].sample;
  const auto row_at = [&](std::size_t i) {
    return table_layout ? sample[table.code[i]] : query.cohort.row_of(query.known[i].id());
  };
  std::vector<double>& whole = query.scratch.work;
  GainCut cut;
  if (table_layout) {
    cut = best_table_cut(table, node, gain_rule_, whole,
                         [&](std::size_t v) { return !close(query.index, row_at(v - 1), row_at(v)); });
  } else if (classes == 2 && !scaled_ && options_.gain.epsilon == 0.0 && !options_.zero_gain) {
    const bool gaps = has_close_[query.index] != 0;
    const Ties ties = query.column.ties;
    const auto may_cut = [&](std::size_t i) {
      return !ties(query.known[i - 1].id(), query.known[i].id()) &&
             !(gaps && close(query.index, row_at(i - 1), row_at(i)));
    };
    GainBoxes boxes(RowSteps<Entry>{query.known, query.weights()}, {stats.counts[0], stats.counts[1]}, node, gain_rule_,
                    may_cut);
    cut = boxes.best(query.scratch.corners);
  } else {
    whole.resize(classes);
    for (std::size_t k = 0; k < classes; ++k) whole[k] = stats.counts[k] * target_.growth_scale[k];
    GainSides sides(gain_rule_, whole.data(), classes);
    cut = best_gain_cut(
        query.known.size(), node, gain_rule_, sides,
        [&](std::size_t i, GainSides& moving, GainState& state) {
          const Entry entry = query.known[i];
          const double w = query.cohort.weight_of(entry.id());
          const double amount = w * target_.growth_scale[entry.label()];
          moving.move(entry.label(), amount);
          state.amount += amount;
          state.weight += w;
          state.rows += 1.0;
        },
        [&](std::size_t i) {
          return !query.column.ties(query.known[i - 1].id(), query.known[i].id()) &&
                 !close(query.index, row_at(i - 1), row_at(i));
        },
        classes);
  }
  const std::optional<Judgement> judgement =
      judge_cut(cut, node, query.node.stats->weight, query.floor(), gain_rule_, options_.gain);
  if (!judgement) return {};
  Candidate candidate = judged(query.index, *judgement);
  candidate.low_row = row_at(cut.position - 1);
  candidate.high_row = row_at(cut.position);
  candidate.low_share = cut.low_weight / stats.weight;
  if (!table_layout) candidate.position = static_cast<std::uint32_t>(cut.position);
  return candidate;
}

template <class Entry>
void ColumnSearch<Entry>::choose(Ranking& best) const {
  if (options_.gain.choice == Choice::above_average)
    choose_above_average(best, no_average_, gain_rule_, options_.zero_gain);
}

template Candidate ColumnSearch<EntryOf<std::uint32_t>>::by_branches(Query&) const;
template Candidate ColumnSearch<EntryOf<std::uint64_t>>::by_branches(Query&) const;
template Candidate ColumnSearch<EntryOf<std::uint32_t>>::by_gain_cut(Query&) const;
template Candidate ColumnSearch<EntryOf<std::uint64_t>>::by_gain_cut(Query&) const;
template void ColumnSearch<EntryOf<std::uint32_t>>::choose(Ranking&) const;
template void ColumnSearch<EntryOf<std::uint64_t>>::choose(Ranking&) const;

}  // namespace bough
