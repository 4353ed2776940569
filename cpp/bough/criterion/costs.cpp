#include "bough/criterion/costs.hpp"

#include <algorithm>

namespace bough {
namespace {

double cost_of(const Target& target, std::size_t truth, std::size_t decided) {
  if (target.cost.empty()) return truth == decided ? 0.0 : 1.0;
  return target.cost[truth * target.classes + decided];
}

}  // namespace

std::vector<double> symmetric_costs(const Target& target) {
  const std::size_t classes = target.classes;
  std::vector<double> symmetric(classes * classes);
  for (std::size_t i = 0; i < classes; ++i) {
    for (std::size_t j = 0; j < classes; ++j)
      symmetric[i * classes + j] = 0.5 * (cost_of(target, i, j) + cost_of(target, j, i));
  }
  return symmetric;
}

std::vector<double> cost_by_class(const Target& target) {
  std::vector<double> mean(target.classes, 0.0);
  if (target.classes < 2) return mean;
  for (std::size_t k = 0; k < target.classes; ++k) {
    for (std::size_t j = 0; j < target.classes; ++j) {
      if (j != k) mean[k] += cost_of(target, k, j);
    }
    mean[k] /= static_cast<double>(target.classes - 1);
  }
  return mean;
}

double least_cost(const double* amounts, const Target& target) {
  double least = 0.0;
  for (std::size_t decided = 0; decided < target.classes; ++decided) {
    double expected = 0.0;
    for (std::size_t k = 0; k < target.classes; ++k) expected += amounts[k] * cost_of(target, k, decided);
    least = decided == 0 ? expected : std::min(least, expected);
  }
  return least;
}

}  // namespace bough
