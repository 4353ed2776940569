// One threshold of numbers or ordered levels, with the rules of C4.5 where they are asked for.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "bough/branching/branching.hpp"

namespace bough {
namespace {

// How much a cut says about where it lies, in bits: the share that the gap around it has in the range of the values.
double gap_bits(const OpenColumn& column, std::size_t below) {
  const ColumnView& view = column.table.columns[column.column].view;
  const auto value = [&](std::uint32_t row) {
    const std::uint64_t bits = view.value_bits(row);
    if (view.value_type() == ValueType::f64) return std::bit_cast<double>(bits);
    return view.value_type() == ValueType::u64 ? static_cast<double>(bits)
                                               : static_cast<double>(std::bit_cast<std::int64_t>(bits));
  };
  const Cells& cells = column.cells;
  const double range = value(cells.row.back()) - value(cells.row.front());
  const double gap = value(cells.row[below]) - value(cells.row[below - 1]);
  const double bits = std::log2(range / gap);
  return std::isfinite(bits) ? bits : std::numeric_limits<double>::infinity();
}

}  // namespace

ColumnTest best_cut(OpenColumn& column) {
  const std::size_t n = column.cells.size();
  if (n < 2) return {};
  TestLimits limits = column.limits();
  const GainOptions& gain = column.options.gain;
  if (gain.relative_minimum && column.target.classes > 0) {
    const double known = std::accumulate(column.cells.table.weight.begin(), column.cells.table.weight.end(), 0.0);
    const double tenth = 0.1 * known / static_cast<double>(column.target.classes);
    if (tenth > limits.min_weight) limits.min_weight = std::min(tenth, 25.0);
  }
  const std::vector<std::uint32_t> order = cells_up_to(n);
  Contest contest = column.contest(limits, true);
  enter_cuts(column, contest, order);
  ColumnTest test = cut_of(contest, order);
  if (test.any && gain.threshold_penalty) {
    double bits = std::log2(static_cast<double>(contest.admissible()));
    if (gain.later_rules) bits = std::min(bits, gap_bits(column, static_cast<std::size_t>(contest.tag())));
    pay(column, bits, test);
  }
  return test;
}

}  // namespace bough
