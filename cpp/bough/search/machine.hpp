// Tests with a branch for each class: several sums of the same terms compete, and a row takes the branch of the
// largest. Two ways to find the sums, a file each: linear discriminant functions (fact.cpp) and thermal training
// (thermal.cpp). Stored are the sums that win for enough rows, in the units of the columns (machine.cpp).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "bough/engine/open/column.hpp"
#include "bough/search/moments.hpp"
#include "bough/search/oblique.hpp"

namespace bough {

// For each class of the node, in the order of the groups of its moments, a weight for each term in `use`, which are
// standardised as they are in the node, and a constant.
struct Machine {
  std::vector<std::size_t> use;
  std::vector<std::vector<double>> row;
};

// Linear discriminant functions on the principal components of the terms; none where they cannot be told apart.
[[nodiscard]] std::optional<Machine> discriminant_functions(const ObliqueNode& node, const GroupMoments& moments,
                                                            const std::vector<std::size_t>& use);
// The same of the one column that tells the classes apart best: intervals of a number, sets of levels; column -1 if
// there are none.
[[nodiscard]] Candidate discriminant_intervals(const ObliqueNode& node, const GroupMoments& moments);

// A linear machine; none for too few rows.
[[nodiscard]] std::optional<Machine> thermal_machine(const ObliqueNode& node, const GroupMoments& moments);

// By how much the weights of a term lie apart, among the sums of some classes.
[[nodiscard]] double spread(const Machine& machine, const std::vector<std::size_t>& kept, std::size_t j);
[[nodiscard]] std::vector<std::size_t> numbers_up_to(std::size_t n);
// Groups of cells as the branches of a test: what it gains, where rows without a value go, if it may be made.
[[nodiscard]] ColumnTest judge_groups(OpenColumn& column, const std::vector<std::vector<std::uint32_t>>& groups);
// The lightest of some branches that is too small, first of equal ones; none if all are large enough.
[[nodiscard]] std::optional<std::size_t> lightest_too_small(const GrowOptions& options, std::span<const double> weight,
                                                            std::span<const double> rows);

}  // namespace bough
