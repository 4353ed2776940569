// Rules in flat arrays: each is a conjunction of literals, and what a literal asks is one of five kinds. Lists of
// rules, sets of rules and single rules all come to the kernel in this form; what a rule answers is not known here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/feature/linear.hpp"
#include "bough/feature/threshold.hpp"

namespace bough {

enum class LiteralKind : std::uint8_t { levels = 0, interval = 1, missing = 2, known = 3, sum = 4 };

// One end of an interval: without a limit, without the limit itself, or with it.
enum class Bound : std::uint8_t { none = 0, open = 1, closed = 2 };

// The literals of rule r are rule_begin[r] .. rule_begin[r + 1]; a rule without literals covers every row.
//   levels     a nominal or ordered column has one of the codes of a set: codes set_code[set_begin[s] ..], rising.
//   interval   a numeric or ordered column lies between two ends, at least one of which is a bound.
//   missing    the column has no value.
//   known      it has one.
//   sum        a sum of terms lies between two ends. Its column is -1.
// Sets and sums are numbered in the order of their literals. A literal on a missing value is false, also if it is
// negated, but for `missing` and where `or_missing` says otherwise; a sum is missing if one of its terms is. What a
// kind has no use for is 0.
struct Rules {
  std::vector<std::int64_t> rule_begin = {0};
  std::vector<LiteralKind> kind;
  std::vector<std::int32_t> column;
  std::vector<std::uint8_t> negated;     // levels, interval
  std::vector<std::uint8_t> or_missing;  // levels, interval, sum: the literal also holds where the value is missing
  std::vector<Bound> low_bound;          // interval, sum, as all that follow
  std::vector<Bound> high_bound;
  std::vector<ValueType> low_type;
  std::vector<ValueType> high_type;
  std::vector<std::uint64_t> low_bits;
  std::vector<std::uint64_t> high_bits;

  std::vector<std::int64_t> set_begin = {0};
  std::vector<std::int32_t> set_code;

  TermLists sums;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(rule_begin.size()) - 1; }
  [[nodiscard]] std::int64_t literals() const { return static_cast<std::int64_t>(kind.size()); }
};

// Throws InvalidInput, naming field and position, unless the arrays keep all that is promised above. Arrays may come
// from a file that somebody has changed: nothing is read before its place is known to exist.
void validate(const Rules& rules);

// What only the schema knows: that columns and levels exist and that kinds fit. Kinds are 0 numeric, 1 ordered,
// 2 nominal.
void check_columns(const Rules& rules, std::span<const std::int32_t> kinds, std::span<const std::int64_t> n_levels);

}  // namespace bough
