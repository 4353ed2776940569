#include "bough/grow/pool_writer.hpp"

#include "bough/split/threshold.hpp"

namespace bough {

void PoolWriter::add_cut(SplitRole role, std::int32_t column, std::uint32_t low_row, std::uint32_t high_row,
                         double low_share, std::uint8_t low, double score) {
  const Threshold threshold = threshold_between(table_.columns[static_cast<std::size_t>(column)].view, low_row,
                                                high_row, low_share, options_.cut, options_.side);
  pool_.role.push_back(role);
  pool_.kind.push_back(SplitKind::threshold);
  pool_.found.push_back(Found::exact);
  pool_.value_type.push_back(threshold.type);
  pool_.side.push_back(threshold.side);
  pool_.low.push_back(low);
  pool_.column.push_back(column);
  pool_.payload.push_back(threshold.bits);
  pool_.score.push_back(score);
}

void PoolWriter::add_levels(SplitRole role, std::int32_t column, Found found, const std::vector<std::int32_t>& code,
                            const std::vector<std::uint8_t>& branch, double score) {
  pool_.role.push_back(role);
  pool_.kind.push_back(SplitKind::levels);
  pool_.found.push_back(found);
  pool_.value_type.push_back(ValueType::f64);
  pool_.side.push_back(Side::le);
  pool_.low.push_back(0);
  pool_.column.push_back(column);
  pool_.payload.push_back(static_cast<std::uint64_t>(pool_.set_begin.size()) - 1);
  pool_.score.push_back(score);
  pool_.set_code.insert(pool_.set_code.end(), code.begin(), code.end());
  pool_.set_branch.insert(pool_.set_branch.end(), branch.begin(), branch.end());
  pool_.set_begin.push_back(static_cast<std::int64_t>(pool_.set_code.size()));
}

void PoolWriter::add_surrogate(const Surrogate& surrogate) {
  pool_.adjusted.resize(pool_.column.size(), 0.0);
  if (surrogate.code.empty()) {
    add_cut(SplitRole::surrogate, surrogate.column, surrogate.low_row, surrogate.high_row, surrogate.low_share,
            surrogate.low, surrogate.agreement);
  } else {
    add_levels(SplitRole::surrogate, surrogate.column, Found::exact, surrogate.code, surrogate.branch,
               surrogate.agreement);
  }
  pool_.adjusted.push_back(surrogate.adjusted);
}

}  // namespace bough
