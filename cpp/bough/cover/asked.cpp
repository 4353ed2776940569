#include "bough/cover/asked.hpp"

#include <cstddef>

#include "bough/split/threshold.hpp"

namespace bough {

Rules written(const std::vector<Asked>& conditions, const RankedTable& table) {
  Rules rules;
  for (const Asked& one : conditions) {
    const bool is_level = one.ask == Ask::equal || one.ask == Ask::unequal;
    const bool is_cut = one.ask == Ask::at_most || one.ask == Ask::above;
    const LiteralKind other = one.ask == Ask::missing ? LiteralKind::missing : LiteralKind::known;
    rules.kind.push_back(is_level ? LiteralKind::levels : is_cut ? LiteralKind::interval : other);
    rules.column.push_back(one.column);
    rules.negated.push_back(static_cast<std::uint8_t>(one.ask == Ask::unequal));
    rules.or_missing.push_back(0);
    Threshold cut;
    if (is_cut) {
      const ColumnView& view = table.columns[static_cast<std::size_t>(one.column)].view;
      cut = threshold_between(view, one.low_row, one.high_row, 0.5, CutRule::midpoint, Side::le);
    }
    const bool low = one.ask == Ask::above;
    const bool high = one.ask == Ask::at_most;
    rules.low_bound.push_back(low ? Bound::open : Bound::none);
    rules.high_bound.push_back(high ? Bound::closed : Bound::none);
    rules.low_type.push_back(low ? cut.type : ValueType::f64);
    rules.high_type.push_back(high ? cut.type : ValueType::f64);
    rules.low_bits.push_back(low ? cut.bits : 0);
    rules.high_bits.push_back(high ? cut.bits : 0);
    if (is_level) {
      rules.set_code.push_back(static_cast<std::int32_t>(one.rank));
      rules.set_begin.push_back(static_cast<std::int64_t>(rules.set_code.size()));
    }
  }
  rules.rule_begin.push_back(rules.literals());
  return rules;
}

}  // namespace bough
