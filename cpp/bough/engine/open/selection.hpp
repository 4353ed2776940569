// Does a column tell anything of the target? Tests of independence, by which columns are chosen before their splits are
// searched, so that columns with many values have no advantage (Hothorn, Hornik and Zeileis 2006; Kass 1980).
#pragma once

#include <vector>

#include "bough/criterion/judge.hpp"
#include "bough/engine/open/cells.hpp"
#include "bough/engine/open/column.hpp"

namespace bough {

// log p of no difference between groups: Pearson's chi-squared for classes, Fisher's F for numbers.
[[nodiscard]] double log_p_of_groups(const std::vector<const CellSum*>& groups, StatKind kind);

// log p of independence of column and target in the node, over the rows with a value. The statistic is quadratic: the
// weight less one, times the share of the variance explained.
[[nodiscard]] double log_p_of_column(const OpenColumn& column);

}  // namespace bough
