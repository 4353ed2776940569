// Rules in order that may take a part of a row: where a literal asks for a value that is missing, a share of the row
// passes it. Each rule answers for what it takes, and the rest of the row goes on to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/feature/threshold.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// What a literal asks: a level, a number up to a threshold or above it, any other level.
enum class Asks : std::uint8_t { level = 0, at_most = 1, above = 2, other_level = 3 };

// Flat lists: the literals of rule i are begin[i] up to begin[i + 1].
struct FractionalRules {
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> column;
  std::vector<Asks> asks;
  std::vector<std::int32_t> code;  // of levels; else -1
  std::vector<ValueType> value_type;
  std::vector<std::uint64_t> value_bits;
  std::vector<double> share;  // of a row without the value
  std::size_t classes = 0;
  std::vector<double> counts;  // by rule and class

  [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
  [[nodiscard]] static bool is_nominal(Asks asked) { return asked == Asks::level || asked == Asks::other_level; }
};

// Throws InvalidInput unless the lists fit together.
void check_rules(const FractionalRules& rules);

struct FractionalOptions {
  double epsilon = 1e-6;  // parts of a row that are no larger count as nothing
  bool unseen_is_missing = true;  // levels never seen in training; else they are other levels than those asked for
  std::int32_t threads = 1;
};

// Calls take(row, rule, part) for each rule that takes a part of a row, row by row within a thread, rules in order.
using TakePart = std::function<void(std::int64_t row, std::size_t rule, double part)>;
void share_out(const FractionalRules& rules, std::span<const ColumnView> columns, std::int64_t rows,
               const FractionalOptions& options, Watch& watch, const TakePart& take);

// Row after row, the sum over the rules of the part they take times the shares of their classes; not normalised.
[[nodiscard]] std::vector<double> fractional_probabilities(const FractionalRules& rules,
                                                           std::span<const ColumnView> columns, std::int64_t rows,
                                                           const FractionalOptions& options, Watch& watch);

// The rule that takes the largest part of each row, the first of equal ones; -1 if none takes any.
[[nodiscard]] std::vector<std::int32_t> fractional_apply(const FractionalRules& rules,
                                                         std::span<const ColumnView> columns, std::int64_t rows,
                                                         const FractionalOptions& options, Watch& watch);

}  // namespace bough
