// How a column may part a node, each rule in a file of its own: the best test that it finds, judged by the criterion.
#pragma once

#include "bough/engine/open/column.hpp"

namespace bough {

[[nodiscard]] ColumnTest best_cut(OpenColumn& column);        // cut.cpp: one threshold
[[nodiscard]] ColumnTest best_intervals(OpenColumn& column);  // intervals.cpp: several thresholds
[[nodiscard]] ColumnTest best_two_sets(OpenColumn& column);   // two_sets.cpp
[[nodiscard]] ColumnTest best_one_level(OpenColumn& column);  // levels.cpp
[[nodiscard]] ColumnTest all_levels(OpenColumn& column);      // levels.cpp: a branch a level
[[nodiscard]] ColumnTest grouped_levels(OpenColumn& column);  // grouping.cpp: C4.5
[[nodiscard]] ColumnTest merged_cells(OpenColumn& column);    // merging.cpp: CHAID

}  // namespace bough
