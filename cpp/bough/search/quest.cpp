// See quest.hpp. Here too: the weights of a sum, by the discriminant of two groups of the classes after every nominal
// column has become one number.
#include "bough/search/quest.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bough/base/distributions.hpp"
#include "bough/criterion/side.hpp"
#include "bough/feature/row.hpp"
#include "bough/search/crimcoords.hpp"
#include "bough/search/groups.hpp"
#include "bough/search/moments.hpp"
#include "bough/search/oblique.hpp"
#include "bough/search/project.hpp"
#include "bough/search/two_normals.hpp"
#include "bough/stats/significance.hpp"

namespace bough {
namespace {

// By cell: its number, around the middle of all and so scaled that squares neither overflow nor vanish. Infinite values
// have no distance: then places stand for the values.
std::vector<double> numbers(const OpenColumn& column) {
  const RankedColumn& ranked = column.table.columns[column.column];
  const Cells& cells = column.cells;
  const std::int64_t origin = origin_of(ranked, *column.node.held);
  std::vector<double> value(cells.size());
  for (std::size_t v = 0; v < value.size(); ++v) value[v] = number_at(ranked.view, cells.row[v], origin);
  if (!std::isfinite(value.front()) || !std::isfinite(value.back())) std::iota(value.begin(), value.end(), 0.0);
  const double unit = unit_for(std::max(std::abs(value.front()), std::abs(value.back())));
  double all = 0.0;
  double mean = 0.0;
  for (std::size_t v = 0; v < value.size(); ++v) {
    value[v] *= unit;
    all += cells.table.weight[v];
    mean += cells.table.weight[v] * value[v];
  }
  for (double& one : value) one -= mean / all;
  return value;
}

// A row of class weights for each cell: of rows, or as the classes count.
std::vector<double> contingency(const OpenColumn& column, bool counted) {
  const std::size_t classes = column.target.classes;
  const std::vector<double> number(column.cells.size(), 0.0);
  const KnownRows known = known_rows(column, number);
  const std::vector<std::uint32_t>& begin = column.cells.begin;
  std::vector<double> count(column.cells.size() * classes, 0.0);
  for (std::size_t v = 0; v < column.cells.size(); ++v) {
    for (std::size_t i = begin[v]; i < begin[v + 1]; ++i)
      count[v * classes + known.label[i]] += counted ? known.counts[i] : known.weight[i];
  }
  return count;
}

// log p of equal means; sums of squares up to `nothing` are rounding.
double log_p_of_means(const std::vector<Moments>& groups, double nothing) {
  double weight = 0.0;
  double mean = 0.0;
  double present = 0.0;
  for (const Moments& one : groups) {
    weight += one.weight;
    mean += one.weight * one.mean;
    present += one.weight > 0.0 ? 1.0 : 0.0;
  }
  mean /= weight;
  double between = 0.0;
  double within = 0.0;
  for (const Moments& one : groups) {
    between += one.weight * (one.mean - mean) * (one.mean - mean);
    within += one.squares;
  }
  const double above = present - 1.0;
  const double below = weight - present;
  if (!(above > 0.0) || !(below > 0.0) || !(between > nothing)) return 0.0;
  return within > nothing ? log_f_tail((between / above) / (within / below), above, below) : -HUGE_VAL;
}

}  // namespace

Evidence evidence_of(const OpenColumn& column) {
  Evidence found;
  found.tested = column.cells.size() > 1;
  const std::size_t classes = column.target.classes;
  if (column.nominal()) {
    if (found.tested) found.means = log_p_of_difference({contingency(column, false), classes, true});
    return found;
  }
  found.spreads = 0.0;
  if (!found.tested) return found;
  constexpr double kRounding = 1e-20;
  KnownRows known = known_rows(column, numbers(column));
  const std::vector<Moments> groups = moments_by_group(known.value, known.label, known.weight, classes);
  double squares = 0.0;
  for (std::size_t i = 0; i < known.value.size(); ++i) squares += known.weight[i] * known.value[i] * known.value[i];
  found.means = log_p_of_means(groups, kRounding * squares);
  for (std::size_t i = 0; i < known.value.size(); ++i)
    known.value[i] = std::abs(known.value[i] - groups[known.label[i]].mean);
  found.spreads =
      log_p_of_means(moments_by_group(known.value, known.label, known.weight, classes), kRounding * squares);
  return found;
}

std::vector<double> worth_by_evidence(const std::vector<Evidence>& evidence, double level) {
  std::vector<std::size_t> order;
  double tests = 0.0;
  for (std::size_t c = 0; c < evidence.size(); ++c) {
    if (!evidence[c].tested) continue;
    order.push_back(c);
    tests += evidence[c].spreads ? 2.0 : 1.0;
  }
  std::vector<double> worth(evidence.size(), 0.0);
  if (order.empty()) return worth;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return evidence[a].means < evidence[b].means; });
  if (!(evidence[order.front()].means < std::log(level / static_cast<double>(order.size())))) {
    std::vector<std::size_t> numeric;
    for (std::size_t c = 0; c < evidence.size(); ++c) {
      if (evidence[c].tested && evidence[c].spreads) numeric.push_back(c);
    }
    const auto spreads = [&](std::size_t c) { return *evidence[c].spreads; };
    const auto widest = std::ranges::min_element(numeric, {}, spreads);
    if (widest != numeric.end() && spreads(*widest) < std::log(level / tests)) {
      const auto at = std::ranges::find(order, *widest);
      std::rotate(order.begin(), at, at + 1);
    }
  }
  for (std::size_t place = 0; place < order.size(); ++place)
    worth[order[place]] = static_cast<double>(order.size() - place);
  return worth;
}

ColumnTest quadratic_point(OpenColumn& column) {
  if (column.cells.size() < 2) return {};
  const std::size_t classes = column.target.classes;
  const std::vector<double> value = column.nominal() ? crimcoords(contingency(column, true), classes) : numbers(column);
  const KnownRows known = known_rows(column, value);
  std::vector<std::vector<double>> means;
  std::vector<double> weight;
  std::vector<std::size_t> present;
  const std::vector<Moments> moments = moments_by_group(known.value, known.label, known.counts, classes);
  for (std::size_t k = 0; k < classes; ++k) {
    if (!(moments[k].weight > 0.0)) continue;
    present.push_back(k);
    means.push_back({moments[k].mean});
    weight.push_back(moments[k].weight);
  }
  if (present.size() < 2) return {};
  const std::vector<std::uint8_t> side = two_means(means, weight);
  std::vector<std::uint8_t> first(classes, 0);
  for (std::size_t g = 0; g < present.size(); ++g) first[present[g]] = side[g];
  ColumnTest test = part_at_point(column, value, first);
  if (column.nominal()) test.found = classes == 2 ? Found::ordered : Found::pca;
  return test;
}

namespace {

class Quest final : public ObliqueSearch {
 public:
  explicit Quest(const ObliqueNode& node) : node_(node) {}

  std::optional<std::vector<double>> weights(std::span<const std::size_t> use) override;
  [[nodiscard]] std::optional<SumCut> cut(std::span<const double> sums) const override;
  [[nodiscard]] Found found() const override { return Found::quadratic_point; }
  [[nodiscard]] bool needs_rows() const override { return false; }

 private:
  [[nodiscard]] std::vector<TermSum> numbered(std::span<const std::size_t> use) const;
  [[nodiscard]] TermSum scores(std::span<const std::size_t> terms) const;

  const ObliqueNode& node_;
  std::vector<std::uint8_t> first_;  // by class: whether it is in the first of the two groups
};

// One nominal column as a number: weights of the indicators of its levels, the reference counting as level 0.
TermSum Quest::scores(std::span<const std::size_t> terms) const {
  const RankedColumn& column = node_.table.columns[static_cast<std::size_t>(node_.terms.column_of(terms.front()))];
  const std::size_t classes = node_.target.classes;
  std::vector<std::size_t> level(column.ranks, 0);
  for (std::size_t j = 0; j < terms.size(); ++j)
    level[static_cast<std::size_t>(node_.terms.term(terms[j]).code)] = j + 1;
  std::vector<double> count((terms.size() + 1) * classes, 0.0);
  for (std::size_t i = 0; i < node_.terms.rows(); ++i) {
    const std::uint32_t row = node_.node.held->row[i];
    if (!column.is_missing(row)) count[level[column.rank[row]] * classes + node_.label(i)] += node_.effective(i);
  }
  const std::vector<double> score = crimcoords(count, classes);
  TermSum sum;
  for (std::size_t j = 0; j < terms.size(); ++j)
    sum.emplace_back(terms[j], (score[j + 1] - score[0]) * node_.terms.term(terms[j]).scale);
  return sum;
}

// The columns of these terms, each as one number.
std::vector<TermSum> Quest::numbered(std::span<const std::size_t> use) const {
  std::vector<TermSum> columns;
  for (std::size_t j = 0; j < use.size();) {
    std::size_t end = j + 1;
    while (end < use.size() && node_.terms.column_of(use[end]) == node_.terms.column_of(use[j])) ++end;
    const bool nominal = node_.terms.term(use[j]).code >= 0;
    columns.push_back(nominal ? scores(use.subspan(j, end - j)) : TermSum{{use[j], 1.0}});
    j = end;
  }
  return columns;
}

std::optional<std::vector<double>> Quest::weights(std::span<const std::size_t> use) {
  std::vector<TermSum> columns = numbered(use);
  const NodeTerms terms = node_.terms.combined(columns);
  const ObliqueNode node{node_.table, node_.target, node_.options, node_.node, node_.judge, node_.watch, terms};
  const GroupMoments moments(node);
  if (moments.groups() < 2) return std::nullopt;
  std::vector<std::size_t> every(columns.size());
  std::iota(every.begin(), every.end(), std::size_t{0});
  const std::vector<std::uint8_t> side = two_means(moments, every);
  first_.assign(node_.target.classes, 0);
  for (std::size_t i = 0; i < node_.terms.rows(); ++i) {
    if (node_.effective(i) > 0.0) first_[node_.label(i)] = side[moments.group_of()[i]];
  }
  const double given = node_.options.oblique.shrinkage;
  const std::optional<std::vector<double>> direction =
      moments.discriminant(side, every, given < 0.0 ? moments.shrinkage(every) : given);
  if (!direction) return std::nullopt;
  std::vector<double> weights;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const auto& [term, factor] : columns[c]) weights.push_back((*direction)[c] * factor);
  }
  return weights;
}

std::optional<SumCut> Quest::cut(std::span<const double> sums) const {
  return cut_by(sums, node_, [&](OpenColumn& column) {
    const Cells& cells = column.cells;
    std::vector<double> value(cells.size());
    for (std::size_t v = 0; v < value.size(); ++v) value[v] = sums[cells.order[cells.begin[v]]];
    return cells.size() < 2 ? ColumnTest{} : part_at_point(column, value, first_);
  });
}

}  // namespace

std::unique_ptr<ObliqueSearch> make_quest(const ObliqueNode& node) { return std::make_unique<Quest>(node); }

}  // namespace bough
