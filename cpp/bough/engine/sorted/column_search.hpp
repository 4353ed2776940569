// The search of one column in one node: picks the skeleton that fits the column's layout and kind and the criterion's
// statistics, and returns the best admissible test.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/criterion/class_drop.hpp"
#include "bough/engine/options.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/engine/sorted/lanes.hpp"
#include "bough/search/candidate.hpp"
#include "bough/search/cut.hpp"
#include "bough/search/gain.hpp"
#include "bough/search/gain_boxes.hpp"
#include "bough/search/value_table.hpp"
#include "bough/stats/node_stats.hpp"
#include "bough/table/distinct.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// Buffers of one worker.
struct SearchScratch {
  NodeStats known;                           // of the rows whose value is known, where some are missing
  std::vector<double> work;                  // of the scorers
  std::vector<double> scale;                 // by class, where weights have another unit
  std::vector<std::int32_t> few;             // of GiniCounts and GiniLanes
  std::vector<std::int64_t> many;
  std::vector<double> cells;                 // statistics by code of table columns
  std::vector<std::uint32_t> tally;          // counts by code and class of table columns
  std::vector<double> code_rows;
  ValueTable table;
  TwoSides sides;
  std::vector<BoxCorner> corners;            // of GainBoxes
};

// The part of a node that a search needs: its range, its statistics, and what its cuts must respect.
struct NodeRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  const NodeStats* stats = nullptr;
  CutLimits limits;
};

template <class Entry>
class ColumnSearch {
 public:
  // `distinct` is needed where close values are not parted, else null.
  ColumnSearch(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch,
               std::size_t rows, const DistinctRows* distinct);

  // Takes the best of the tests of all columns, where the criterion needs to see them together.
  void choose(Ranking& best) const;

  // The limits of all nodes; those of a node add its bounds, those of a column its direction.
  [[nodiscard]] const CutLimits& limits() const { return limits_; }

  // Offers the best test of each column in [begin, end), kLanes of them at the most, to the ranking. Columns that come
  // together are faster than one by one (lanes.hpp), with the same result.
  void search(const Cohort<Entry>& cohort, std::size_t begin, std::size_t end, const NodeRange& node,
              SearchScratch& scratch, Ranking& ranking) const;

 private:
  using Column = typename Cohort<Entry>::Column;
  struct Query;  // one call of best()

  std::optional<Candidate> by_carried_sums(Query& query) const;
  Candidate best(const Cohort<Entry>& cohort, std::size_t index, const NodeRange& node, SearchScratch& scratch) const;
  Candidate best_within(const Cohort<Entry>& cohort, std::size_t index, const NodeRange& node, const CutLimits& limits,
                        SearchScratch& scratch) const;
  [[nodiscard]] bool fits_lanes(const Cohort<Entry>& cohort, std::size_t index, const NodeRange& node) const;
  std::array<Cut, kLanes> cut_lanes(const Cohort<Entry>& cohort, const LaneOrders<Entry>& order, const NodeRange& node,
                                    SearchScratch& scratch) const;
  std::array<Cut, kLanes> cut_weighed_lanes(const Cohort<Entry>& cohort, const LaneOrders<Entry>& order,
                                            const NodeRange& node, SearchScratch& scratch) const;
  Cut weighed_cut(const Cohort<Entry>& cohort, const Entry* order, const NodeRange& node, std::size_t position,
                  SearchScratch& scratch) const;
  const double* scales(Query& query) const;
  Candidate by_order(Query& query) const;
  Candidate by_levels_in_order(Query& query) const;
  Candidate by_table(Query& query) const;
  Candidate by_value_table(Query& query) const;
  Candidate by_branches(Query& query) const;
  Candidate by_gain_cut(Query& query) const;
  [[nodiscard]] Candidate judged(std::size_t column, const Judgement& judgement) const;
  [[nodiscard]] bool close(std::size_t column, std::uint32_t low_row, std::uint32_t high_row) const;
  template <bool Weighed>
  Candidate gini_two_table(Query& query) const;
  Candidate two_passes(Query& query) const;
  template <class OneSide>
  Candidate two_passes_of(Query& query, OneSide side) const;
  template <class OneSide>
  Candidate level_two_passes(Query& query, OneSide side) const;
  Cut cut_classes(Query& query) const;
  Cut cut_values(Query& query) const;
  Candidate search_table(Query& query) const;
  Subset subset(Query& query) const;
  Cut table_cut(Query& query) const;
  [[nodiscard]] double worth(double gain, std::size_t column) const {
    return options_.feature_cost.empty() ? gain : gain / options_.feature_cost[column];
  }
  Candidate of_cut(std::size_t column, const NodeRange& node, const NodeStats& known, const Cut& cut,
                   std::uint32_t low_row, std::uint32_t high_row) const;
  Candidate finish_cut(Query& query, const Cut& cut, std::uint32_t low_row, std::uint32_t high_row) const;
  Candidate finish_position(Query& query, const Cut& cut) const;
  Candidate finish_subset(Query& query, const Subset& subset) const;
  void fill_table(Query& query) const;
  void fill_table_from_runs(Query& query) const;
  void fill_table_from_codes(Query& query) const;
  CodeSet count_codes(Query& query, std::size_t slots, std::size_t width) const;
  void count_known(Query& query) const;
  void subtract_missing(Query& query) const;

  const RankedTable& table_;
  const Target& target_;
  const GrowOptions& options_;
  CutLimits limits_;
  bool scaled_;  // by classes
  bool gain_cuts_;  // cuts are judged with the rules of C4.5
  bool lanes_serve_ = false;  // criterion and options are those of lanes.hpp
  bool weighed_lanes_serve_ = false;  // ... and of weighed_lanes.hpp
  XLog2X xlogx_;
  GainRule gain_rule_;
  std::vector<std::uint8_t> no_average_;  // by column: levels are too many for its gain to count in the average
  std::vector<std::uint8_t> has_close_;   // by column: some values are closer than the least gap
  std::vector<double> symmetric_cost_;
};

}  // namespace bough
