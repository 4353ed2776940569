#include "bough/search/value_table.hpp"

#include <cmath>
#include <numeric>

#include "bough/criterion/class_drop.hpp"
#include "bough/criterion/side.hpp"

namespace bough {

void TwoSides::start(const ValueTable& table) {
  rows[0] = weight[0] = rows[1] = weight[1] = 0.0;
  stat[0].assign(table.width, 0.0);
  stat[1].assign(table.width, 0.0);
  for (std::size_t v = 0; v < table.size(); ++v) {
    rows[1] += table.rows[v];
    weight[1] += table.weight[v];
    for (std::size_t k = 0; k < table.width; ++k) stat[1][k] += table.at(v)[k];
  }
}

void TwoSides::move(const ValueTable& table, std::size_t value, int to) {
  const int from = 1 - to;
  rows[to] += table.rows[value];
  rows[from] -= table.rows[value];
  weight[to] += table.weight[value];
  weight[from] -= table.weight[value];
  const double* moved = table.at(value);
  for (std::size_t k = 0; k < table.width; ++k) {
    stat[to][k] += moved[k];
    stat[from][k] -= moved[k];
  }
}

bool TwoSides::exceed_rounding(const Answers& answers, std::uint64_t moves) const {
  const auto amount = [&](const std::vector<double>& of) {
    return answers.regression ? of[0] : std::accumulate(of.begin(), of.end(), 0.0);
  };
  const double less = std::min(amount(stat[0]), amount(stat[1]));
  return less > 0.0 && less >= (rows[0] + rows[1] + static_cast<double>(moves)) * rounding;
}

std::vector<std::uint32_t> order_by_share(const ValueTable& table, std::size_t numerator, std::size_t parts) {
  std::vector<double> share(table.size());
  for (std::size_t v = 0; v < table.size(); ++v) {
    const double* stat = table.at(v);
    const double mass = std::accumulate(stat, stat + parts, 0.0);
    share[v] = mass > 0.0 ? stat[numerator] / mass : 0.0;  // a level may hold only classes of prior 0
  }
  std::vector<std::uint32_t> order(table.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return share[a] < share[b]; });
  return order;
}

namespace {

// Class shares of each value, less the shares of the node.
struct CentredShares {
  std::vector<double> share;
  std::vector<double> mass;
};

CentredShares centred_shares(const ValueTable& table) {
  const std::size_t classes = table.width;
  CentredShares centred{std::vector<double>(table.size() * classes), std::vector<double>(table.size())};
  std::vector<double> mean(classes, 0.0);
  double total = 0.0;
  for (std::size_t v = 0; v < table.size(); ++v) {
    const double* stat = table.at(v);
    centred.mass[v] = std::accumulate(stat, stat + classes, 0.0);
    total += centred.mass[v];
    for (std::size_t k = 0; k < classes; ++k) mean[k] += stat[k];
  }
  for (std::size_t v = 0; v < table.size(); ++v) {
    for (std::size_t k = 0; k < classes; ++k) {
      centred.share[v * classes + k] = centred.mass[v] > 0.0 ? table.at(v)[k] / centred.mass[v] - mean[k] / total : 0.0;
    }
  }
  // Masses are compared with each other only.
  const double unit = unit_for(total);
  for (double& mass : centred.mass) mass *= unit;
  return centred;
}

// Power iteration on the covariance of the shares, never formed; it starts at the value farthest from the mean, so
// that the result does not depend on chance.
std::vector<double> first_component(const CentredShares& centred, std::size_t values, std::size_t classes) {
  std::size_t farthest = 0;
  double most = -1.0;
  for (std::size_t v = 0; v < values; ++v) {
    double norm = 0.0;
    for (std::size_t k = 0; k < classes; ++k) norm += centred.share[v * classes + k] * centred.share[v * classes + k];
    if (centred.mass[v] * norm > most) {
      most = centred.mass[v] * norm;
      farthest = v;
    }
  }
  const auto start = centred.share.begin() + static_cast<std::ptrdiff_t>(farthest * classes);
  std::vector<double> direction(start, start + static_cast<std::ptrdiff_t>(classes));
  std::vector<double> next(classes);
  for (int iteration = 0; iteration < 200; ++iteration) {
    std::fill(next.begin(), next.end(), 0.0);
    for (std::size_t v = 0; v < values; ++v) {
      const double* share = centred.share.data() + v * classes;
      const double along = centred.mass[v] * std::inner_product(direction.begin(), direction.end(), share, 0.0);
      for (std::size_t k = 0; k < classes; ++k) next[k] += along * share[k];
    }
    const double length = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
    if (!(length > 0.0)) break;
    double change = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      next[k] /= length;
      change = std::max(change, std::abs(next[k] - direction[k]));
    }
    direction = next;
    if (change < 1e-12) break;
  }
  return direction;
}

}  // namespace

std::vector<std::uint32_t> order_by_component(const ValueTable& table) {
  const CentredShares centred = centred_shares(table);
  const std::vector<double> direction = first_component(centred, table.size(), table.width);
  std::vector<double> along(table.size());
  for (std::size_t v = 0; v < table.size(); ++v) {
    along[v] = std::inner_product(direction.begin(), direction.end(), centred.share.data() + v * table.width, 0.0);
  }
  std::vector<std::uint32_t> order(table.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return along[a] < along[b]; });
  return order;
}

namespace {

// The table with the classes of one superclass and those of the other added up.
void fold_classes(const ValueTable& table, const std::vector<std::uint8_t>& super, ValueTable& folded) {
  folded.stat.assign(table.size() * 2, 0.0);
  for (std::size_t v = 0; v < table.size(); ++v) {
    for (std::size_t k = 0; k < table.width; ++k) folded.stat[v * 2 + super[k]] += table.at(v)[k];
  }
}

}  // namespace

Subset subset_by_superclasses(const ValueTable& table, TwoingImpurity impurity, const CutLimits& limits, double floor,
                              TwoSides& sides) {
  const std::size_t classes = table.width;
  std::vector<std::vector<std::uint8_t>> supers;
  if (classes <= kSuperclassed) {
    for (std::uint32_t bits = 1; bits < (std::uint32_t{1} << (classes - 1)); ++bits) {
      std::vector<std::uint8_t> super(classes, 1);
      for (std::size_t k = 0; k < classes; ++k) super[k] = ((bits >> k) & 1U) != 0 ? 0 : 1;
      supers.push_back(std::move(super));
    }
  } else {
    for (std::size_t k = 0; k < classes; ++k) {
      supers.emplace_back(classes, 1);
      supers.back()[k] = 0;
    }
    const std::vector<double> direction = first_component(centred_shares(table), table.size(), classes);
    supers.emplace_back(classes, 1);
    for (std::size_t k = 0; k < classes; ++k) supers.back()[k] = direction[k] < 0.0 ? 0 : 1;
  }
  ValueTable folded;
  folded.width = 2;
  folded.code = table.code;
  folded.rows = table.rows;
  folded.weight = table.weight;
  Subset best;
  const TwoBranchDrop two = drop_of_two_classes(impurity);
  for (const auto& super : supers) {
    fold_classes(table, super, folded);
    const std::vector<std::uint32_t> order = order_by_share(folded, 0, 2);
    const Cut cut = cut_table(folded, order.data(), two, limits, floor, sides, {});
    if (cut.position == 0 || (best.any && cut.drop <= best.drop * (1.0 + limits.tie))) continue;
    best = subset_of_cut(table, order.data(), cut, classes <= kSuperclassed ? Found::exact : Found::superclass);
  }
  if (!best.any) return best;
  // Another superclass may suit the set better, if its own best cut was not admissible.
  sides.start(table);
  for (std::size_t v = 0; v < table.size(); ++v) {
    if (best.low[v] != 0) sides.move(table, v, 0);
  }
  if (!sides.hold({}, table.size())) return {};
  const double *low = sides.stat[0].data(), *high = sides.stat[1].data();
  best.drop =
      impurity == TwoingImpurity::gini ? TwoingDrop{classes}(low, high) : SuperclassDrop(classes, impurity)(low, high);
  return best;
}

}  // namespace bough
