// Two exact searches along a line: where to cut the values that rows are projected to, and how far to move them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "bough/engine/open/column.hpp"
#include "bough/search/oblique.hpp"

namespace bough {

// The best cut by the criterion of the node; `s` is by position; NaN: no value.
[[nodiscard]] SumCut scan(std::span<const double> s, const ObliqueNode& node);
// The cut that a rule finds, given the values gathered into cells.
[[nodiscard]] SumCut cut_by(std::span<const double> s, const ObliqueNode& node,
                            const std::function<ColumnTest(OpenColumn&)>& rule);

// A step along a direction and what the partition there gains.
struct LineMove {
  double step = 0.0;
  double gain = 0.0;
};

// Rows with values v, low where v <= 0, move to v + a r: the a of the largest gain, exactly. Every row crosses once, at
// -v / r; with r > 0 it leaves the low side there, with r < 0 it enters it. Between two crossings the partition is
// settled, and is judged from running sums.
class Line {
 public:
  // For the rows at these positions of the node.
  Line(const ObliqueNode& node, std::span<const std::uint32_t> rows);
  ~Line();
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  // None if no admissible partition gains more than `beat`; v and r are in the order of the rows.
  [[nodiscard]] std::optional<LineMove> best(std::span<const double> v, std::span<const double> r, double beat) const;
  // The best cut of v, as the step of a constant: rows are low up to it.
  [[nodiscard]] std::optional<LineMove> cut(std::span<const double> v, double beat) const;

  struct Rows;  // what rows are judged by

 private:
  std::unique_ptr<Rows> rows_;
};

}  // namespace bough
