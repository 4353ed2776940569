// The test that C4.5 takes for some rows, held as a list with a weight each: what learners need that grow small trees
// again and again on the rows that are left. Nothing is kept sorted; the cost of a node is that of its own rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/criterion/class_drop.hpp"
#include "bough/engine/options.hpp"
#include "bough/search/gain.hpp"
#include "bough/search/gain_boxes.hpp"
#include "bough/search/value_table.hpp"
#include "bough/table/distinct.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// Rows in rising order, the part of its weight that each has here, and its class.
struct HeldRows {
  std::vector<std::uint32_t> row;
  std::vector<double> weight;
  std::vector<std::uint32_t> label;

  [[nodiscard]] std::size_t size() const { return row.size(); }
  void clear() {
    row.clear();
    weight.clear();
    label.clear();
  }
  void add(std::uint32_t number, double part, std::uint32_t class_of_row) {
    row.push_back(number);
    weight.push_back(part);
    label.push_back(class_of_row);
  }
};

// A test of one column, told by ranks: at most a rank, one level against the others, or a branch for each level.
struct NodeTest {
  enum class Kind : std::uint8_t { threshold, one_level, levels };
  Kind kind = Kind::threshold;
  std::int32_t column = -1;
  std::uint32_t rank = 0;  // the last that goes low, or the level
  std::size_t branches = 2;
  Threshold threshold;

  // The branch of a known value.
  [[nodiscard]] std::size_t branch_of(std::uint32_t of) const {
    if (kind == Kind::levels) return of;
    return (kind == Kind::threshold ? of <= rank : of == rank) ? 0 : 1;
  }
};

class NodeTests {
 public:
  // All of them must outlive it. The rules are those of `options`: criterion gain ratio, one branch a level or one
  // level against the others, the choice above the average.
  NodeTests(const RankedTable& table, std::uint32_t classes, const GrowOptions& options, Watch& watch);

  // The test of these rows, whose classes weigh `counts`; none if no test is worth taking.
  [[nodiscard]] std::optional<NodeTest> best(const HeldRows& rows, const std::vector<double>& counts);

  [[nodiscard]] const GainRule& rule() const { return rule_; }

 private:
  // What one column offers, and the buffers of whoever asks it.
  struct Offer {
    bool any = false;
    Judgement judgement;
    std::uint32_t low_rank = 0;   // or the level
    std::uint32_t high_rank = 0;  // the lowest rank above the cut
  };
  struct Scratch {
    ValueTable table;
    std::vector<double> cells;  // all 0 between two columns
    std::vector<std::uint64_t> keys;
    std::vector<double> whole;
    std::vector<BoxCorner> corners;
    double rows = 0.0;  // that have a value
  };

  void count_values(std::size_t column, const HeldRows& rows, Scratch& scratch) const;
  void count_by_rank(std::size_t column, const HeldRows& rows, Scratch& scratch) const;
  void count_by_sorting(std::size_t column, const HeldRows& rows, Scratch& scratch) const;
  [[nodiscard]] Offer ask(std::size_t column, const HeldRows& rows, double weight, Scratch& scratch) const;
  [[nodiscard]] Offer ask_levels(double known, double weight, const ValueTable& table) const;
  [[nodiscard]] GainCut best_cut(std::size_t column, const GainCutNode& node, Scratch& scratch) const;
  [[nodiscard]] Offer ask_cuts(std::size_t column, double known, double weight, Scratch& scratch) const;
  [[nodiscard]] bool may_cut(std::size_t column, std::uint32_t low_rank, std::uint32_t high_rank) const;
  [[nodiscard]] NodeTest make_test(std::size_t column, const Offer& offer, const HeldRows& rows) const;

  const RankedTable& table_;
  std::size_t classes_;
  const GrowOptions& options_;
  Watch& watch_;
  XLog2X xlogx_;
  GainRule rule_;
  DistinctRows distinct_;
  std::vector<std::uint8_t> no_average_;  // by column
  std::vector<std::uint8_t> has_close_;   // by column
  std::vector<Offer> offers_;             // by column
  std::vector<Scratch> scratch_;          // by worker
};

}  // namespace bough
