// Linear machines (Nilsson 1965; Brodley and Utgoff 1995): a sum for each class, trained by thermal corrections, which
// are the smaller the further a row lies from where it should be and the longer training has gone on.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "bough/search/machine.hpp"

namespace bough {
namespace {

constexpr int kPasses = 200;
constexpr double kHot = 2.0;
constexpr double kCold = 0.001;

struct Trained {
  Machine machine;
  double errors = 0.0;
};

class Thermal {
 public:
  Thermal(const ObliqueNode& node, const GroupMoments& moments) : node_(node), moments_(moments) {
    for (const std::uint32_t i : node.terms.positions(false)) {
      if (!(node.effective(i) > 0.0)) continue;
      rows_.push_back(i);
      all_ += node.effective(i);
    }
    Random random = node.random(0);
    random.shuffle(rows_);
  }

  [[nodiscard]] double all() const { return all_; }
  [[nodiscard]] Trained train(std::span<const std::size_t> use) const;

 private:
  [[nodiscard]] std::size_t winner(const std::vector<double>& weights, const double* y, std::size_t width,
                                   std::vector<double>& sum) const;

  const ObliqueNode& node_;
  const GroupMoments& moments_;
  std::vector<std::uint32_t> rows_;  // positions, in the order of training
  double all_ = 0.0;
};

std::size_t Thermal::winner(const std::vector<double>& weights, const double* y, std::size_t width,
                            std::vector<double>& sum) const {
  for (std::size_t k = 0; k < sum.size(); ++k)
    sum[k] = std::inner_product(y, y + width, weights.data() + k * width, 0.0);
  return static_cast<std::size_t>(std::ranges::max_element(sum) - sum.begin());
}

// The machine that errs least at the end of a pass.
Trained Thermal::train(std::span<const std::size_t> use) const {
  const std::size_t width = use.size() + 1;
  const std::size_t classes = moments_.groups();
  const std::size_t n = rows_.size();
  std::vector<double> y(n * width, 1.0);
  std::vector<double> square(n, 1.0);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t j = 0; j < use.size(); ++j) {
      const double z = y[r * width + j] = node_.terms.column(use[j])[rows_[r]];
      square[r] += z * z;
    }
  }
  std::vector<double> weights(classes * width, 0.0);
  std::vector<double> best = weights;
  std::vector<double> size(classes, 0.0);
  std::vector<double> sum(classes);
  double fewest = std::numeric_limits<double>::infinity();
  double beta = kHot;
  double before = 0.0;
  bool grew = false;
  const auto correct = [&](std::size_t k, double step, const double* row) {
    double all = 0.0;
    for (std::size_t j = 0; j < width; ++j) all += std::abs(weights[k * width + j] += step * row[j]);
    size[k] = all;
  };
  for (int pass = 0; pass < kPasses && beta >= kCold && fewest > 0.0; ++pass) {
    node_.watch.poll(n * width);
    for (std::size_t r = 0; r < n; ++r) {
      const double* row = y.data() + r * width;
      const std::size_t own = moments_.group_of()[rows_[r]];
      const std::size_t won = winner(weights, row, width, sum);
      if (won == own) continue;
      const double far = (sum[won] - sum[own]) / (2.0 * square[r]) + 1e-4;
      if (!(far < beta)) continue;
      // A row counts as its weight says, relative to the mean.
      const double step = beta * beta / (beta + far) * node_.effective(rows_[r]) * static_cast<double>(n) / all_;
      correct(own, step, row);
      correct(won, -step, row);
      const double now = std::accumulate(size.begin(), size.end(), 0.0);
      if (now < before && grew) beta = 0.999 * beta - 0.0005;
      grew = now > before;
      before = now;
    }
    double errors = 0.0;
    for (std::size_t r = 0; r < n; ++r) {
      if (winner(weights, y.data() + r * width, width, sum) != moments_.group_of()[rows_[r]])
        errors += node_.effective(rows_[r]);
    }
    if (!(errors < fewest)) continue;
    fewest = errors;
    best = weights;
  }
  Trained trained;
  trained.errors = fewest;
  trained.machine.use.assign(use.begin(), use.end());
  for (std::size_t k = 0; k < classes; ++k) {
    const auto from = best.begin() + static_cast<std::ptrdiff_t>(k * width);
    trained.machine.row.emplace_back(from, from + static_cast<std::ptrdiff_t>(width));
  }
  return trained;
}

}  // namespace

// Terms that matter least go, one by one, while errors stay within one standard error of the fewest.
std::optional<Machine> thermal_machine(const ObliqueNode& node, const GroupMoments& moments) {
  std::vector<std::size_t> use = numbers_up_to(node.terms.count());
  if (!(node.node.stats->weight > 2.0 * static_cast<double>(use.size()))) return std::nullopt;
  const Thermal thermal(node, moments);
  if (!(thermal.all() > 0.0)) return std::nullopt;
  Trained found = thermal.train(use);
  if (node.options.oblique.sparse != Sparse::backward) return std::move(found.machine);
  const std::vector<std::size_t> classes = numbers_up_to(moments.groups());
  Trained last = found;
  double fewest = found.errors;
  while (use.size() > 2) {
    std::size_t drop = 0;
    for (std::size_t j = 1; j < use.size(); ++j) {
      if (spread(last.machine, classes, j) < spread(last.machine, classes, drop)) drop = j;
    }
    use.erase(use.begin() + static_cast<std::ptrdiff_t>(drop));
    last = thermal.train(use);
    fewest = std::min(fewest, last.errors);
    if (last.errors > fewest + std::sqrt(fewest * (1.0 - fewest / thermal.all()))) break;
    found = last;
  }
  return std::move(found.machine);
}

}  // namespace bough
