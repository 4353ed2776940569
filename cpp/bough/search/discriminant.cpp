// Discriminants: the classes of a node are parted into two groups, and the direction that tells the groups apart is
// Fisher's, from the scatter within them, shrunk where rows are few (Guo and Gelfand 1992; Ledoit and Wolf 2004). Least
// squares to two targets has the same direction. Numbers: ridge regression of the target on the terms, or the rows
// above the mean against those below.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bough/base/linear_algebra.hpp"
#include "bough/base/parallel.hpp"
#include "bough/search/groups.hpp"
#include "bough/search/moments.hpp"
#include "bough/search/oblique.hpp"
#include "bough/search/project.hpp"

namespace bough {
namespace {

using Parted = std::vector<std::uint8_t>;  // by group of rows: 1 if it belongs to the first of the two

class DiscriminantSearch final : public ObliqueSearch {
 public:
  explicit DiscriminantSearch(const ObliqueNode& node) : node_(node), moments_(node) {}

  std::optional<std::vector<double>> weights(std::span<const std::size_t> use) override;
  [[nodiscard]] Found found() const override { return Found::discriminant; }
  [[nodiscard]] bool needs_rows() const override { return false; }

  struct Tried {
    Parted first;
    std::vector<double> weights;
    double gain = -std::numeric_limits<double>::infinity();
  };
  // The best two groups of the classes; no weights if there are none.
  [[nodiscard]] Tried best_groups(std::span<const std::size_t> use) const;
  [[nodiscard]] const std::vector<std::uint32_t>& group_of() const { return moments_.group_of(); }

 private:
  [[nodiscard]] double shrinkage(std::span<const std::size_t> use) const;
  // The direction for two groups of the classes, and what its best cut gains.
  [[nodiscard]] Tried try_groups(const Parted& first, std::span<const std::size_t> use, double shrinkage) const;
  [[nodiscard]] Tried best_of(const std::vector<Parted>& sides, std::span<const std::size_t> use,
                              double shrinkage) const;
  // Classes change groups one by one while that gains (Guo and Gelfand).
  [[nodiscard]] Tried exchange(Parted side, std::span<const std::size_t> use, double shrinkage) const;

  const ObliqueNode& node_;
  const GroupMoments moments_;
};

DiscriminantSearch::Tried DiscriminantSearch::try_groups(const Parted& first, std::span<const std::size_t> use,
                                                         double shrinkage) const {
  Tried tried;
  std::optional<std::vector<double>> direction = moments_.discriminant(first, use, shrinkage);
  if (!direction) return tried;
  const SumCut cut = scan(projected(node_.terms, use, *direction), node_);
  if (cut.any) tried.gain = cut.judged.gain;
  tried.first = first;
  tried.weights = std::move(*direction);
  return tried;
}

DiscriminantSearch::Tried DiscriminantSearch::best_of(const std::vector<Parted>& sides,
                                                      std::span<const std::size_t> use, double shrinkage) const {
  if (sides.size() == 1) {
    // Nothing to compare its gain with.
    Tried only;
    std::optional<std::vector<double>> direction = moments_.discriminant(sides.front(), use, shrinkage);
    if (!direction) return only;
    only.first = sides.front();
    only.weights = std::move(*direction);
    return only;
  }
  std::vector<Tried> tried(sides.size());
  parallel_for(
      sides.size(), node_.options.threads, [&] { node_.watch.ask(); },
      [&](std::size_t i, int) { tried[i] = try_groups(sides[i], use, shrinkage); });
  std::size_t best = 0;
  for (std::size_t i = 1; i < tried.size(); ++i) {
    if (tried[i].gain > tried[best].gain || tried[best].weights.empty()) best = i;
  }
  return std::move(tried[best]);
}

DiscriminantSearch::Tried DiscriminantSearch::exchange(Parted side, std::span<const std::size_t> use,
                                                       double shrinkage) const {
  constexpr int kRounds = 10;
  Tried best = try_groups(side, use, shrinkage);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Parted> moved;
    for (std::size_t g = 0; g < side.size(); ++g) {
      moved.push_back(side);
      moved.back()[g] ^= 1U;
    }
    std::erase_if(moved, [](const Parted& one) { return std::ranges::count(one, one.front()) == std::ssize(one); });
    std::vector<Tried> tried(moved.size());
    parallel_for(
        moved.size(), node_.options.threads, [&] { node_.watch.ask(); },
        [&](std::size_t i, int) { tried[i] = try_groups(moved[i], use, shrinkage); });
    const double before = best.gain;
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (tried[i].weights.empty() || !(tried[i].gain > best.gain * (1.0 + node_.options.tie))) continue;
      best = std::move(tried[i]);
      side = moved[i];
    }
    if (!(best.gain > before)) break;
  }
  return best;
}

std::optional<std::vector<double>> DiscriminantSearch::weights(std::span<const std::size_t> use) {
  if (moments_.by_value()) {
    if (moments_.groups() == 0) return std::nullopt;
    return moments_.ridge(use, shrinkage(use));
  }
  Tried best = best_groups(use);
  if (best.weights.empty()) return std::nullopt;
  return std::move(best.weights);
}

double DiscriminantSearch::shrinkage(std::span<const std::size_t> use) const {
  const double given = node_.options.oblique.shrinkage;
  return given < 0.0 ? moments_.shrinkage(use) : given;
}

DiscriminantSearch::Tried DiscriminantSearch::best_groups(std::span<const std::size_t> use) const {
  constexpr std::size_t kAll = 4;
  const std::size_t groups = moments_.groups();
  if (groups < 2) return {};
  const double shrinkage = this->shrinkage(use);
  Tried best;
  switch (node_.options.oblique.grouping) {
    case Grouping::two_means:
      best = try_groups(two_means(moments_, use), use, shrinkage);
      break;
    case Grouping::one_vs_rest:
      best = best_of(one_against_rest(groups), use, shrinkage);
      break;
    case Grouping::all:
      best = best_of(all_groupings(groups), use, shrinkage);
      break;
    case Grouping::automatic:
      best = groups <= kAll ? best_of(all_groupings(groups), use, shrinkage)
                            : exchange(farthest_two(moments_, use), use, shrinkage);
      break;
  }
  return best;
}

}  // namespace

std::unique_ptr<ObliqueSearch> make_discriminant(const ObliqueNode& node) {
  return std::make_unique<DiscriminantSearch>(node);
}

std::vector<std::uint8_t> groups_of_rows(const ObliqueNode& node, std::span<const std::size_t> use) {
  const DiscriminantSearch search(node);
  const Parted first = search.best_groups(use).first;
  std::vector<std::uint8_t> side;
  if (first.empty()) return side;
  for (const std::uint32_t group : search.group_of()) side.push_back(first[group]);
  return side;
}

}  // namespace bough
