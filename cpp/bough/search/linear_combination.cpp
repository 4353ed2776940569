// CART's linear combinations (Breiman, Friedman, Olshen and Stone 1984, section 5.2): from the best test of one term,
// weights are tuned one after the other, each with three offsets, and terms that hardly matter are deleted.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bough/search/oblique.hpp"
#include "bough/search/project.hpp"

namespace bough {
namespace {

constexpr int kCycles = 20;
constexpr double kLeast = 1e-5;  // gain of a cycle that is worth another
constexpr double kOffsets[3] = {-0.25, 0.0, 0.25};

using Column = std::vector<double>;

// A plane: rows are low where sum w x - c <= 0.
struct TunedPlane {
  std::vector<double> w;
  double c = 0.0;
  double gain = -1.0;
};

class LinearCombination final : public ObliqueSearch {
 public:
  explicit LinearCombination(const ObliqueNode& node)
      : node_(node), rows_(node.terms.positions(true)), line_(node, rows_) {
    for (std::size_t t = 0; t < node.terms.count(); ++t) x_.push_back(centred(t));
  }

  std::optional<std::vector<double>> weights(std::span<const std::size_t> use) override;
  [[nodiscard]] Found found() const override { return Found::coordinate; }

 private:
  // By median and distance of the quartiles; scale_ keeps what a unit is in standard deviations.
  [[nodiscard]] Column centred(std::size_t t);
  [[nodiscard]] TunedPlane start(std::span<const std::size_t> use) const;
  void tune(TunedPlane& plane, std::span<const std::size_t> use) const;
  bool turn(TunedPlane& plane, Column& v, std::span<const std::size_t> use, std::size_t m) const;
  void scan_again(TunedPlane& plane, std::span<const std::size_t> use) const;
  [[nodiscard]] Column values(const TunedPlane& plane, std::span<const std::size_t> use) const;

  const ObliqueNode& node_;
  const std::vector<std::uint32_t> rows_;
  const Line line_;
  std::vector<Column> x_;
  std::vector<double> scale_;
};

Column LinearCombination::centred(std::size_t t) {
  Column x;
  std::vector<std::pair<double, double>> sorted;  // with the weights of the rows
  double all = 0.0;
  for (const std::uint32_t i : rows_) {
    x.push_back(node_.terms.column(t)[i]);
    sorted.emplace_back(x.back(), node_.terms.weights()[i]);
    all += sorted.back().second;
  }
  std::ranges::sort(sorted);
  // The least value up to which this share of the weight lies.
  const auto at = [&](double share) {
    double below = 0.0;
    for (const auto& [value, weight] : sorted) {
      below += weight;
      if (below >= share * all) return value;
    }
    return sorted.back().first;
  };
  double middle = 0.0;
  double range = 1.0;
  if (!sorted.empty() && at(0.75) > at(0.25)) {
    middle = at(0.5);
    range = at(0.75) - at(0.25);
  }
  for (double& one : x) one = (one - middle) / range;
  scale_.push_back(range);
  return x;
}

TunedPlane LinearCombination::start(std::span<const std::size_t> use) const {
  TunedPlane best;
  best.w.assign(use.size(), 0.0);
  for (std::size_t j = 0; j < use.size(); ++j) {
    const std::optional<LineMove> cut = line_.cut(x_[use[j]], best.gain);
    if (!cut) continue;
    std::ranges::fill(best.w, 0.0);
    best.w[j] = 1.0;
    best.c = cut->step;
    best.gain = cut->gain;
  }
  return best;
}

// The sums without the constant.
Column LinearCombination::values(const TunedPlane& plane, std::span<const std::size_t> use) const {
  Column v(rows_.size(), 0.0);
  for (std::size_t j = 0; j < use.size(); ++j) {
    for (std::size_t i = 0; plane.w[j] != 0.0 && i < v.size(); ++i) v[i] += plane.w[j] * x_[use[j]][i];
  }
  return v;
}

// The best constant for the weights; gain -1 if there is none.
void LinearCombination::scan_again(TunedPlane& plane, std::span<const std::size_t> use) const {
  const std::optional<LineMove> cut = line_.cut(values(plane, use), -1.0);
  plane.gain = cut ? cut->gain : -1.0;
  if (cut) plane.c = cut->step;
}

// Tunes one weight, by the best of three ways to turn the plane.
bool LinearCombination::turn(TunedPlane& plane, Column& v, std::span<const std::size_t> use, std::size_t m) const {
  const Column& x = x_[use[m]];
  std::optional<LineMove> best;
  double offset = 0.0;
  Column r(x.size());
  for (const double gamma : kOffsets) {
    for (std::size_t i = 0; i < x.size(); ++i) r[i] = x[i] + gamma;
    const std::optional<LineMove> found = line_.best(v, r, best ? best->gain : plane.gain);
    if (!found) continue;
    best = found;
    offset = gamma;
  }
  if (!best) return false;
  for (std::size_t i = 0; i < x.size(); ++i) v[i] += best->step * (x[i] + offset);
  plane.w[m] += best->step;
  plane.c -= best->step * offset;
  plane.gain = best->gain;
  return true;
}

void LinearCombination::tune(TunedPlane& plane, std::span<const std::size_t> use) const {
  for (int round = 0; round < kCycles; ++round) {
    const double before = plane.gain;
    node_.watch.poll(rows_.size() * use.size());
    Column v = values(plane, use);
    for (double& one : v) one -= plane.c;
    bool turned = false;
    for (std::size_t m = 0; m < use.size(); ++m) turned = turn(plane, v, use, m) || turned;
    if (!turned) break;
    scan_again(plane, use);
    if (!(plane.gain > before + kLeast)) break;
  }
}

std::optional<std::vector<double>> LinearCombination::weights(std::span<const std::size_t> use) {
  if (rows_.empty()) return std::nullopt;
  std::vector<std::size_t> left(use.begin(), use.end());
  TunedPlane plane = start(left);
  if (plane.gain < 0.0) return std::nullopt;
  tune(plane, left);
  // Deletion.
  const double share = node_.options.oblique.deletion;
  bool deleted = false;
  while (left.size() > 1) {
    std::vector<double> loss;
    for (std::size_t j = 0; j < left.size(); ++j) {
      TunedPlane without = plane;
      without.w[j] = 0.0;
      scan_again(without, left);
      loss.push_back(plane.gain - without.gain);
    }
    const auto least = std::ranges::min_element(loss) - loss.begin();
    if (!(loss[static_cast<std::size_t>(least)] < share * *std::ranges::max_element(loss))) break;
    left.erase(left.begin() + least);
    plane.w.erase(plane.w.begin() + least);
    scan_again(plane, left);
    deleted = true;
  }
  if (deleted) tune(plane, left);
  std::vector<double> u(use.size(), 0.0);
  for (std::size_t j = 0; j < left.size(); ++j) {
    const auto at = std::ranges::find(use, left[j]) - use.begin();
    u[static_cast<std::size_t>(at)] = plane.w[j] / scale_[left[j]];
  }
  return u;
}

}  // namespace

std::unique_ptr<ObliqueSearch> make_linear_combination(const ObliqueNode& node) {
  return std::make_unique<LinearCombination>(node);
}

}  // namespace bough
