#include "bough/engine/open/contest.hpp"

#include <algorithm>
#include <cmath>

namespace bough {
namespace {

// A criterion in Python is asked for as much as possible at once; the others work best on what stays in the cache.
constexpr std::size_t kMostForPython = std::size_t{1} << 16;
constexpr std::size_t kMostTests = std::size_t{1} << 9;
constexpr std::size_t kMostNumbers = std::size_t{1} << 20;

}  // namespace

void Contest::start(std::size_t branches, std::int32_t exempt) {
  settle();
  exempt_ = exempt;
  batch_.start(branches, parent_.stat.size());
}

std::size_t Contest::add(std::uint64_t tag, std::int32_t missing) {
  const std::size_t most = judge_.parallel() ? kMostTests : kMostForPython;
  if (batch_.size() >= most || (batch_.size() > 0 && batch_.stat.size() >= kMostNumbers)) settle();
  return batch_.add(tag, missing);
}

void Contest::fill(std::size_t test, std::size_t branch, const double* stat, double weight, double rows) {
  const std::size_t at = test * batch_.branches + branch;
  std::copy(stat, stat + batch_.width, batch_.stat.begin() + static_cast<std::ptrdiff_t>(at * batch_.width));
  batch_.weight[at] = weight;
  batch_.rows[at] = rows;
}

void Contest::add(std::uint64_t tag, std::int32_t missing, std::initializer_list<const CellSum*> sums) {
  const std::size_t test = add(tag, missing);
  std::size_t branch = 0;
  for (const CellSum* sum : sums) fill(test, branch++, sum->stat.data(), sum->weight, sum->rows);
}

void Contest::add(std::uint64_t tag, std::int32_t missing, const std::vector<CellSum>& sums) {
  const std::size_t test = add(tag, missing);
  for (std::size_t b = 0; b < sums.size(); ++b) fill(test, b, sums[b].stat.data(), sums[b].weight, sums[b].rows);
}

bool Contest::allowed(std::size_t test) const {
  std::size_t large = 0;
  std::size_t asked = 0;
  for (std::size_t b = 0; b < batch_.branches; ++b) {
    const std::size_t at = test * batch_.branches + b;
    if (!(batch_.weight[at] > 0.0)) return false;
    if (static_cast<std::int32_t>(b) == exempt_) continue;
    ++asked;
    const double weight = batch_.weight[at];
    large += static_cast<std::size_t>(weight >= limits_.min_weight * (1.0 - limits_.tie) &&
                                      batch_.rows[at] >= limits_.min_rows);
  }
  return limits_.two_branches ? large >= std::min<std::size_t>(2, asked) : large == asked;
}

// Tests that break a minimum or leave a branch empty are none: criteria never see them.
void Contest::drop_inadmissible() {
  const auto keep = [&](std::size_t from, std::size_t to) {
    const auto move = [&](std::vector<double>& values, std::size_t each) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(from * each);
      std::copy(first, first + static_cast<std::ptrdiff_t>(each),
                values.begin() + static_cast<std::ptrdiff_t>(to * each));
    };
    move(batch_.stat, batch_.branches * batch_.width);
    move(batch_.weight, batch_.branches);
    move(batch_.rows, batch_.branches);
    batch_.tag[to] = batch_.tag[from];
    batch_.missing[to] = batch_.missing[from];
  };
  std::size_t kept = 0;
  for (std::size_t test = 0; test < batch_.size(); ++test) {
    if (!allowed(test)) continue;
    if (kept < test) keep(test, kept);
    ++kept;
  }
  batch_.stat.resize(kept * batch_.branches * batch_.width);
  batch_.weight.resize(kept * batch_.branches);
  batch_.rows.resize(kept * batch_.branches);
  batch_.tag.resize(kept);
  batch_.missing.resize(kept);
}

void Contest::settle() {
  drop_inadmissible();
  if (batch_.size() == 0) return;
  watch_.poll(batch_.stat.size());
  judge_.score(parent_.stat.data(), batch_, amounts_, judged_);
  admissible_ += batch_.size();
  for (std::size_t test = 0; test < batch_.size(); ++test) {
    if (limits_.no_rounding && std::abs(judged_[test].gain) <= limits_.floor) judged_[test] = {};
    const double worth = this->worth(judged_[test]);
    if (!limits_.zero_gain && !(judged_[test].gain > limits_.floor)) continue;
    const double bar = any_ ? this->worth(best_) : 0.0;
    if (any_ && !(worth > bar + limits_.tie * std::abs(bar) + 0.1 * limits_.floor)) continue;
    any_ = true;
    best_ = judged_[test];
    tag_ = batch_.tag[test];
    missing_ = batch_.missing[test];
  }
  batch_.start(batch_.branches, batch_.width);
}

}  // namespace bough
