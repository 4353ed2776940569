// Tests of weighted sums of columns. Every search is a class in a file of its own that finds the weights of some of the
// terms of a node; what is common is here: the choice of terms, and the threshold, which is looked for once more among
// sums made with the weights as they are stored, so that growing and predicting can never part.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bough/base/random.hpp"
#include "bough/base/watch.hpp"
#include "bough/criterion/judge.hpp"
#include "bough/engine/open/cells.hpp"
#include "bough/engine/options.hpp"
#include "bough/search/candidate.hpp"
#include "bough/search/terms.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// What a search of sums looks at.
struct ObliqueNode {
  const RankedTable& table;
  const Target& target;
  const GrowOptions& options;
  const NodeView& node;
  const Judge& judge;
  Watch& watch;
  const NodeTerms& terms;

  // What a row counts where classes or values are weighed: by position.
  [[nodiscard]] double effective(std::size_t i) const {
    const double scale = target.classes > 0 ? target.growth_scale[target.label[node.held->row[i]]] : 1.0;
    return terms.weights()[i] * scale;
  }
  [[nodiscard]] std::uint32_t label(std::size_t i) const { return target.label[node.held->row[i]]; }
  // Random numbers of one task of this node.
  [[nodiscard]] Random random(std::uint64_t task) const {
    Random mixed(options.selection.seed ^ (node.key * 0x9e3779b97f4a7c15U));
    return Random(mixed.next() ^ (task * 0xd1342543de82ef95U));
  }
};

// A cut of some values.
struct SumCut {
  bool any = false;
  Judgement judged;
  double low = 0.0;  // the values around it
  double high = 0.0;
  double low_share = 0.5;  // of the known weight below
  std::int32_t missing = -1;  // the branch of rows without a value, -1: the missing rule decides
};

class ObliqueSearch {
 public:
  ObliqueSearch() = default;
  ObliqueSearch(const ObliqueSearch&) = delete;
  ObliqueSearch& operator=(const ObliqueSearch&) = delete;
  virtual ~ObliqueSearch() = default;

  // The weights of these terms, standardised as they are in the node; none if there are no good ones.
  [[nodiscard]] virtual std::optional<std::vector<double>> weights(std::span<const std::size_t> use) = 0;
  // Where to cut the sums that were made with the weights found last; none: where the criterion gains most.
  [[nodiscard]] virtual std::optional<SumCut> cut(std::span<const double> sums) const {
    static_cast<void>(sums);
    return std::nullopt;
  }
  // How the weights were found.
  [[nodiscard]] virtual Found found() const = 0;
  // Whether it needs more than two rows a term.
  [[nodiscard]] virtual bool needs_rows() const { return true; }
  // Of the weights found last: 0 for those of a sum; else they are the numbers of a Layer of so many units.
  [[nodiscard]] virtual std::int32_t units() const { return 0; }
};

[[nodiscard]] std::unique_ptr<ObliqueSearch> make_discriminant(const ObliqueNode& node);  // discriminant.cpp
// By position: 1 for rows of the first of the two groups of classes that discriminants of these terms tell apart best;
// empty if none does.
[[nodiscard]] std::vector<std::uint8_t> groups_of_rows(const ObliqueNode& node, std::span<const std::size_t> use);
// perturb.cpp; it begins with these weights of all terms, or without any with planes of its own.
[[nodiscard]] std::unique_ptr<ObliqueSearch> make_perturb(const ObliqueNode& node, std::vector<double> from = {});
[[nodiscard]] std::unique_ptr<ObliqueSearch> make_linear_combination(
    const ObliqueNode& node);  // linear_combination.cpp
[[nodiscard]] std::unique_ptr<ObliqueSearch> make_written(const ObliqueNode& node);  // written.cpp
[[nodiscard]] std::unique_ptr<ObliqueSearch> make_quest(const ObliqueNode& node);  // quest.cpp
[[nodiscard]] std::unique_ptr<ObliqueSearch> make_gradient(const ObliqueNode& node);  // gradient.cpp

// A sum for each class, or the intervals of a column in which one class wins; column -1 if there are none
// (machine.cpp).
[[nodiscard]] Candidate best_machine(const ObliqueNode& node);

// The test of a sum of these terms, or of a layer that they feed, cut where the search says or else where that gains
// most; column -1 if there is none.
[[nodiscard]] Candidate test_of(const ObliqueNode& node, std::vector<LinearTerm> stored, Found found, Layer layer = {},
                                const ObliqueSearch* search = nullptr);
// The best test of a sum in a node; column -1 if there is none.
[[nodiscard]] Candidate best_sum(const RankedTable& table, const Target& target, const GrowOptions& options,
                                 const NodeView& node, const std::vector<std::uint8_t>& allowed, const Judge& judge,
                                 Watch& watch);
// The best curve: a test of a sum of numbers and products of numbers.
[[nodiscard]] Candidate best_curve(const RankedTable& table, const Target& target, const GrowOptions& options,
                                   const NodeView& node, const std::vector<std::uint8_t>& allowed, const Judge& judge,
                                   Watch& watch);  // curved.cpp

}  // namespace bough
