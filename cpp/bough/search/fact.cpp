// FACT (Loh and Vanichsetakul 1988): linear discriminant functions on the principal components of a node, or in one
// dimension, on the column of the largest F ratio; where no mean differs much, on how far its values lie from theirs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "bough/base/linear_algebra.hpp"
#include "bough/search/machine.hpp"

namespace bough {
namespace {

constexpr double kComponent = 0.05;  // of the largest eigenvalue: smaller components are left out
constexpr double kRidge = 1e-8;
constexpr double kRounding = 1e-20;  // of all squares: what rounding leaves of none
constexpr double kTie = 1e-10;  // relative: ratios that differ by less are equal, and the first wins
constexpr double kLeastF = 4.0;  // below, spreads are compared in place of means

// Weight, mean and variance within the groups of some numbers; `known` has the positions that count.
struct OneWay {
  std::vector<double> weight;
  std::vector<double> mean;
  double centre = 0.0;
  double within = 0.0;
  double between = 0.0;
  double all = 0.0;

  // By analysis of variance; 0 where there is nothing to compare.
  [[nodiscard]] double ratio() const {
    const auto groups = static_cast<double>(std::ranges::count_if(weight, [](double w) { return w > 0.0; }));
    const double rest = all - groups;
    if (groups < 2.0 || !(rest > 0.0) || !(between > 0.0)) return 0.0;
    if (!(between > kRounding * (within + between))) return 0.0;
    if (!(within > kRounding * between)) return std::numeric_limits<double>::infinity();
    return between / (groups - 1.0) / (within / rest);
  }
};

OneWay one_way(const ObliqueNode& node, const GroupMoments& moments, const std::vector<double>& value,
               const std::vector<std::uint32_t>& known) {
  OneWay found;
  found.weight.assign(moments.groups(), 0.0);
  found.mean.assign(moments.groups(), 0.0);
  for (const std::uint32_t i : known) {
    const std::uint32_t group = moments.group_of()[i];
    found.weight[group] += node.effective(i);
    found.mean[group] += node.effective(i) * value[i];
  }
  for (std::size_t g = 0; g < found.mean.size(); ++g) {
    found.all += found.weight[g];
    found.centre += found.mean[g];
    if (found.weight[g] > 0.0) found.mean[g] /= found.weight[g];
  }
  if (!(found.all > 0.0)) return found;
  found.centre /= found.all;
  for (std::size_t g = 0; g < found.mean.size(); ++g) {
    const double apart = found.mean[g] - found.centre;
    found.between += found.weight[g] * apart * apart;
  }
  for (const std::uint32_t i : known) {
    const double apart = value[i] - found.mean[moments.group_of()[i]];
    found.within += node.effective(i) * apart * apart;
  }
  return found;
}

// A term, the rows that know it, and how the classes differ in it.
struct Chosen {
  std::size_t term = 0;
  bool spreads = false;  // by distances from the mean, not by values
  OneWay differs;
};

std::vector<std::uint32_t> rows_with(const ObliqueNode& node, std::size_t term) {
  const RankedColumn& column = node.table.columns[static_cast<std::size_t>(node.terms.column_of(term))];
  std::vector<std::uint32_t> known;
  for (std::uint32_t i = 0; i < node.terms.rows(); ++i) {
    if (node.effective(i) > 0.0 && !column.is_missing(node.node.held->row[i])) known.push_back(i);
  }
  return known;
}

Chosen chosen_term(const ObliqueNode& node, const GroupMoments& moments) {
  Chosen best;
  double ratio = -1.0;
  for (std::size_t t = 0; t < node.terms.count(); ++t) {
    const std::span<const double> z = node.terms.column(t);
    OneWay means = one_way(node, moments, {z.begin(), z.end()}, rows_with(node, t));
    if (!(means.ratio() > ratio * (1.0 + kTie))) continue;
    ratio = means.ratio();
    best = {t, false, std::move(means)};
  }
  if (ratio >= kLeastF) return best;
  ratio = -1.0;
  for (std::size_t t = 0; t < node.terms.count(); ++t) {
    const std::vector<std::uint32_t> known = rows_with(node, t);
    const std::span<const double> z = node.terms.column(t);
    const OneWay means = one_way(node, moments, {z.begin(), z.end()}, known);
    std::vector<double> far(z.size(), 0.0);
    for (const std::uint32_t i : known) far[i] = std::abs(z[i] - means.mean[moments.group_of()[i]]);
    const double spreads = one_way(node, moments, far, known).ratio();
    if (!(spreads > ratio * (1.0 + kTie))) continue;
    ratio = spreads;
    // Where a row lies is known at prediction, its class is not: distances are from the mean of all.
    for (const std::uint32_t i : known) far[i] = std::abs(z[i]);
    best = {t, true, one_way(node, moments, far, known)};
  }
  return best;
}

// The class whose function is largest at each of some numbers, among those kept; the functions are those of one
// dimension.
std::vector<std::int32_t> largest_at(const OneWay& differs, const std::vector<double>& at,
                                     const std::vector<std::size_t>& kept) {
  const double least = kRidge * (differs.within + differs.between);
  const double variance = std::max(differs.within, least) / differs.all;
  std::vector<std::int32_t> found;
  for (const double x : at) {
    std::int32_t best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const double mean = differs.mean[kept[k]] - differs.centre;
      const double value =
          mean * (x - differs.centre - 0.5 * mean) / variance + std::log(differs.weight[kept[k]] / differs.all);
      if (k > 0 && !(value - most > kTie * (std::abs(value) + std::abs(most)))) continue;
      most = value;
      best = static_cast<std::int32_t>(k);
    }
    found.push_back(best);
  }
  return found;
}

std::vector<std::vector<std::uint32_t>> gathered(const std::vector<std::int32_t>& branch, std::size_t branches) {
  std::vector<std::vector<std::uint32_t>> groups(branches);
  for (std::uint32_t v = 0; v < branch.size(); ++v) groups[static_cast<std::size_t>(branch[v])].push_back(v);
  return groups;
}

// Branches in the order in which cells first take them.
void number_by_cells(std::vector<std::int32_t>& branch, std::size_t branches) {
  std::vector<std::int32_t> number(branches, -1);
  std::int32_t next = 0;
  for (std::int32_t& b : branch) {
    if (number[static_cast<std::size_t>(b)] < 0) number[static_cast<std::size_t>(b)] = next++;
    b = number[static_cast<std::size_t>(b)];
  }
}

// The covariance within the groups, of linear functions of the terms.
Symmetric within(const GroupMoments& moments, const std::vector<std::size_t>& use,
                 const std::vector<std::vector<double>>& functions, const std::vector<double>& centre, double all) {
  Symmetric scatter = moments.scatter(use);
  for (std::size_t j = 0; j < use.size(); ++j) {
    for (std::size_t k = 0; k <= j; ++k) {
      for (std::size_t g = 0; g < moments.groups(); ++g) {
        scatter(j, k) -=
            moments.weight(g) * (moments.mean(g, use[j]) - centre[j]) * (moments.mean(g, use[k]) - centre[k]);
      }
    }
  }
  const auto at = [&](std::size_t j, std::size_t k) { return j < k ? scatter(k, j) : scatter(j, k); };
  Symmetric found(functions.size());
  std::vector<double> image(use.size());
  for (std::size_t a = 0; a < functions.size(); ++a) {
    for (std::size_t j = 0; j < use.size(); ++j) {
      image[j] = 0.0;
      for (std::size_t k = 0; k < use.size(); ++k) image[j] += at(j, k) * functions[a][k];
    }
    for (std::size_t b = 0; b <= a; ++b) {
      for (std::size_t j = 0; j < use.size(); ++j) found(a, b) += image[j] * functions[b][j] / all;
    }
  }
  return found;
}

}  // namespace

std::optional<Machine> discriminant_functions(const ObliqueNode& node, const GroupMoments& moments,
                                              const std::vector<std::size_t>& use) {
  const std::size_t groups = moments.groups();
  double all = 0.0;
  std::vector<double> centre(use.size(), 0.0);
  for (std::size_t g = 0; g < groups; ++g) all += moments.weight(g);
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t j = 0; j < use.size(); ++j) centre[j] += moments.weight(g) * moments.mean(g, use[j]) / all;
  }
  // The components of the correlation matrix, as functions of the terms.
  Symmetric correlation = moments.scatter(use);
  std::vector<double> deviation(use.size());
  for (std::size_t j = 0; j < use.size(); ++j) deviation[j] = std::sqrt(correlation(j, j));
  for (std::size_t j = 0; j < use.size(); ++j) {
    if (!(deviation[j] > 0.0)) return std::nullopt;
    for (std::size_t k = 0; k <= j; ++k) correlation(j, k) /= deviation[j] * deviation[k];
  }
  Eigen eigen = jacobi_eigen(std::move(correlation));
  std::vector<std::vector<double>> functions;
  for (std::size_t a = 0; a < eigen.value.size() && eigen.value[a] > kComponent * eigen.value.front(); ++a) {
    for (std::size_t j = 0; j < use.size(); ++j) eigen.vector[a][j] /= deviation[j];
    functions.push_back(std::move(eigen.vector[a]));
  }
  Symmetric covariance = within(moments, use, functions, centre, all);
  // Of the variance of all rows: classes of equal rows have none of their own, only its rounding.
  const double variance = std::accumulate(eigen.value.begin(), eigen.value.begin() + std::ssize(functions), 0.0) / all;
  const double ridge = kRidge * variance / static_cast<double>(functions.size());
  for (std::size_t a = 0; a < functions.size(); ++a) covariance(a, a) += ridge;
  Machine machine;
  machine.use = use;
  for (std::size_t g = 0; g < groups; ++g) {
    std::vector<double> mean(functions.size(), 0.0);
    for (std::size_t a = 0; a < functions.size(); ++a) {
      for (std::size_t j = 0; j < use.size(); ++j) mean[a] += functions[a][j] * (moments.mean(g, use[j]) - centre[j]);
    }
    const std::optional<std::vector<double>> direction = cholesky_solve(covariance, mean);
    if (!direction) return std::nullopt;
    std::vector<double> row(use.size() + 1, 0.0);
    double& constant = row.back();
    constant = std::log(moments.weight(g) / all);
    for (std::size_t a = 0; a < functions.size(); ++a) {
      constant -= 0.5 * (*direction)[a] * mean[a];
      for (std::size_t j = 0; j < use.size(); ++j) row[j] += (*direction)[a] * functions[a][j];
    }
    for (std::size_t j = 0; j < use.size(); ++j) constant -= row[j] * centre[j];
    machine.row.push_back(std::move(row));
  }
  node.watch.poll(use.size() * use.size());
  return machine;
}

Candidate discriminant_intervals(const ObliqueNode& node, const GroupMoments& moments) {
  Candidate candidate;
  if (node.terms.count() == 0) return candidate;
  const Chosen chosen = chosen_term(node, moments);
  if (!(chosen.differs.all > 0.0) || !(chosen.differs.within + chosen.differs.between > 0.0)) return candidate;
  OpenColumn column(node.table, node.target, node.options, node.node, node.judge, node.watch,
                    static_cast<std::size_t>(node.terms.column_of(chosen.term)));
  const Cells& cells = column.cells;
  std::vector<double> at;
  for (std::size_t v = 0; v < cells.size(); ++v) {
    const double z = node.terms.column(chosen.term)[cells.order[cells.begin[v]]];
    at.push_back(chosen.spreads ? std::abs(z) : z);
  }
  std::vector<std::size_t> kept;
  for (std::size_t g = 0; g < moments.groups(); ++g) {
    if (chosen.differs.weight[g] > 0.0) kept.push_back(g);
  }
  std::vector<std::int32_t> branch;
  while (true) {
    if (kept.size() < 2) return candidate;
    branch = largest_at(chosen.differs, at, kept);
    std::vector<double> weight(kept.size(), 0.0);
    std::vector<double> rows(kept.size(), 0.0);
    for (std::size_t v = 0; v < branch.size(); ++v) {
      weight[static_cast<std::size_t>(branch[v])] += cells.table.weight[v];
      rows[static_cast<std::size_t>(branch[v])] += static_cast<double>(cells.begin[v + 1] - cells.begin[v]);
    }
    const std::optional<std::size_t> small = lightest_too_small(node.options, weight, rows);
    if (!small) break;
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(*small));
  }
  number_by_cells(branch, kept.size());
  ColumnTest test = judge_groups(column, gathered(branch, kept.size()));
  if (!test.any) return candidate;
  candidate.column = node.terms.column_of(chosen.term);
  candidate.gain = test.judged.gain;
  candidate.missing = test.missing;
  if (column.nominal()) {
    candidate.found = Found::greedy;
    candidate.levels = std::make_unique<LevelSet>();
    candidate.levels->branches = test.branches;
    candidate.levels->code.assign(cells.table.code.begin(), cells.table.code.end());
    candidate.levels->branch = std::move(branch);
  } else {
    set_edges(cells, branch, candidate);
  }
  return candidate;
}

}  // namespace bough
