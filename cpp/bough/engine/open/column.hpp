// The tests that a column offers in a node of the open growth, by the rule of branching: each function enters its
// tests into a contest and says which branch every cell takes under the best one.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/criterion/judge.hpp"
#include "bough/engine/open/cells.hpp"
#include "bough/engine/open/contest.hpp"
#include "bough/engine/options.hpp"
#include "bough/search/candidate.hpp"
#include "bough/split/split.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// What every test of a node must respect.
[[nodiscard]] TestLimits limits_of(const GrowOptions& options, const NodeStats& node);

// What becomes of the rows without a value while the tests of a column are judged.
enum class Unknown : std::uint8_t { left_out, own_branch, learned };

struct OpenColumn {
  const RankedTable& table;
  const Target& target;
  const GrowOptions& options;
  const NodeView& node;
  const Judge& judge;
  Watch& watch;
  std::size_t column;
  Cells cells;
  Unknown unknown;
  CellSums sums;

  OpenColumn(const RankedTable& table, const Target& target, const GrowOptions& options, const NodeView& node,
             const Judge& judge, Watch& watch, std::size_t column);
  // Cells of a feature that is no column, such as a sum of columns: numbers.
  OpenColumn(const RankedTable& table, const Target& target, const GrowOptions& options, const NodeView& node,
             const Judge& judge, Watch& watch, Cells cells);
  OpenColumn(const OpenColumn&) = delete;  // the sums look at the cells where they are
  OpenColumn& operator=(const OpenColumn&) = delete;

  static constexpr std::size_t kNoColumn = SIZE_MAX;

  [[nodiscard]] bool nominal() const {
    return column != kNoColumn && table.columns[column].view.kind == ColumnKind::nominal;
  }
  [[nodiscard]] bool sends_missing() const { return unknown != Unknown::left_out; }
  [[nodiscard]] TestLimits limits() const;
  // `cuts`: thresholds of C4.5 compete by gain, whatever columns compete by.
  [[nodiscard]] Contest contest(const TestLimits& limits, bool cuts);
  // What gains of tests that send these rows refer to.
  [[nodiscard]] Amounts amounts_of(const CellSum& parent) const;
  // How many branches may be made of the values; one of their own for missing values counts too.
  [[nodiscard]] std::size_t most_branches() const {
    if (options.branches.most < 0) return SIZE_MAX;
    return static_cast<std::size_t>(options.branches.most) - (unknown == Unknown::own_branch ? 1 : 0);
  }
};

// A test of a column: the branch of every cell.
struct ColumnTest {
  bool any = false;
  Judgement judged;
  std::vector<std::int32_t> branch;
  std::int32_t branches = 0;
  std::int32_t missing = -1;
  Found found = Found::exact;
  double log_p = 0.0;  // of merged levels: with the number of ways to merge, else not used
};

// A value, or none.
[[nodiscard]] ColumnTest is_missing(OpenColumn& column);
// A test that is given: the branch of every cell.
[[nodiscard]] ColumnTest judge_given(OpenColumn& column, std::vector<std::int32_t> branch, std::int32_t branches,
                                     std::int32_t missing);
// The same, with rows without a value where the missing rule wants them, unless `missing` says where.
[[nodiscard]] ColumnTest judge_sent(OpenColumn& column, const std::vector<std::int32_t>& branch, std::int32_t branches,
                                    std::int32_t missing);

// The numbers of the first n cells.
[[nodiscard]] std::vector<std::uint32_t> cells_up_to(std::size_t n);
// Enters every cut of the cells in an order; tags count the cells below.
void enter_cuts(OpenColumn& column, Contest& contest, const std::vector<std::uint32_t>& order);
// Takes the price of a choice, in bits, off the gain of a test; one that cannot pay is none.
void pay(const OpenColumn& column, double bits, ColumnTest& test);
// What has won among ways to part the cells into so many groups; which branch each cell takes is left to the caller.
[[nodiscard]] ColumnTest winner(const Contest& contest, std::int32_t groups);
// The cut that has won, as a test.
[[nodiscard]] ColumnTest cut_of(const Contest& contest, const std::vector<std::uint32_t>& order);

// Gives a candidate the intervals of a column of numbers or ordered levels in which cells take the same branch.
void set_edges(const Cells& cells, const std::vector<std::int32_t>& branch, Candidate& candidate);

// Regression: what each cell would answer, the mean or the median.
[[nodiscard]] std::vector<double> cell_answers(const OpenColumn& column);
// The cells in the order in which neighbours are alike: by answer, for three classes and more by their first component.
[[nodiscard]] std::vector<std::uint32_t> order_by_answer(const OpenColumn& column);

// Enters a test that assigns every cell to a branch, in the ways that rows without a value may go.
void enter(OpenColumn& column, Contest& contest, const std::vector<std::vector<std::uint32_t>>& groups,
           std::uint64_t tag);
// How many branches `enter` makes of so many groups, and which of them minima do not concern.
[[nodiscard]] std::size_t branches_with_missing(const OpenColumn& column, std::size_t groups);
[[nodiscard]] std::int32_t exempt_branch(const OpenColumn& column, std::size_t groups);

}  // namespace bough
