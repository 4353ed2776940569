// See written.hpp. Classes become two groups once, by the discriminant: each goes with the side of its cut where more
// of it lies. Nodes of few rows are searched by the discriminant alone.
#include "bough/search/written.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bough/search/drawn_rows.hpp"
#include "bough/search/moments.hpp"
#include "bough/search/oblique.hpp"
#include "bough/search/project.hpp"

namespace bough {
namespace {

class WrittenSearch final : public ObliqueSearch {
 public:
  explicit WrittenSearch(const ObliqueNode& node) : node_(node), discriminant_(make_discriminant(node)) {}

  std::optional<std::vector<double>> weights(std::span<const std::size_t> use) override;
  [[nodiscard]] Found found() const override { return found_; }
  [[nodiscard]] bool needs_rows() const override { return false; }
  [[nodiscard]] std::int32_t units() const override { return units_; }

 private:
  [[nodiscard]] bool settle_targets();
  // By class of the target, whether it is in the first of two groups.
  [[nodiscard]] std::vector<std::uint8_t> groups();

  const ObliqueNode& node_;
  std::unique_ptr<ObliqueSearch> discriminant_;
  std::vector<std::uint32_t> rows_;
  std::vector<double> target_;  // of the rows
  bool settled_ = false;
  std::int32_t units_ = 0;
  Found found_ = Found::written;
};

std::vector<std::uint8_t> WrittenSearch::groups() {
  std::vector<double> all(node_.target.classes, 0.0);
  for (const std::uint32_t i : rows_) all[node_.label(i)] += node_.effective(i);
  std::vector<std::uint8_t> first(all.size(), 0);
  const auto largest = static_cast<std::size_t>(std::ranges::max_element(all) - all.begin());
  first[largest] = 1;
  if (std::ranges::count_if(all, [](double weight) { return weight > 0.0; }) < 3) return first;
  std::vector<std::size_t> use(node_.terms.count());
  std::iota(use.begin(), use.end(), std::size_t{0});
  const std::optional<std::vector<double>> direction = discriminant_->weights(use);
  if (!direction) return first;
  const std::vector<double> along = projected(node_.terms, use, *direction);
  const SumCut cut = scan(along, node_);
  if (!cut.any) return first;
  std::vector<double> low(all.size(), 0.0);
  std::ranges::fill(all, 0.0);
  for (std::size_t i = 0; i < along.size(); ++i) {
    if (std::isnan(along[i])) continue;
    all[node_.label(i)] += node_.effective(i);
    if (along[i] <= cut.low) low[node_.label(i)] += node_.effective(i);
  }
  std::vector<std::uint8_t> side(all.size(), 0);
  bool one = false;
  bool two = false;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!(all[k] > 0.0)) continue;
    side[k] = 2.0 * low[k] > all[k] ? 1 : 0;
    (side[k] == 1 ? one : two) = true;
  }
  return one && two ? side : first;
}

bool WrittenSearch::settle_targets() {
  if (settled_) return !target_.empty();
  settled_ = true;
  rows_ = drawn_rows(node_, node_.terms.positions(false), static_cast<std::size_t>(node_.options.oblique.search_rows));
  std::erase_if(rows_, [&](std::uint32_t i) { return !(node_.effective(i) > 0.0); });
  std::vector<std::uint8_t> first;
  if (node_.target.classes > 0) first = groups();
  for (const std::uint32_t i : rows_) {
    target_.push_back(node_.target.classes > 0 ? static_cast<double>(first[node_.label(i)]) : node_.node.value[i]);
  }
  const auto same = [&](double y) { return y == target_.front(); };
  if (!target_.empty() && std::ranges::all_of(target_, same)) target_.clear();
  return !target_.empty();
}

std::optional<std::vector<double>> WrittenSearch::weights(std::span<const std::size_t> use) {
  const double rows = node_.node.stats->weight;
  units_ = 0;
  if (rows < static_cast<double>(node_.options.oblique.find_rows) || !(rows > 2.0 * static_cast<double>(use.size()))) {
    found_ = discriminant_->found();
    return discriminant_->weights(use);
  }
  if (!settle_targets()) return std::nullopt;
  Finder::Question asked;
  asked.rows = rows_.size();
  asked.terms = use.size();
  asked.term.reserve(rows_.size() * use.size());
  for (const std::uint32_t i : rows_) {
    for (const std::size_t t : use) asked.term.push_back(node_.terms.column(t)[i]);
    asked.weight.push_back(node_.effective(i));
  }
  asked.target = target_;
  asked.key = node_.random(1).next();
  Finder::Answer answer = node_.options.finder->find(std::move(asked));
  if (answer.weight.empty()) return std::nullopt;
  units_ = answer.units;
  found_ = units_ > 0 ? Found::network : node_.options.oblique.found;
  return std::move(answer.weight);
}

}  // namespace

std::unique_ptr<ObliqueSearch> make_written(const ObliqueNode& node) { return std::make_unique<WrittenSearch>(node); }

}  // namespace bough
