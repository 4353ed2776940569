// What wrong decisions cost, as criteria use it. Costs are [true][decided]; without any, every error costs 1.
#pragma once

#include <vector>

#include "bough/engine/options.hpp"

namespace bough {

// Half of the costs of either error between two classes: the same quadratic form as the costs themselves.
[[nodiscard]] std::vector<double> symmetric_costs(const Target& target);
// By class: the mean cost of the wrong decisions for it.
[[nodiscard]] std::vector<double> cost_by_class(const Target& target);
// The expected cost of the best decision for class amounts, times their sum.
[[nodiscard]] double least_cost(const double* amounts, const Target& target);

}  // namespace bough
