#include "bough/engine/pool_writer.hpp"

#include <numeric>

#include "bough/base/prefetch.hpp"
#include "bough/split/threshold.hpp"

namespace bough {

void PoolWriter::add_cut(SplitPool& pool, SplitRole role, std::int32_t column, std::uint32_t low_row,
                         std::uint32_t high_row, double low_share, std::uint8_t low, double score) {
  open_.push_back({pool.column.size(), low_row, high_row, low_share});
  pool.role.push_back(role);
  pool.kind.push_back(SplitKind::threshold);
  pool.found.push_back(Found::exact);
  pool.value_type.push_back(ValueType::f64);
  pool.side.push_back(options_->side);
  pool.low.push_back(low);
  pool.column.push_back(column);
  pool.payload.push_back(0);
  pool.score.push_back(score);
}

Threshold PoolWriter::threshold_of(std::int32_t column, std::uint32_t low_row, std::uint32_t high_row,
                                   double low_share) const {
  const auto number = static_cast<std::size_t>(column);
  const ColumnView& view = table_->columns[number].view;
  if (distinct_ != nullptr && options_->cut == CutRule::data_value && view.kind == ColumnKind::numeric) {
    const std::uint32_t row = distinct_->last_up_to_middle(*table_, number, low_row, high_row);
    return {view.value_bits(row), view.value_type(), Side::le};
  }
  return threshold_between(view, low_row, high_row, low_share, options_->cut, options_->side);
}

void PoolWriter::settle(SplitPool& pool) {
  constexpr std::size_t kAhead = 12;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (i + kAhead < open_.size()) {
      const OpenCut& soon = open_[i + kAhead];
      prefetch(view_of(pool, soon).address(soon.low_row));
      prefetch(view_of(pool, soon).address(soon.high_row));
    }
    const OpenCut& cut = open_[i];
    const Threshold threshold = threshold_of(pool.column[cut.split], cut.low_row, cut.high_row, cut.low_share);
    pool.side[cut.split] = threshold.side;
    if (cut.edge != no_edge) [[unlikely]] {
      pool.edge_type[cut.edge] = threshold.type;
      pool.edge_bits[cut.edge] = threshold.bits;
      continue;
    }
    pool.value_type[cut.split] = threshold.type;
    pool.payload[cut.split] = threshold.bits;
  }
  open_.clear();
}

void PoolWriter::add_levels(SplitPool& pool, SplitRole role, std::int32_t column, Found found,
                            const std::vector<std::int32_t>& code, const std::vector<std::int32_t>& branch,
                            double score) {
  pool.role.push_back(role);
  pool.kind.push_back(SplitKind::levels);
  pool.found.push_back(found);
  pool.value_type.push_back(ValueType::f64);
  pool.side.push_back(Side::le);
  pool.low.push_back(0);
  pool.column.push_back(column);
  pool.payload.push_back(static_cast<std::uint64_t>(pool.set_begin.size()) - 1);
  pool.score.push_back(score);
  pool.set_code.insert(pool.set_code.end(), code.begin(), code.end());
  pool.set_branch.insert(pool.set_branch.end(), branch.begin(), branch.end());
  pool.set_begin.push_back(static_cast<std::int64_t>(pool.set_code.size()));
}

void PoolWriter::add_fixed_cut(SplitPool& pool, SplitRole role, std::int32_t column, const Threshold& threshold,
                               std::uint8_t low, double score) {
  pool.role.push_back(role);
  pool.kind.push_back(SplitKind::threshold);
  pool.found.push_back(Found::exact);
  pool.value_type.push_back(threshold.type);
  pool.side.push_back(threshold.side);
  pool.low.push_back(low);
  pool.column.push_back(column);
  pool.payload.push_back(threshold.bits);
  pool.score.push_back(score);
}

void PoolWriter::add_open(SplitPool& pool, SplitRole role, std::int32_t column, const OpenTest& test, std::uint8_t low,
                          double score) {
  if (!test.machine.empty()) {
    std::vector<std::int32_t> numbers(test.branch.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    add_levels(pool, role, column, Found::exact, numbers, test.branch, score);
    add_terms(pool.sums, test.sum, test.whole, {}, test.machine);
    set_sum_of_last(pool);
    return;
  }
  const std::size_t split = pool.column.size();
  const bool plain = test.fixed.size() == 1 && test.branch[0] + test.branch[1] == 1;
  if (plain) {
    add_fixed_cut(pool, role, column, test.fixed.front(), static_cast<std::uint8_t>(test.branch[0]), score);
    if (test.sum.empty()) return;
    add_terms(pool.sums, test.sum, test.whole, test.layer);
    set_sum_of_last(pool);
    return;
  }
  pool.role.push_back(role);
  pool.kind.push_back(test.conjunction() ? SplitKind::holds : SplitKind::intervals);
  pool.found.push_back(Found::exact);
  pool.value_type.push_back(ValueType::f64);
  pool.side.push_back(Side::le);
  pool.low.push_back(test.conjunction() ? static_cast<std::uint8_t>(low ^ test.holds) : 0);
  pool.column.push_back(column);
  pool.score.push_back(score);
  if (test.conjunction()) {
    pool.payload.push_back(static_cast<std::uint64_t>(pool.terms.begin.size()) - 1);
    for (const FoundProperty& term : test.terms) {
      Property asked = term.asked;
      if (!asked.asks_level() && !term.given)
        asked.threshold = threshold_of(asked.column, term.low_row, term.high_row, term.low_share);
      pool.terms.add(asked);
    }
    pool.terms.close();
    return;
  }
  pool.payload.push_back(static_cast<std::uint64_t>(pool.edge_begin.size()) - 1);
  for (const Threshold& edge : test.fixed) {
    pool.side.back() = edge.side;
    pool.edge_type.push_back(edge.type);
    pool.edge_bits.push_back(edge.bits);
  }
  for (std::size_t e = 0; test.fixed.empty() && e < test.edge_rows.size(); ++e) {
    const auto [low_row, high_row] = test.edge_rows[e];
    open_.push_back(
        {split, low_row, high_row, test.edge_share.empty() ? 0.5 : test.edge_share[e], pool.edge_bits.size()});
    pool.edge_type.push_back(ValueType::f64);
    pool.edge_bits.push_back(0);
  }
  pool.interval_branch.insert(pool.interval_branch.end(), test.branch.begin(), test.branch.end());
  pool.edge_begin.push_back(static_cast<std::int64_t>(pool.edge_bits.size()));
}

void PoolWriter::add_surrogate(SplitPool& pool, const Surrogate& surrogate) {
  pool.adjusted.resize(pool.column.size(), 0.0);
  if (!surrogate.code.empty()) {
    add_levels(pool, SplitRole::surrogate, surrogate.column, Found::exact, surrogate.code, surrogate.branch,
               surrogate.agreement);
  } else if (surrogate.high >= 0) {
    OpenTest cut;
    cut.edge_rows = {{surrogate.low_row, surrogate.high_row}};
    cut.edge_share = {surrogate.low_share};
    cut.branch = {surrogate.low, surrogate.high};
    add_open(pool, SplitRole::surrogate, surrogate.column, cut, 0, surrogate.agreement);
  } else {
    add_cut(pool, SplitRole::surrogate, surrogate.column, surrogate.low_row, surrogate.high_row, surrogate.low_share,
            static_cast<std::uint8_t>(surrogate.low), surrogate.agreement);
  }
  pool.adjusted.push_back(surrogate.adjusted);
}

}  // namespace bough
