// A column in a node of the open growth: its rows gathered by value into cells, and the statistics of any set of cells.
// Tests assign cells to branches; criteria see what comes out of it here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bough/criterion/judge.hpp"
#include "bough/engine/options.hpp"
#include "bough/search/two_pass.hpp"
#include "bough/search/value_table.hpp"
#include "bough/stats/node_stats.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// Rows with their weights: those of a node, by position.
struct Holding {
  std::vector<std::uint32_t> row;
  std::vector<double> weight;

  [[nodiscard]] std::size_t size() const { return row.size(); }
  void add(std::uint32_t new_row, double new_weight) {
    row.push_back(new_row);
    weight.push_back(new_weight);
  }
};

// What a search may know of a node.
struct NodeView {
  const Holding* held = nullptr;
  const NodeStats* stats = nullptr;
  std::vector<double> value;  // regression: centred (moments: at the node's mean), by position
  std::vector<std::uint32_t> label;  // classes: by position
  bool whole = false;  // classes: rows weigh whole numbers and no class counts more, so that sums of them are exact
  std::vector<std::uint32_t> place;  // absolute error: by position, the place among the values
  std::uint64_t key = 0;  // of the node's path, for what is drawn at random
};

[[nodiscard]] NodeView view_node(const Holding& held, const NodeStats& stats, const Target& target, StatKind kind,
                                 double centre);

// Positions by rank, those of equal rank in their order, those without a value last.
[[nodiscard]] std::vector<std::uint32_t> positions_by_rank(const RankedColumn& column, const Holding& held);

struct Cells {
  ValueTable table;  // the cells, by rising rank; statistics unless they have to be found row by row
  std::vector<std::uint32_t> order;  // positions, cell by cell, at the end those without a value
  std::vector<std::uint32_t> begin;  // by cell, the end of the last one behind
  std::vector<std::uint32_t> row;  // by cell: a row that holds its value, the lowest one
  std::vector<std::uint32_t> last;  // by cell: a row that holds the highest one, if cells were joined
  // The rows without a value.
  double missing_rows = 0.0;
  double missing_weight = 0.0;
  std::vector<double> missing_stat;

  [[nodiscard]] std::size_t size() const { return table.size(); }
  [[nodiscard]] bool has_missing() const { return missing_rows > 0.0; }
};

[[nodiscard]] Cells make_cells(const RankedColumn& column, const NodeView& node, const Target& target, StatKind kind);
// Of a feature that is no column: its value by position, NaN where it has none.
[[nodiscard]] Cells make_cells(std::span<const double> value, const NodeView& node, const Target& target,
                               StatKind kind);

// Neighbouring cells joined into at most so many, of like weight.
[[nodiscard]] Cells coarsened(Cells cells, std::size_t most, StatKind kind);

// Statistics, weight and rows of a set of cells.
struct CellSum {
  std::vector<double> stat;
  double weight = 0.0;
  double rows = 0.0;
};
// Of growing sets: entry i belongs to the first i + 1 cells of an order.
struct CellRuns {
  std::size_t width = 0;
  std::vector<double> stat;
  std::vector<double> weight;
  std::vector<double> rows;
  [[nodiscard]] const double* at(std::size_t i) const { return stat.data() + i * width; }
};

class CellSums {
 public:
  CellSums(const Cells& cells, const NodeView& node, StatKind kind);

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] CellSum of(std::span<const std::uint32_t> cells, bool with_missing);
  [[nodiscard]] CellSum all(bool with_missing);
  [[nodiscard]] CellSum missing();
  [[nodiscard]] CellRuns runs(std::span<const std::uint32_t> order, bool with_missing);
  // Whether statistics of sets are sums of those of their cells, so that a set costs little.
  [[nodiscard]] bool are_sums() const { return kind_ != StatKind::absolute; }

 private:
  void begin(bool with_missing);
  void add(std::uint32_t cell);
  void read(double* stat) const;

  const Cells& cells_;
  StatKind kind_;
  std::size_t width_;
  std::optional<AbsoluteSide> absolute_;
  std::vector<double> stat_;  // of the set at hand
  double weight_ = 0.0;
  double rows_ = 0.0;
};

}  // namespace bough
