#include "bough/stats/contingency.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace bough {
namespace {

struct Margins {
  std::vector<double> group;
  std::vector<double> label;
  double all = 0.0;
};

Margins margins_of(std::span<const double> count, std::size_t classes) {
  Margins margins;
  margins.group.assign(count.size() / classes, 0.0);
  margins.label.assign(classes, 0.0);
  for (std::size_t i = 0; i < count.size(); ++i) {
    margins.group[i / classes] += count[i];
    margins.label[i % classes] += count[i];
  }
  margins.all = std::accumulate(margins.label.begin(), margins.label.end(), 0.0);
  return margins;
}

// What the cells of a group add to the statistic.
double of_group(std::span<const double> count, const Margins& margins, std::size_t group) {
  const std::size_t classes = margins.label.size();
  double sum = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    const double expected = margins.group[group] * margins.label[k] / margins.all;
    if (!(expected > 0.0)) continue;
    const double apart = count[group * classes + k] - expected;
    sum += apart * apart / expected;
  }
  return sum;
}

double present(const std::vector<double>& sums) {
  return static_cast<double>(std::count_if(sums.begin(), sums.end(), [](double sum) { return sum > 0.0; }));
}

}  // namespace

ChiSquared chi_squared(std::span<const double> count, std::size_t classes) {
  const Margins margins = margins_of(count, classes);
  ChiSquared found{0.0, (present(margins.group) - 1.0) * (present(margins.label) - 1.0), margins.all};
  for (std::size_t group = 0; group < margins.group.size(); ++group) found.value += of_group(count, margins, group);
  return found;
}

ChiSquared chi_squared_of_first(std::span<const double> count, std::size_t classes) {
  const Margins margins = margins_of(count, classes);
  return {of_group(count, margins, 0), present(margins.label) - 1.0, margins.all};
}

}  // namespace bough
