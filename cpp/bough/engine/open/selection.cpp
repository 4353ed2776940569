#include "bough/engine/open/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bough/base/distributions.hpp"
#include "bough/base/random.hpp"
#include "bough/stats/contingency.hpp"
#include "bough/stats/significance.hpp"
#include "bough/table/distinct.hpp"

namespace bough {
namespace {

// Rows with a value: what of the column and what of the target a test of independence sees.
struct Sample {
  std::vector<double> weight;
  std::vector<std::uint32_t> cell;   // nominal columns
  std::vector<double> score;         // others
  std::vector<std::uint32_t> label;  // classes
  std::vector<double> value;         // numbers
  std::size_t cells = 0;
  std::size_t classes = 0;
};

struct Statistic {
  double value = 0.0;
  double df = 0.0;
};

// The weight less one, times the share of the variance of `value` that lies between groups.
Statistic between_groups(const std::vector<double>& weight, const std::vector<std::uint32_t>& group, std::size_t groups,
                         const std::vector<double>& value) {
  double all = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    all += weight[i];
    sum += weight[i] * value[i];
  }
  const double mean = sum / all;
  std::vector<double> mass(groups, 0.0);
  std::vector<double> moment(groups, 0.0);
  double total = 0.0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const double d = value[i] - mean;
    mass[group[i]] += weight[i];
    moment[group[i]] += weight[i] * d;
    total += weight[i] * d * d;
  }
  Statistic statistic;
  double between = 0.0;
  for (std::size_t g = 0; g < groups; ++g) {
    if (!(mass[g] > 0.0)) continue;
    statistic.df += 1.0;
    between += moment[g] * moment[g] / mass[g];
  }
  statistic.df -= 1.0;
  if (total > 0.0) statistic.value = std::max(0.0, all - 1.0) * between / total;
  return statistic;
}

Statistic statistic_of(const Sample& sample) {
  if (sample.classes > 0 && sample.score.empty()) {
    std::vector<double> joint(sample.cells * sample.classes, 0.0);
    for (std::size_t i = 0; i < sample.weight.size(); ++i)
      joint[sample.cell[i] * sample.classes + sample.label[i]] += sample.weight[i];
    const ChiSquared found = chi_squared(joint, sample.classes);
    return {found.value * std::max(0.0, found.all - 1.0) / found.all, found.df};
  }
  if (sample.classes > 0) return between_groups(sample.weight, sample.label, sample.classes, sample.score);
  if (sample.score.empty()) return between_groups(sample.weight, sample.cell, sample.cells, sample.value);
  const double all = std::accumulate(sample.weight.begin(), sample.weight.end(), 0.0);
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (std::size_t i = 0; i < sample.weight.size(); ++i) {
    mean_x += sample.weight[i] * sample.score[i] / all;
    mean_y += sample.weight[i] * sample.value[i] / all;
  }
  double xx = 0.0;
  double yy = 0.0;
  double xy = 0.0;
  for (std::size_t i = 0; i < sample.weight.size(); ++i) {
    const double dx = sample.score[i] - mean_x;
    const double dy = sample.value[i] - mean_y;
    xx += sample.weight[i] * dx * dx;
    yy += sample.weight[i] * dy * dy;
    xy += sample.weight[i] * dx * dy;
  }
  return {xx > 0.0 && yy > 0.0 ? std::max(0.0, all - 1.0) * (xy / xx) * (xy / yy) : 0.0, 1.0};
}

Sample sample_of(const OpenColumn& column) {
  Sample sample;
  const Cells& cells = column.cells;
  const Holding& held = *column.node.held;
  sample.cells = cells.size();
  sample.classes = column.target.classes;
  const ColumnView& view = column.table.columns[column.column].view;
  const bool nominal = column.nominal();
  // Infinite values have no distance: then places stand for the values.
  bool finite = true;
  for (const std::uint32_t row : cells.row) finite = finite && (nominal || std::isfinite(value_as_double(view, row)));
  for (std::size_t v = 0; v < cells.size(); ++v) {
    for (std::uint32_t i = cells.begin[v]; i < cells.begin[v + 1]; ++i) {
      const std::uint32_t at = cells.order[i];
      sample.weight.push_back(held.weight[at]);
      if (nominal) {
        sample.cell.push_back(static_cast<std::uint32_t>(v));
      } else {
        sample.score.push_back(finite ? value_as_double(view, held.row[at]) : static_cast<double>(v));
      }
      if (sample.classes > 0) {
        sample.label.push_back(column.target.label[held.row[at]]);
      } else {
        sample.value.push_back(column.node.value[at]);
      }
    }
  }
  return sample;
}

}  // namespace

double log_p_of_groups(const std::vector<const CellSum*>& groups, StatKind kind) {
  const std::size_t width = groups.front()->stat.size();
  std::vector<double> stat;
  stat.reserve(groups.size() * width);
  for (const CellSum* group : groups) stat.insert(stat.end(), group->stat.begin(), group->stat.end());
  return log_p_of_difference({stat, width, kind == StatKind::classes});
}

double log_p_of_column(const OpenColumn& column) {
  Sample sample = sample_of(column);
  if (sample.weight.size() < 2 || column.cells.size() < 2) return 0.0;
  const Statistic seen = statistic_of(sample);
  const SelectionOptions& options = column.options.selection;
  if (options.test == SelectionTest::chi_squared) return log_chi_squared_tail(seen.value, seen.df);
  Random random(options.seed ^ (column.node.key * 0x9e3779b97f4a7c15U) ^ (column.column + 1));
  std::int64_t as_large = 0;
  for (std::int64_t i = 0; i < options.resamples; ++i) {
    column.watch.poll(sample.weight.size());
    if (sample.classes > 0) {
      random.shuffle(sample.label);
    } else {
      random.shuffle(sample.value);
    }
    as_large += static_cast<std::int64_t>(statistic_of(sample).value >= seen.value * (1.0 - 1e-12));
  }
  return std::log(static_cast<double>(as_large + 1) / static_cast<double>(options.resamples + 1));
}

}  // namespace bough
