// Weights by descending a loss: the classes become two groups, those that discriminants tell apart best, and a linear
// unit learns which group a row is of. Pocket: a perceptron that keeps the weights with the longest run of right
// answers (Gallant 1986, with ratchet). Logistic: Newton's method with a penalty on the weights.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bough/search/moments.hpp"
#include "bough/search/oblique.hpp"

namespace bough {
namespace {

using Column = std::vector<double>;

class Gradient final : public ObliqueSearch {
 public:
  explicit Gradient(const ObliqueNode& node) : node_(node) {}

  std::optional<std::vector<double>> weights(std::span<const std::size_t> use) override;
  [[nodiscard]] Found found() const override { return Found::gradient; }

 private:
  // The last weight is the constant.
  [[nodiscard]] std::optional<Column> pocket(std::span<const std::size_t> use) const;
  [[nodiscard]] std::optional<Column> logistic(std::span<const std::size_t> use) const;
  [[nodiscard]] double output(std::span<const std::size_t> use, const Column& w, std::size_t i) const;
  [[nodiscard]] double errors(std::span<const std::size_t> use, const Column& w) const;

  const ObliqueNode& node_;
  std::vector<std::uint8_t> first_;  // by position
  Column counts_;  // by position: what a row counts; nothing where no term has a value
};

double Gradient::output(std::span<const std::size_t> use, const Column& w, std::size_t i) const {
  double sum = w.back();
  for (std::size_t j = 0; j < use.size(); ++j) sum += w[j] * node_.terms.column(use[j])[i];
  return sum;
}

double Gradient::errors(std::span<const std::size_t> use, const Column& w) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if ((output(use, w, i) > 0.0) != (first_[i] != 0)) sum += counts_[i];
  }
  return sum;
}

std::optional<Column> Gradient::pocket(std::span<const std::size_t> use) const {
  Random random = node_.random(1);
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0.0) rows.push_back(static_cast<std::uint32_t>(i));
  }
  Column w(use.size() + 1, 0.0);
  Column kept;
  double least = std::accumulate(counts_.begin(), counts_.end(), 0.0);
  double longest = 0.0;
  double run = 0.0;
  bool counted = false;  // whether the errors of w have been counted since it changed,
  bool ours = false;     // and whether w is what was kept
  for (std::int64_t pass = 0; pass < node_.options.oblique.passes && least > 0.0; ++pass) {
    random.shuffle(rows);
    for (const std::uint32_t i : rows) {
      node_.watch.poll(use.size());
      const double wanted = first_[i] != 0 ? 1.0 : -1.0;
      if (!(wanted * output(use, w, i) > 0.0)) {
        for (std::size_t j = 0; j < use.size(); ++j) w[j] += wanted * counts_[i] * node_.terms.column(use[j])[i];
        w.back() += wanted * counts_[i];
        run = 0.0;
        counted = ours = false;
        continue;
      }
      run += counts_[i];
      if (!(run > longest)) continue;
      if (ours) longest = run;
      if (counted) continue;
      counted = true;
      const double wrong = errors(use, w);
      if (!(wrong < least)) continue;
      ours = true;
      kept = w;
      least = wrong;
      longest = run;
    }
  }
  if (kept.empty()) return std::nullopt;
  return kept;
}

std::optional<Column> Gradient::logistic(std::span<const std::size_t> use) const {
  constexpr int kSteps = 50;
  constexpr int kHalvings = 30;
  constexpr double kFlat = 1e-8;
  const double penalty = node_.options.oblique.penalty;
  const std::size_t n = counts_.size();
  const std::size_t p = use.size();
  const double all = std::accumulate(counts_.begin(), counts_.end(), 0.0);
  const Column origin(p, 0.0);
  const auto outputs = [&](const Column& w) {
    Column s(n, w.back());
    for (std::size_t j = 0; j < p; ++j) {
      const std::span<const double> z = node_.terms.column(use[j]);
      for (std::size_t i = 0; i < n; ++i) s[i] += w[j] * z[i];
    }
    return s;
  };
  const auto loss = [&](const Column& w, const Column& s) {
    double sum = 0.0;
    for (std::size_t j = 0; j < p; ++j) sum += 0.5 * penalty * w[j] * w[j];
    for (std::size_t i = 0; i < n; ++i) {
      const double against = first_[i] != 0 ? -s[i] : s[i];
      sum += counts_[i] * (std::max(against, 0.0) + std::log1p(std::exp(-std::abs(against))));
    }
    return sum;
  };
  Column w(p + 1, 0.0);
  Column s = outputs(w);
  double now = loss(w, s);
  for (int step = 0; step < kSteps; ++step) {
    Column slope(n);   // by row: of the loss by the output
    Column bend(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double share = 1.0 / (1.0 + std::exp(-s[i]));
      slope[i] = counts_[i] * (share - (first_[i] != 0 ? 1.0 : 0.0));
      bend[i] = counts_[i] * share * (1.0 - share);
    }
    Column gradient(p + 1);
    const Symmetric products = weighted_products(node_, use, bend, origin);
    Symmetric hessian(p + 1);
    for (std::size_t j = 0; j < p; ++j) {
      const std::span<const double> z = node_.terms.column(use[j]);
      gradient[j] = std::inner_product(slope.begin(), slope.end(), z.begin(), penalty * w[j]);
      for (std::size_t k = 0; k <= j; ++k) hessian(j, k) = products(j, k) + (j == k ? penalty : 0.0);
      hessian(p, j) = std::inner_product(bend.begin(), bend.end(), z.begin(), 0.0);
    }
    gradient[p] = std::accumulate(slope.begin(), slope.end(), 0.0);
    hessian(p, p) = std::accumulate(bend.begin(), bend.end(), 0.0);
    const double steepest = std::abs(*std::ranges::max_element(gradient, {}, [](double g) { return std::abs(g); }));
    if (!(steepest > kFlat * all)) break;
    const std::optional<Column> move = cholesky_solve(std::move(hessian), gradient);
    if (!move) break;
    bool lower = false;
    double share = 1.0;
    for (int half = 0; half < kHalvings && !lower; ++half, share *= 0.5) {
      Column next = w;
      for (std::size_t j = 0; j <= p; ++j) next[j] -= share * (*move)[j];
      Column sums = outputs(next);
      const double then = loss(next, sums);
      if (!(then < now)) continue;
      lower = true;
      w = std::move(next);
      s = std::move(sums);
      now = then;
    }
    if (!lower) break;
  }
  return w;
}

std::optional<std::vector<double>> Gradient::weights(std::span<const std::size_t> use) {
  const std::size_t n = node_.terms.rows();
  first_ = groups_of_rows(node_, use);
  if (first_.empty()) return std::nullopt;
  counts_.resize(n);
  for (std::size_t i = 0; i < n; ++i) counts_[i] = node_.effective(i);
  std::optional<Column> found = node_.options.oblique.logistic ? logistic(use) : pocket(use);
  if (found) found->pop_back();
  return found;
}

}  // namespace

std::unique_ptr<ObliqueSearch> make_gradient(const ObliqueNode& node) { return std::make_unique<Gradient>(node); }

}  // namespace bough
