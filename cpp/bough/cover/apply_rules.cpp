// See apply_rules.hpp. 64 rows at a time, and a rule looks only at those that no earlier one took.
#include "bough/cover/apply_rules.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/feature/row.hpp"
#include "bough/tree/checks.hpp"

namespace bough {
namespace {

constexpr std::int64_t chunk_rows = 64 * Tile::lanes;

// The words of bits that the codes of a set take; none if most would be empty.
std::size_t code_words(const Rules& rules, std::int64_t set) {
  const std::int64_t end = rules.set_begin[set + 1];
  const std::int64_t words = rules.set_code[end - 1] / 64 + 1;
  return words <= end - rules.set_begin[set] + 8 ? static_cast<std::size_t>(words) : 0;
}

// Calls use(tile, first row) for every 64 rows, chunk by chunk on several threads.
template <class Use>
void for_tiles(const RuleCovers& covers, std::int64_t n_rows, std::int64_t literals, int threads, Watch& watch,
               const Use& use) {
  const auto chunks = static_cast<std::size_t>((n_rows + chunk_rows - 1) / chunk_rows);
  parallel_for(
      chunks, threads, [&] { watch.ask(); },
      [&](std::size_t k, int) {
        Tile tile = covers.tile();
        const std::int64_t from = static_cast<std::int64_t>(k) * chunk_rows;
        const std::int64_t to = std::min(n_rows, from + chunk_rows);
        for (std::int64_t at = from; at < to; at += Tile::lanes) {
          watch.poll(static_cast<std::size_t>(literals + Tile::lanes));
          tile.turn_to(at, std::min(Tile::lanes, to - at));
          use(tile, at);
        }
      });
}

}  // namespace

RuleCovers::RuleCovers(const Rules& rules, std::span<const ColumnView> columns, Unseen unseen)
    : rules_(rules), columns_(columns), unseen_(unseen), slot_of_(columns.size(), -1) {
  literals_.resize(static_cast<std::size_t>(rules.literals()));
  std::size_t words = 0;
  for (std::int64_t set = 0; set + 1 < static_cast<std::int64_t>(rules.set_begin.size()); ++set) {
    words += code_words(rules, set);
  }
  codes_.resize(words);
  std::size_t word = 0;
  std::int64_t set = 0;
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < rules.literals(); ++i) {
    add(i, sum);
    if (rules.kind[i] == LiteralKind::levels) add_codes(literals_[i], set++, word);
  }
}

void RuleCovers::add_codes(Literal& literal, std::int64_t set, std::size_t& word) {
  const std::size_t length = code_words(rules_, set);
  literal.listed =
      std::span(rules_.set_code).subspan(rules_.set_begin[set], rules_.set_begin[set + 1] - rules_.set_begin[set]);
  literal.codes = std::span<const std::uint64_t>(codes_).subspan(word, length);
  for (const std::int32_t code : literal.listed) {
    if (length != 0) codes_[word + code / 64] |= std::uint64_t{1} << (static_cast<unsigned>(code) & 63U);
  }
  word += length;
}

void RuleCovers::add(std::int64_t i, std::int64_t& sum) {
  Literal& literal = literals_[i];
  literal.kind = rules_.kind[i];
  literal.negated = rules_.negated[i] != 0;
  literal.or_missing = rules_.or_missing[i] != 0;
  const Threshold low = {rules_.low_bits[i], rules_.low_type[i]};
  const Threshold high = {rules_.high_bits[i], rules_.high_type[i]};
  if (literal.kind == LiteralKind::sum) {
    check_fit(columns_, rules_.sums, sum);
    literal.sum = sum++;
    literal.range = key_range(rules_.low_bound[i], low, rules_.high_bound[i], high, KeyFamily::real);
    return;
  }
  const auto c = static_cast<std::size_t>(rules_.column[i]);
  if (c >= columns_.size()) {
    fail(
        "column", i,
        "a rule asks column " + std::to_string(c) + " of a table with " + std::to_string(columns_.size()) + " columns");
  }
  const ColumnView& view = columns_[c];
  if (literal.kind == LiteralKind::levels && view.kind == ColumnKind::numeric) {
    fail("column", i, "column " + std::to_string(c) + " is numeric: no levels");
  }
  if (literal.kind == LiteralKind::interval) {
    if (view.kind == ColumnKind::nominal)
      fail("column", i, "column " + std::to_string(c) + " is nominal: no intervals");
    literal.range = key_range(rules_.low_bound[i], low, rules_.high_bound[i], high, family_of(view.type));
  }
  if (slot_of_[c] < 0) {
    slot_of_[c] = static_cast<std::int32_t>(used_.size());
    used_.push_back(rules_.column[i]);
  }
  literal.slot = static_cast<std::uint32_t>(slot_of_[c]);
}

std::uint64_t RuleCovers::covered(std::int64_t rule, const Tile& tile, std::uint64_t asked) const {
  for (std::int64_t i = rules_.rule_begin[rule]; i < rules_.rule_begin[rule + 1] && asked != 0; ++i) {
    asked = holds(i, tile, asked);
  }
  return asked;
}

std::vector<std::int32_t> first_cover(const Rules& rules, std::span<const ColumnView> columns, std::int64_t n_rows,
                                      Unseen unseen, int threads, Watch& watch) {
  if (rules.size() > std::numeric_limits<std::int32_t>::max()) throw InvalidInput("rules", "too many rules");
  const RuleCovers covers(rules, columns, unseen);
  const auto none = static_cast<std::int32_t>(rules.size());
  std::vector<std::int32_t> first(static_cast<std::size_t>(n_rows), none);
  for_tiles(covers, n_rows, rules.literals(), threads, watch, [&](const Tile& tile, std::int64_t begin) {
    std::uint64_t left = tile.all();
    for (std::int32_t rule = 0; rule < none && left != 0; ++rule) {
      const std::uint64_t taken = covers.covered(rule, tile, left);
      left &= ~taken;
      for (std::uint64_t rest = taken; rest != 0; rest &= rest - 1) first[begin + std::countr_zero(rest)] = rule;
    }
  });
  return first;
}

std::vector<std::uint8_t> all_covers(const Rules& rules, std::span<const ColumnView> columns, std::int64_t n_rows,
                                     Unseen unseen, int threads, Watch& watch) {
  const RuleCovers covers(rules, columns, unseen);
  const std::int64_t n_rules = rules.size();
  std::vector<std::uint8_t> all(static_cast<std::size_t>(n_rows) * static_cast<std::size_t>(n_rules), 0);
  for_tiles(covers, n_rows, rules.literals(), threads, watch, [&](const Tile& tile, std::int64_t begin) {
    for (std::int64_t rule = 0; rule < n_rules; ++rule) {
      for (std::uint64_t rest = covers.covered(rule, tile, tile.all()); rest != 0; rest &= rest - 1) {
        all[(begin + std::countr_zero(rest)) * n_rules + rule] = 1;
      }
    }
  });
  return all;
}

}  // namespace bough
