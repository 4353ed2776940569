// See oblique.hpp.
#include "bough/search/oblique.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bough/search/project.hpp"
#include "bough/split/threshold.hpp"

namespace bough {
namespace {

constexpr double kKept = 0.95;   // backward: share of the gain of all terms that a smaller sum must keep
constexpr double kGrowth = 1.05;  // forward: what one more column must multiply the gain by

// The threshold between two sums.
Threshold between(const SumCut& cut, const GrowOptions& options) {
  const double values[2] = {cut.low, cut.high};
  ColumnView view;
  view.data = values;
  return threshold_between(view, 0, 1, cut.low_share, options.cut, options.side);
}

std::unique_ptr<ObliqueSearch> make_search(const ObliqueNode& node) {
  switch (node.options.selection.search) {
    case SearchRule::perturb:
      return make_perturb(node);
    case SearchRule::linear_combination:
      return make_linear_combination(node);
    case SearchRule::written:
      return make_written(node);
    case SearchRule::quest:
      return make_quest(node);
    case SearchRule::gradient:
      return make_gradient(node);
    default:
      return make_discriminant(node);
  }
}

// The sums of one node: a test for any choice of its terms.
class SumSearch {
 public:
  explicit SumSearch(const ObliqueNode& node) : node_(node), search_(make_search(node)) {}

  [[nodiscard]] Candidate best() {
    std::vector<std::size_t> use(node_.terms.count());
    std::iota(use.begin(), use.end(), std::size_t{0});
    const ObliqueOptions& options = node_.options.oblique;
    if (options.sparse == Sparse::forward) return forward();
    Candidate all = test(use);
    return options.sparse == Sparse::backward && all.column >= 0 ? backward(std::move(all), use) : std::move(all);
  }

 private:
  // The test of the terms in `use`; column -1 if there is none. A single term is none: the column has offered it.
  [[nodiscard]] Candidate test(std::span<const std::size_t> use);
  [[nodiscard]] Candidate backward(Candidate best, std::vector<std::size_t> use);
  [[nodiscard]] Candidate forward();

  const ObliqueNode& node_;
  std::unique_ptr<ObliqueSearch> search_;
};

Candidate SumSearch::test(std::span<const std::size_t> use) {
  if (use.size() < 2) return {};
  if (search_->needs_rows() && !(node_.node.stats->weight > 2.0 * static_cast<double>(use.size()))) return {};
  const std::optional<std::vector<double>> weights = search_->weights(use);
  if (!weights) return {};
  Layer layer{search_->units(), {}};
  std::vector<LinearTerm> stored =
      layer.units > 0 ? node_.terms.stored(use, *weights, layer) : node_.terms.stored(use, *weights);
  return test_of(node_, std::move(stored), search_->found(), std::move(layer), search_.get());
}

// Drops the term that weighs least while nearly all of the gain stays.
Candidate SumSearch::backward(Candidate best, std::vector<std::size_t> use) {
  const double least = kKept * best.gain;
  while (best.open->sum.size() > 2) {
    const std::vector<LinearTerm>& sum = best.open->sum;
    const auto size = [](const LinearTerm& term) { return std::abs(term.weight) * term.scale; };
    const auto smallest = std::ranges::min_element(sum, {}, size);
    std::erase_if(use, [&](std::size_t t) { return node_.terms.term(t).asks_as(*smallest); });
    Candidate fewer = test(use);
    if (fewer.column < 0 || !(fewer.gain >= least)) break;
    best = std::move(fewer);
  }
  return best;
}

// Starts with the column whose own cut gains most and adds the column, with all its terms, that gains most.
Candidate SumSearch::forward() {
  const NodeTerms& terms = node_.terms;
  std::vector<std::size_t> use;
  std::vector<std::int32_t> columns;
  const auto with = [&](std::int32_t column) {
    std::vector<std::size_t> more = use;
    for (std::size_t t = 0; t < terms.count(); ++t) {
      if (terms.column_of(t) == column) more.push_back(t);
    }
    std::ranges::sort(more);
    return more;
  };
  double gain = 0.0;
  std::int32_t first = -1;
  for (std::size_t t = 0; t < terms.count(); ++t) {
    const SumCut cut = scan(terms.column(t), node_);
    if (!cut.any || !(cut.judged.gain > gain)) continue;
    gain = cut.judged.gain;
    first = terms.column_of(t);
  }
  Candidate best;
  if (first < 0) return best;
  use = with(first);
  columns.push_back(first);
  while (columns.size() < static_cast<std::size_t>(node_.options.oblique.max_terms)) {
    Candidate next;
    std::int32_t chosen = -1;
    for (std::size_t t = 0; t < terms.count(); ++t) {
      const std::int32_t column = terms.column_of(t);
      if ((t > 0 && terms.column_of(t - 1) == column) || std::ranges::find(columns, column) != columns.end()) continue;
      Candidate one = test(with(column));
      if (one.column < 0 || !(one.gain > kGrowth * gain) || (chosen >= 0 && !(one.gain > next.gain))) continue;
      next = std::move(one);
      chosen = column;
    }
    if (chosen < 0) break;
    use = with(chosen);
    columns.push_back(chosen);
    gain = next.gain;
    best = std::move(next);
  }
  return best;
}

}  // namespace

Candidate test_of(const ObliqueNode& node, std::vector<LinearTerm> stored, Found found, Layer layer,
                  const ObliqueSearch* search) {
  Candidate candidate;
  if (stored.size() < 2) return candidate;
  const std::vector<double> sums = node.terms.sums(stored, layer);
  const std::optional<SumCut> own = search == nullptr ? std::nullopt : search->cut(sums);
  const SumCut cut = own ? *own : scan(sums, node);
  if (!cut.any) return candidate;
  candidate.column = stored.front().column;
  candidate.gain = cut.judged.gain;
  candidate.worth = cut.judged.ratio;
  candidate.missing = cut.missing;
  candidate.found = found;
  candidate.open = std::make_unique<OpenTest>();
  candidate.open->fixed = {between(cut, node.options)};
  candidate.open->branch = {0, 1};
  candidate.open->sum = std::move(stored);
  candidate.open->layer = std::move(layer);
  candidate.open->whole = node.options.oblique.whole;
  return candidate;
}

Candidate best_sum(const RankedTable& table, const Target& target, const GrowOptions& options, const NodeView& node,
                   const std::vector<std::uint8_t>& allowed, const Judge& judge, Watch& watch) {
  if (options.selection.search == SearchRule::curved) {
    return best_curve(table, target, options, node, allowed, judge, watch);
  }
  const NodeTerms terms(table, node, allowed, options.oblique, options.threads);
  const ObliqueNode oblique{table, target, options, node, judge, watch, terms};
  if (options.selection.search == SearchRule::machine) return best_machine(oblique);
  if (terms.count() < 2) return {};
  return SumSearch(oblique).best();
}

}  // namespace bough
