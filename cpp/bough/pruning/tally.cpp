// See tally.hpp.
#include "bough/pruning/tally.hpp"

#include <algorithm>

namespace bough {

Tally::Tally(const Target& target, const std::vector<double>& class_scale, Tolerance tolerance)
    : label_(target.label), scale_(class_scale), tolerance_(tolerance), counts_(class_scale.size(), 0.0) {}

void Tally::clear() {
  for (const std::uint32_t c : present_) counts_[c] = 0.0;
  present_.clear();
}

void Tally::take(const Tree& tree, std::int32_t node) {
  clear();
  for (std::int64_t k = tree.count_begin[node]; k < tree.count_begin[node + 1]; ++k) {
    add(static_cast<std::uint32_t>(tree.count_class[k]), tree.count_weight[k]);
  }
  finish();
}

void Tally::take(const RowsDown& rows, const Crowd& crowd) {
  clear();
  rows.each(crowd, [&](std::uint32_t row, double weight) { add(label_[row], weight); });
  finish();
}

void Tally::finish() {
  std::sort(present_.begin(), present_.end());
  mass_ = 0.0;
  largest_ = 0;
  double most = 0.0;
  for (const std::uint32_t c : present_) {
    const double scaled = counts_[c] * scale_[c];
    mass_ += scaled;
    if (!tolerance_.above(scaled, most)) continue;
    most = scaled;
    largest_ = c;
  }
  wrong_ = std::max(0.0, mass_ - counts_[largest_] * scale_[largest_]);
}

NodeStats Tally::stats(const Target& target, Criterion criterion) const {
  NodeStats stats;
  stats.counts = counts_;
  for (const std::uint32_t c : present_) stats.weight += counts_[c];
  settle_classes(stats, target, criterion);
  stats.label = static_cast<std::int32_t>(largest_);
  stats.risk = wrong_;
  return stats;
}

}  // namespace bough
