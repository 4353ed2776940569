// See condition.hpp.
#include "bough/cover/condition.hpp"

#include <algorithm>
#include <map>
#include <ranges>

#include "bough/cover/filter_bits.hpp"

namespace bough {
namespace {

void add_plain(Rules& to, LiteralKind kind, std::int32_t column) {
  to.kind.push_back(kind);
  to.column.push_back(column);
  to.negated.push_back(0);
  to.or_missing.push_back(0);
  to.low_bound.push_back(Bound::none);
  to.high_bound.push_back(Bound::none);
  to.low_type.push_back(ValueType::f64);
  to.high_type.push_back(ValueType::f64);
  to.low_bits.push_back(0);
  to.high_bits.push_back(0);
}

void close_set(Rules& to) { to.set_begin.push_back(static_cast<std::int64_t>(to.set_code.size())); }

void copy_literal(const Rules& from, std::int64_t i, Rules& to) {
  add_plain(to, from.kind[i], from.column[i]);
  to.negated.back() = from.negated[i];
  to.or_missing.back() = from.or_missing[i];
  to.low_bound.back() = from.low_bound[i];
  to.high_bound.back() = from.high_bound[i];
  to.low_type.back() = from.low_type[i];
  to.high_type.back() = from.high_type[i];
  to.low_bits.back() = from.low_bits[i];
  to.high_bits.back() = from.high_bits[i];
  const std::int64_t before = std::count(from.kind.begin(), from.kind.begin() + i, from.kind[i]);
  if (from.kind[i] == LiteralKind::sum) copy_terms(from.sums, before, to.sums);
  if (from.kind[i] != LiteralKind::levels) return;
  to.set_code.insert(to.set_code.end(), from.set_code.begin() + from.set_begin[before],
                     from.set_code.begin() + from.set_begin[before + 1]);
  close_set(to);
}

}  // namespace

void keep_covered(RowSet& rows, const Condition& condition, const RankedTable& table) {
  with_test(condition, table, [&](const auto& holds) {
    for (std::size_t i = 0; i < rows.words(); ++i) {
      const std::uint64_t asked = rows.word(i);
      const auto test = [&](unsigned bit) { return holds(static_cast<std::uint32_t>(i * 64 + bit)); };
      rows.word(i) = filter_bits(asked, test, static_cast<unsigned>(std::bit_width(asked)));
    }
  });
}

bool asks_all(const std::vector<Condition>& conditions, const std::vector<std::uint8_t>& wanted) {
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    const auto is_of = [c](const Condition& condition) { return condition.column == static_cast<std::int32_t>(c); };
    if (wanted[c] != 0 && std::ranges::none_of(conditions, is_of)) return false;
  }
  return true;
}

std::vector<Condition> without_implied(const std::vector<Condition>& conditions) {
  std::map<std::pair<std::int32_t, Form>, std::uint32_t> tightest;
  std::vector<Condition> kept;
  for (const Condition& condition : std::views::reverse(conditions)) {
    const bool top = condition.form == Form::at_most;
    if (top || condition.form == Form::above) {
      const std::uint32_t edge = top ? condition.last : condition.first;
      const auto [seen, is_new] = tightest.try_emplace({condition.column, condition.form}, edge);
      if (!is_new && (top ? edge >= seen->second : edge <= seen->second)) continue;
      seen->second = edge;
    }
    kept.push_back(condition);
  }
  std::ranges::reverse(kept);
  return kept;
}

void add_literal(const Condition& condition, const Rules& initial, Rules& to) {
  switch (condition.form) {
    case Form::given:
      return copy_literal(initial, condition.given, to);
    case Form::missing:
      return add_plain(to, LiteralKind::missing, condition.column);
    case Form::equal:
    case Form::unequal:
      add_plain(to, LiteralKind::levels, condition.column);
      to.negated.back() = condition.form == Form::unequal ? 1 : 0;
      to.set_code.push_back(static_cast<std::int32_t>(condition.first));
      return close_set(to);
    case Form::one_of:
      add_plain(to, LiteralKind::levels, condition.column);
      condition.set->for_each([&](std::uint32_t code) { to.set_code.push_back(static_cast<std::int32_t>(code)); });
      return close_set(to);
    case Form::at_most:
      add_plain(to, LiteralKind::interval, condition.column);
      to.high_bound.back() = Bound::closed;
      to.high_type.back() = condition.edge.type;
      to.high_bits.back() = condition.edge.bits;
      return;
    case Form::above:
      add_plain(to, LiteralKind::interval, condition.column);
      to.low_bound.back() = condition.closed ? Bound::closed : Bound::open;
      to.low_type.back() = condition.edge.type;
      to.low_bits.back() = condition.edge.bits;
      return;
  }
}

}  // namespace bough
