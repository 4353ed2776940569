// OC1 (Murthy, Kasif and Salzberg 1994): from the best test of one term and from random planes, coefficients are moved
// one after the other, each by an exact line search, until none gains; then a few jumps along random directions. Other
// searches let it begin with a plane of theirs.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bough/base/parallel.hpp"
#include "bough/search/drawn_rows.hpp"
#include "bough/search/oblique.hpp"
#include "bough/search/project.hpp"

namespace bough {
namespace {

constexpr double kBetter = 1.0 + 1e-10;
constexpr std::size_t kRandomMoves = 50;  // of a cycle by chance

using Column = std::vector<double>;

double uniform(Random& random) { return 2.0 * (static_cast<double>(random.next() >> 11U) * 0x1p-53) - 1.0; }

// A plane on its way: rows are low where v = sum u z - constant <= 0.
struct Plane {
  std::vector<double> u;
  Column v;
  double gain = -1.0;
};

class Perturb final : public ObliqueSearch {
 public:
  Perturb(const ObliqueNode& node, std::vector<double> from)
      : node_(node),
        from_(std::move(from)),
        rows_(
            drawn_rows(node, node.terms.positions(false), static_cast<std::size_t>(node.options.oblique.search_rows))),
        line_(node, rows_),
        constant_(rows_.size(), -1.0) {
    for (std::size_t t = 0; t < node.terms.count(); ++t) {
      Column& z = z_.emplace_back();
      z.reserve(rows_.size());
      for (const std::uint32_t i : rows_) z.push_back(node.terms.column(t)[i]);
    }
  }

  std::optional<std::vector<double>> weights(std::span<const std::size_t> use) override;
  [[nodiscard]] Found found() const override { return Found::perturbation; }

 private:
  // A direction: a term, or the constant behind the last one.
  [[nodiscard]] const Column& direction(std::span<const std::size_t> use, std::size_t j) const {
    return j < use.size() ? z_[use[j]] : constant_;
  }
  [[nodiscard]] Plane axis(std::span<const std::size_t> use) const;
  [[nodiscard]] Plane cut_along(std::span<const std::size_t> use, std::vector<double> weights) const;
  [[nodiscard]] Plane first(std::span<const std::size_t> use) const {
    if (from_.empty()) return axis(use);
    std::vector<double> weights;
    for (const std::size_t t : use) weights.push_back(from_[t]);
    return cut_along(use, std::move(weights));
  }
  [[nodiscard]] Plane drawn(std::span<const std::size_t> use, Random& random) const;
  bool move(Plane& plane, std::span<const std::size_t> use, std::size_t j) const;
  // One round of moves; false if none gained.
  bool cycle(Plane& plane, std::span<const std::size_t> use, Random& random) const;
  bool jump(Plane& plane, std::span<const std::size_t> use, Random& random) const;

  const ObliqueNode& node_;
  const std::vector<double> from_;
  const std::vector<std::uint32_t> rows_;
  const Line line_;
  const Column constant_;
  std::vector<Column> z_;
};

void shift(Column& v, const Column& r, double step) {
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += step * r[i];
}

// The best cut of a single term.
Plane Perturb::axis(std::span<const std::size_t> use) const {
  Plane best;
  best.u.assign(use.size(), 0.0);
  best.v.assign(rows_.size(), 0.0);
  for (std::size_t j = 0; j < use.size(); ++j) {
    const std::optional<LineMove> cut = line_.cut(z_[use[j]], best.gain);
    if (!cut) continue;
    std::ranges::fill(best.u, 0.0);
    best.u[j] = 1.0;
    best.v = z_[use[j]];
    shift(best.v, constant_, cut->step);
    best.gain = cut->gain;
  }
  return best;
}

Plane Perturb::drawn(std::span<const std::size_t> use, Random& random) const {
  std::vector<double> weights(use.size());
  for (double& weight : weights) weight = uniform(random);
  return cut_along(use, std::move(weights));
}

Plane Perturb::cut_along(std::span<const std::size_t> use, std::vector<double> weights) const {
  Plane plane;
  plane.u = std::move(weights);
  plane.v.assign(rows_.size(), 0.0);
  for (std::size_t j = 0; j < use.size(); ++j) shift(plane.v, z_[use[j]], plane.u[j]);
  const std::optional<LineMove> cut = line_.cut(plane.v, plane.gain);
  if (!cut) return plane;
  shift(plane.v, constant_, cut->step);
  plane.gain = cut->gain;
  return plane;
}

bool Perturb::move(Plane& plane, std::span<const std::size_t> use, std::size_t j) const {
  const Column& r = direction(use, j);
  const std::optional<LineMove> found = line_.best(plane.v, r, plane.gain * kBetter);
  if (!found) return false;
  shift(plane.v, r, found->step);
  if (j < use.size()) plane.u[j] += found->step;
  plane.gain = found->gain;
  return true;
}

bool Perturb::cycle(Plane& plane, std::span<const std::size_t> use, Random& random) const {
  bool moved = false;
  const std::size_t all = use.size() + 1;
  switch (node_.options.oblique.order) {
    case MoveOrder::sequential:
      for (std::size_t j = 0; j < all; ++j) moved = move(plane, use, j) || moved;
      break;
    case MoveOrder::random:
      for (std::size_t k = 0; k < kRandomMoves; ++k) moved = move(plane, use, random.below(all)) || moved;
      break;
    case MoveOrder::best: {
      std::size_t best = all;
      double gain = plane.gain * kBetter;
      for (std::size_t j = 0; j < all; ++j) {
        const std::optional<LineMove> found = line_.best(plane.v, direction(use, j), gain);
        if (!found) continue;
        best = j;
        gain = found->gain;
      }
      moved = best < all && move(plane, use, best);
      break;
    }
  }
  return moved;
}

bool Perturb::jump(Plane& plane, std::span<const std::size_t> use, Random& random) const {
  std::vector<double> along(use.size());
  Column r(rows_.size(), 0.0);
  for (std::size_t j = 0; j < use.size(); ++j) {
    along[j] = uniform(random);
    shift(r, z_[use[j]], along[j]);
  }
  shift(r, constant_, uniform(random));
  const std::optional<LineMove> found = line_.best(plane.v, r, plane.gain * kBetter);
  if (!found) return false;
  shift(plane.v, r, found->step);
  for (std::size_t j = 0; j < use.size(); ++j) plane.u[j] += found->step * along[j];
  plane.gain = found->gain;
  return true;
}

std::optional<std::vector<double>> Perturb::weights(std::span<const std::size_t> use) {
  const ObliqueOptions& options = node_.options.oblique;
  std::vector<Plane> planes(static_cast<std::size_t>(options.restarts));
  parallel_for(
      planes.size(), node_.options.threads, [&] { node_.watch.ask(); },
      [&](std::size_t start, int) {
        Random random = node_.random(start + 1);
        Plane plane = start == 0 ? first(use) : drawn(use, random);
        std::int64_t jumps = options.jumps;
        do {
          for (std::int64_t round = 0; round < options.max_cycles; ++round) {
            node_.watch.poll(rows_.size() * use.size());
            if (!cycle(plane, use, random)) break;
          }
          bool better = false;
          while (!better && jumps-- > 0) better = jump(plane, use, random);
          if (!better) break;
        } while (true);
        planes[start] = std::move(plane);
      });
  std::size_t best = 0;
  for (std::size_t s = 1; s < planes.size(); ++s) {
    if (planes[s].gain > planes[best].gain * kBetter) best = s;
  }
  if (!(planes[best].gain > 0.0)) return std::nullopt;
  return std::move(planes[best].u);
}

}  // namespace

std::unique_ptr<ObliqueSearch> make_perturb(const ObliqueNode& node, std::vector<double> from) {
  return std::make_unique<Perturb>(node, std::move(from));
}

}  // namespace bough
