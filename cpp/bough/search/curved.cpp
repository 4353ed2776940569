// Curved tests: sums with products of numbers. A curve is a plane among terms and their products, so that discriminants
// and the moves of OC1 find it; spheres and ellipsoids also begin around the mean of each class. Principal axes (Duda,
// Hart and Stork, 8.3.7) turn the columns instead: a plane across each component of the rows of the node.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bough/base/linear_algebra.hpp"
#include "bough/search/moments.hpp"
#include "bough/search/oblique.hpp"

namespace bough {
namespace {

using Weights = std::vector<double>;

constexpr std::size_t kMost = 15;  // columns of which all products are made
constexpr double kFar = 1e4;  // standard deviations: a sphere around so distant a centre is a plane
constexpr double kPoint = 1e-20;  // variance of equal rows, in terms of variance 1: rounding
constexpr double kOfVariance = 0.95;  // what the principal axes that are tried have of it

ObliqueNode among(const ObliqueNode& node, const NodeTerms& terms) {
  return {node.table, node.target, node.options, node.node, node.judge, node.watch, terms};
}

// Numbers and ordered levels only.
std::vector<std::uint8_t> without_nominal(const RankedTable& table, const std::vector<std::uint8_t>& allowed) {
  std::vector<std::uint8_t> left = allowed.empty() ? std::vector<std::uint8_t>(table.columns.size(), 1) : allowed;
  for (std::size_t c = 0; c < left.size(); ++c) {
    if (table.columns[c].view.kind == ColumnKind::nominal) left[c] = 0;
  }
  return left;
}

// Of many columns those whose group means are farthest apart: the largest F ratios, and so the largest shares of the
// variance between groups, since terms have variance 1.
std::vector<std::uint8_t> by_f_ratio(const ObliqueNode& node, std::size_t most, std::vector<std::uint8_t> allowed) {
  const GroupMoments moments(node);
  const std::size_t terms = node.terms.count();
  std::vector<double> between(terms, 0.0);
  for (std::size_t g = 0; g < moments.groups(); ++g) {
    for (std::size_t t = 0; t < terms; ++t) between[t] += moments.weight(g) * moments.mean(g, t) * moments.mean(g, t);
  }
  std::vector<std::size_t> order(terms);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return between[a] > between[b]; });
  for (std::size_t k = most; k < terms; ++k) allowed[static_cast<std::size_t>(node.terms.column_of(order[k]))] = 0;
  return allowed;
}

// a of a sum of a_jk (z_j - c_j)(z_k - c_k) over standardised terms z.
struct Distance {
  Symmetric a;
  Weights centre;
};

class CurveSearch {
 public:
  // Spheres are measured in these units of the columns, which are numbers of standard deviations.
  CurveSearch(const ObliqueNode& node, Weights unit)
      : node_(node),
        curve_(node.options.oblique.curve),
        unit_(std::move(unit)),
        squares_(node.terms.with_products(squares(node.terms), true)),
        lifted_(lift()),
        up_(among(node_, lifted_)),
        all_(lifted_.count()) {
    std::iota(all_.begin(), all_.end(), std::size_t{0});
  }

  [[nodiscard]] Candidate best();

 private:
  using Pairs = std::vector<NodeTerms::Pair>;
  [[nodiscard]] static Pairs squares(const NodeTerms& terms);
  [[nodiscard]] NodeTerms lift() const;
  [[nodiscard]] std::vector<Distance> around_groups() const;
  [[nodiscard]] Weights lifted(const Distance& distance) const;
  [[nodiscard]] std::vector<Weights> axes() const;
  // The test with these weights of the lifted terms.
  [[nodiscard]] Candidate test(const Weights& weights) const;
  [[nodiscard]] Candidate around_centre(const Weights& weights) const;
  void offer(Candidate& best, Weights& of, const Weights& weights) const;

  [[nodiscard]] std::size_t square(std::size_t j) const {
    const LinearTerm& term = node_.terms.term(j);
    LinearTerm own = term;
    own.other = term.column;
    return squares_.find(own);
  }

  const ObliqueNode& node_;
  const Curve curve_;
  const Weights unit_;
  const NodeTerms squares_;  // the terms and their squares
  const NodeTerms lifted_;
  const ObliqueNode up_;
  std::vector<std::size_t> all_;
};

CurveSearch::Pairs CurveSearch::squares(const NodeTerms& terms) {
  Pairs pairs;
  for (std::size_t j = 0; j < terms.count(); ++j) pairs.push_back({j, j, terms.term(j).fill, terms.term(j).fill});
  return pairs;
}

// The terms that curves are planes among.
NodeTerms CurveSearch::lift() const {
  const NodeTerms& terms = node_.terms;
  switch (curve_) {
    case Curve::principal:
      return terms;
    case Curve::ellipsoid:
      return squares_;
    case Curve::sphere: {
      // One square that the columns share: how far a row is from the mean of the node.
      std::vector<double> far(terms.rows(), 0.0);
      for (std::size_t j = 0; j < terms.count(); ++j) {
        const std::size_t t = square(j);
        if (t == squares_.count()) continue;
        const double unit = unit_[j] * terms.term(j).scale;
        const double share = squares_.term(t).scale / (unit * unit);
        const std::span<const double> z = squares_.column(t);
        for (std::size_t i = 0; i < far.size(); ++i) far[i] += share * z[i];
      }
      return terms.with_values(std::move(far));
    }
    default:
      break;
  }
  Pairs pairs;
  for (std::size_t j = 0; j < terms.count(); ++j) {
    for (std::size_t k = j; k < terms.count(); ++k) pairs.push_back({j, k, terms.term(j).fill, terms.term(k).fill});
  }
  return terms.with_products(pairs, true);
}

// The distance from the mean of each group: by the variances of the node, of the group, or by its covariances, shrunk.
std::vector<Distance> CurveSearch::around_groups() const {
  const NodeTerms& terms = node_.terms;
  const std::size_t p = terms.count();
  const GroupMoments moments(node_);
  std::vector<std::size_t> use(p);
  std::iota(use.begin(), use.end(), std::size_t{0});
  const double shrinkage = curve_ == Curve::sphere ? 0.0 : moments.shrinkage(use);
  std::vector<Distance> found;
  for (std::size_t g = 0; g < moments.groups(); ++g) {
    Distance distance{Symmetric(p), Weights(p)};
    for (std::size_t j = 0; j < p; ++j) distance.centre[j] = moments.mean(g, j);
    if (curve_ == Curve::sphere) {
      for (std::size_t j = 0; j < p; ++j) distance.a(j, j) = 1.0 / (unit_[j] * unit_[j]);
      found.push_back(std::move(distance));
      continue;
    }
    Symmetric scatter(p);
    for (std::size_t j = 0; j < p; ++j) {
      for (std::size_t k = curve_ == Curve::ellipsoid ? j : 0; k <= j; ++k) {
        const std::span<const double> a = terms.column(j);
        const std::span<const double> b = terms.column(k);
        double sum = 0.0;
        for (std::size_t i = 0; i < terms.rows(); ++i) {
          if (moments.group_of()[i] != g) continue;
          sum += node_.effective(i) * (a[i] - distance.centre[j]) * (b[i] - distance.centre[k]);
        }
        scatter(j, k) = sum / moments.weight(g);
      }
    }
    const double ridge = shrinkage * scatter.trace() / static_cast<double>(p);
    for (std::size_t j = 0; j < p; ++j) scatter(j, j) += ridge;
    bool sound = scatter.trace() > kPoint * static_cast<double>(p);
    for (std::size_t j = 0; sound && j < p; ++j) {
      Weights unit(p, 0.0);
      unit[j] = 1.0;
      const std::optional<Weights> column = cholesky_solve(scatter, std::move(unit));
      sound = column.has_value();
      if (!column) break;
      for (std::size_t k = j; k < p; ++k) distance.a(k, j) = (*column)[k];
    }
    if (sound) found.push_back(std::move(distance));
  }
  return found;
}

// A distance as weights of the lifted terms.
Weights CurveSearch::lifted(const Distance& distance) const {
  const NodeTerms& terms = node_.terms;
  Weights u(lifted_.count(), 0.0);
  const auto add = [&](std::size_t t, double weight) {
    if (t < u.size()) u[t] += weight;
  };
  const auto a = [&](std::size_t j, std::size_t k) { return j < k ? distance.a(k, j) : distance.a(j, k); };
  for (std::size_t j = 0; j < terms.count(); ++j) {
    double moved = 0.0;
    for (std::size_t k = 0; k < terms.count(); ++k) moved += a(j, k) * distance.centre[k];
    add(lifted_.find(terms.term(j)), -2.0 * moved);
    if (curve_ == Curve::sphere) continue;
    for (std::size_t k = j; k < terms.count(); ++k) {
      LinearTerm product = terms.term(j);
      product.other = terms.term(k).column;
      const std::size_t t = lifted_.find(product);
      if (t == u.size()) continue;
      add(t, (j == k ? 1.0 : 2.0) * a(j, k) * lifted_.term(t).scale / (terms.term(j).scale * terms.term(k).scale));
    }
  }
  if (curve_ == Curve::sphere && lifted_.count() > terms.count()) u.back() = lifted_.term(u.size() - 1).scale;
  return u;
}

// The principal axes of the rows of the node.
std::vector<Weights> CurveSearch::axes() const {
  const NodeTerms& terms = node_.terms;
  const std::size_t p = terms.count();
  Symmetric correlation(p);
  for (std::size_t j = 0; j < p; ++j) {
    for (std::size_t k = 0; k <= j; ++k) {
      const std::span<const double> a = terms.column(j);
      const std::span<const double> b = terms.column(k);
      for (std::size_t i = 0; i < terms.rows(); ++i) correlation(j, k) += terms.weights()[i] * a[i] * b[i];
    }
  }
  const double all = correlation.trace();
  Eigen eigen = jacobi_eigen(std::move(correlation));
  std::vector<Weights> found;
  double held = 0.0;
  for (std::size_t k = 0; k < p && held < kOfVariance * all; ++k) {
    held += eigen.value[k];
    found.push_back(std::move(eigen.vector[k]));
  }
  return found;
}

// Squares of the distances of the columns from a centre, in place of a square and the value of each: nothing is lost
// where a column lies far from 0, and the centre can be told. Without a centre near the rows, the terms as they are.
Candidate CurveSearch::around_centre(const Weights& weights) const {
  const NodeTerms& terms = node_.terms;
  const bool sphere = curve_ == Curve::sphere;
  Pairs pairs;
  Weights bend;  // by pair: the weight of its square
  for (std::size_t j = 0; j < terms.count(); ++j) {
    const double unit = terms.term(j).scale;
    // The common square is the last of the lifted terms, unless it does not vary.
    const std::size_t t = sphere ? std::max(terms.count(), lifted_.count() - 1) : square(j);
    double a = 0.0;
    if (t < lifted_.count())
      a = weights[t] * (sphere ? 1.0 / (unit_[j] * unit_[j]) : unit * unit) / lifted_.term(t).scale;
    const double b = weights[lifted_.find(terms.term(j))];
    if (!(std::abs(b) <= 2.0 * kFar * std::abs(a)) || a == 0.0) {
      if (!sphere) return test_of(up_, lifted_.stored(all_, weights), Found::sphere);
      return test_of(up_, lifted_.stored(std::span(all_).first(terms.count()), std::span(weights).first(terms.count())),
                     Found::sphere);
    }
    const double centre = terms.term(j).fill - unit * (b / (2.0 * a));
    pairs.push_back({j, j, centre, centre});
    bend.push_back(sphere ? 1.0 / (unit_[j] * unit_[j]) : a);
  }
  const NodeTerms squares = terms.with_products(pairs, false);
  std::vector<LinearTerm> stored;
  double size = 0.0;
  for (std::size_t t = 0; t < squares.count(); ++t) {
    LinearTerm term = squares.term(t);
    const auto own = std::ranges::find_if(
        pairs, [&](const NodeTerms::Pair& pair) { return terms.term(pair.first).column == term.column; });
    const double unit = terms.term(own->first).scale;
    term.weight = bend[static_cast<std::size_t>(own - pairs.begin())] / unit / unit;
    size += (term.weight * term.scale) * (term.weight * term.scale);
    stored.push_back(term);
  }
  // Of a sphere the sum is the squared distance, in the units of the columns.
  const double length = sphere || stored.empty() ? 1.0 : std::copysign(std::sqrt(size), stored.front().weight);
  for (LinearTerm& term : stored) {
    term.weight /= length;
    if (!std::isfinite(term.weight) || term.weight == 0.0) return {};
  }
  return test_of(among(node_, squares), std::move(stored), Found::sphere);
}

Candidate CurveSearch::test(const Weights& weights) const {
  if (curve_ == Curve::sphere || curve_ == Curve::ellipsoid) return around_centre(weights);
  Found found = Found::discriminant;
  if (curve_ == Curve::principal) found = Found::principal_axis;
  if (curve_ == Curve::full_ellipsoid) found = Found::sphere;
  return test_of(up_, lifted_.stored(all_, weights), found);
}

void CurveSearch::offer(Candidate& best, Weights& of, const Weights& weights) const {
  Candidate candidate = test(weights);
  if (candidate.column < 0) return;
  if (best.column >= 0 && !(candidate.gain > best.gain * (1.0 + node_.options.tie))) return;
  best = std::move(candidate);
  of = weights;
}

Candidate CurveSearch::best() {
  Candidate best;
  Weights of;
  if (lifted_.count() < 2) return best;
  if (curve_ == Curve::principal) {
    for (const Weights& axis : axes()) offer(best, of, axis);
    return best;
  }
  if (curve_ != Curve::full_ellipsoid) {
    const std::optional<Weights> found = make_discriminant(up_)->weights(all_);
    if (found) offer(best, of, *found);
  }
  if (curve_ != Curve::quadratic) {
    for (const Distance& distance : around_groups()) offer(best, of, lifted(distance));
  }
  const bool enough = node_.node.stats->weight > 2.0 * static_cast<double>(lifted_.count());
  if (best.column < 0 || !node_.options.oblique.perturb || !enough) return best;
  const std::optional<Weights> moved = make_perturb(up_, of)->weights(all_);
  if (!moved) return best;
  const double before = best.gain;
  offer(best, of, *moved);
  if (curve_ == Curve::quadratic && best.gain > before) best.found = Found::perturbation;
  return best;
}

// How far the values of a term reach, in standard deviations. Where columns are measured alike, as coordinates are, and
// spread evenly, their ranges are nearly the same and their standard deviations are not: what is round to the user is
// round in ranges alone.
Weights ranges(const NodeTerms& terms) {
  const std::vector<std::uint32_t> rows = terms.positions(false);
  Weights found;
  for (std::size_t j = 0; j < terms.count(); ++j) {
    double low = 0.0;
    double high = 0.0;
    for (const std::uint32_t i : rows) {
      low = std::min(low, terms.column(j)[i]);
      high = std::max(high, terms.column(j)[i]);
    }
    found.push_back(high - low);
  }
  return found;
}

}  // namespace

Candidate best_curve(const RankedTable& table, const Target& target, const GrowOptions& options, const NodeView& node,
                     const std::vector<std::uint8_t>& allowed, const Judge& judge, Watch& watch) {
  std::vector<std::uint8_t> numbers = without_nominal(table, allowed);
  const auto searched = [&](const NodeTerms& terms) {
    const ObliqueNode oblique{table, target, options, node, judge, watch, terms};
    Candidate best = CurveSearch(oblique, Weights(terms.count(), 1.0)).best();
    if (options.oblique.curve != Curve::sphere) return best;
    Candidate other = CurveSearch(oblique, ranges(terms)).best();
    const bool better = other.column >= 0 && (best.column < 0 || other.gain > best.gain * (1.0 + options.tie));
    return better ? std::move(other) : std::move(best);
  };
  const NodeTerms terms(table, node, numbers, options.oblique, options.threads);
  if (terms.count() == 0) return {};
  const Curve curve = options.oblique.curve;
  const bool many = curve == Curve::quadratic || curve == Curve::full_ellipsoid;
  if (!many || terms.count() <= kMost) return searched(terms);
  const ObliqueNode oblique{table, target, options, node, judge, watch, terms};
  return searched(
      NodeTerms(table, node, by_f_ratio(oblique, kMost, std::move(numbers)), options.oblique, options.threads));
}

}  // namespace bough
