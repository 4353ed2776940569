// See constant.hpp.
#include "bough/leaf/constant.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "bough/base/error.hpp"

namespace bough {
namespace {

constexpr std::size_t few_classes = 32;

}  // namespace

void Smoothing::check(std::size_t classes) const {
  if (!std::isfinite(m) || m < 0.0) throw InvalidInput("m", "expected a finite number of at least 0");
  if (prior.empty()) return;
  if (prior.size() != classes) {
    throw InvalidInput("prior", "expected one for each of " + std::to_string(classes) + " classes, found " +
                                    std::to_string(prior.size()));
  }
  double sum = 0.0;
  for (std::size_t c = 0; c < classes; ++c) {
    if (!(prior[c] >= 0.0)) throw InvalidInput("prior[" + std::to_string(c) + "]", "expected at least 0");
    sum += prior[c];
  }
  if (!(std::abs(sum - 1.0) <= 1e-9)) throw InvalidInput("prior", "the shares of the classes sum to 1");
}

ClassShares::ClassShares(const Tree& tree, const Smoothing& smoothing, std::int64_t n_rows)
    : tree_(tree), smoothing_(smoothing) {
  const std::size_t classes = tree.class_scale.size();
  smoothing.check(classes);
  if (classes > few_classes || tree.size() > n_rows) return;
  std::vector<double> ready(tree.parent.size() * classes, 0.0);
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    add(static_cast<std::int32_t>(i), 1.0, std::span(ready).subspan(i * classes, classes));
  }
  ready_ = std::move(ready);
}

void ClassShares::add(std::int32_t node, double share, std::span<double> row) const {
  if (!ready_.empty()) {
    const double* ready = ready_.data() + static_cast<std::size_t>(node) * row.size();
    for (std::size_t c = 0; c < row.size(); ++c) row[c] += share * ready[c];
    return;
  }
  const std::int64_t begin = tree_.count_begin[node];
  const std::int64_t end = tree_.count_begin[node + 1];
  double mass = smoothing_.m;
  for (std::int64_t k = begin; k < end; ++k) mass += scaled(k);
  if (smoothing_.m > 0.0) {
    const double even = 1.0 / static_cast<double>(row.size());
    std::int64_t k = begin;
    for (std::size_t c = 0; c < row.size(); ++c) {
      double part = smoothing_.m * (smoothing_.prior.empty() ? even : smoothing_.prior[c]);
      if (k < end && static_cast<std::size_t>(tree_.count_class[k]) == c) part += scaled(k++);
      row[c] += share * (part / mass);
    }
    return;
  }
  for (std::int64_t k = begin; k < end; ++k) row[tree_.count_class[k]] += share * (scaled(k) / mass);
}

void class_probabilities(const Tree& tree, std::span<const std::int32_t> nodes, const Smoothing& smoothing,
                         std::span<double> out) {
  const std::size_t classes = tree.class_scale.size();
  const ClassShares answers(tree, smoothing, static_cast<std::int64_t>(nodes.size()));
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const std::int32_t node = nodes[r];
    if (node < 0 || node >= tree.size()) {
      throw InvalidInput("nodes[" + std::to_string(r) + "]",
                         "expected a node below " + std::to_string(tree.size()) + ", found " + std::to_string(node));
    }
    if (classes > 0) answers.add(node, 1.0, out.subspan(r * classes, classes));
  }
}

}  // namespace bough
