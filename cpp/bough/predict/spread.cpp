// See spread.hpp.
#include "bough/predict/spread.hpp"

#include "bough/base/prefetch.hpp"
#include "bough/tree/shares.hpp"

namespace bough {
namespace {

// Shares that differ by no more than this, relatively, are equal: rounding must not choose between them.
constexpr double tie = 1e-12;

}  // namespace

void Spread::read_keys(std::int64_t row) {
  if (hot_ == nullptr) return;
  keys_.resize(hot_->slots.size());
  for (std::size_t s = 0; s < keys_.size(); ++s) keys_[s] = key_at(hot_->slots[s], row);
}

bool Spread::divide(std::int32_t node, double share) {
  const std::int32_t* begin = tree_.children.data() + tree_.child_begin[node];
  const std::int32_t* end = tree_.children.data() + tree_.child_begin[node + 1];
  const std::size_t before = parts_.size();
  if (hot_ != nullptr) {
    for (const std::int32_t* child = end; child-- != begin;) {
      if (!(hot_->share[*child] > 0.0)) continue;
      prefetch(hot_->nodes.data() + *child);
      prefetch(tree_.child_begin.data() + *child);
      parts_.push_back({*child, share * hot_->share[*child]});
    }
  } else if (const ChildShares shares(tree_, node); shares.any()) {
    for (const std::int32_t* child = end; child-- != begin;) {
      if (shares.of(*child) > 0.0) parts_.push_back({*child, share * shares.of(*child)});
    }
  }
  return parts_.size() > before;
}

std::int32_t Spread::largest(std::int64_t row, std::int32_t start, Watch& watch) {
  std::int32_t chosen = start;
  double most = -1.0;
  walk(row, start, watch, [&](std::int32_t node, double share, bool ends) {
    if (!ends || !(share > most * (1.0 + tie))) return;
    most = share;
    chosen = node;
  });
  return chosen;
}

}  // namespace bough
