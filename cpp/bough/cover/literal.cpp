// See literal.hpp.
#include "bough/cover/literal.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "bough/split/low_key.hpp"

namespace bough {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr int few = 12;  // rows for which looking at each is cheaper than looking at all 64

// The rows among `asked` for which `test` holds.
template <class Test>
std::uint64_t filter(std::uint64_t asked, const Test& test) {
  std::uint64_t found = 0;
  if (std::popcount(asked) > few) {
    for (unsigned r = 0; r < Tile::lanes; ++r) found |= static_cast<std::uint64_t>(test(r)) << r;
    return found & asked;
  }
  for (; asked != 0; asked &= asked - 1) {
    const auto r = static_cast<unsigned>(std::countr_zero(asked));
    found |= static_cast<std::uint64_t>(test(r)) << r;
  }
  return found;
}

std::uint64_t inside(const Literal& literal, const std::int64_t* keys, std::uint64_t asked) {
  if (literal.kind == LiteralKind::interval) {
    if (literal.range.empty) return 0;
    return filter(asked, [&](unsigned r) { return literal.range.has(keys[r]); });
  }
  const std::span<const std::uint64_t> codes = literal.codes;
  if (codes.empty()) {
    return filter(asked, [&](unsigned r) { return std::ranges::binary_search(literal.listed, keys[r]); });
  }
  if (codes.size() == 1) {
    const std::uint64_t bits = codes[0];
    return filter(asked, [&](unsigned r) {
      const auto code = static_cast<std::uint64_t>(keys[r]);
      return ((bits >> (code & 63U)) & static_cast<std::uint64_t>(code < 64U)) != 0;
    });
  }
  return filter(asked, [&](unsigned r) {
    const auto code = static_cast<std::uint64_t>(keys[r]);
    return code / 64 < codes.size() && ((codes[code / 64] >> (code & 63U)) & 1U) != 0;
  });
}

}  // namespace

KeyRange key_range(Bound low, const Threshold& from, Bound high, const Threshold& to, KeyFamily family) {
  std::int64_t first = least;
  std::int64_t last = most;
  if (low != Bound::none) {
    const auto below = last_low_key({from.bits, from.type, low == Bound::closed ? Side::lt : Side::le}, family);
    if (below == most) return {.empty = true};
    if (below) first = *below + 1;
  }
  if (high != Bound::none) {
    const auto up_to = last_low_key({to.bits, to.type, high == Bound::closed ? Side::le : Side::lt}, family);
    if (!up_to) return {.empty = true};
    last = *up_to;
  }
  if (last < first) return {.empty = true};
  return {first, static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first)};
}

std::uint64_t Literal::holds(const Tile& tile, std::uint64_t asked, const TermLists& sums) const {
  if (kind == LiteralKind::sum) {
    std::uint64_t found = 0;
    for (; asked != 0; asked &= asked - 1) {
      const auto r = std::countr_zero(asked);
      const Sum value = tile.sum(sums, sum, r);
      const bool held = value.state == State::known ? !range.empty && range.has(key_of(value.value)) : or_missing;
      found |= static_cast<std::uint64_t>(held) << static_cast<unsigned>(r);
    }
    return found;
  }
  const Tile::Cells cells = tile.cells(slot);
  const std::uint64_t has_value = cells.known | cells.other;
  if (kind == LiteralKind::known) return asked & has_value;
  if (kind == LiteralKind::missing) return asked & ~has_value;
  std::uint64_t found = inside(*this, cells.keys, asked & cells.known);
  if (negated) found = asked & has_value & ~found;
  return or_missing ? found | (asked & ~has_value) : found;
}

}  // namespace bough
