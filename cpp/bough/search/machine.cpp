// How sums for classes become a test: the classes that win for enough rows, in the units of the columns. Two sums are
// one plane, and are stored as such.
#include "bough/search/machine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "bough/engine/open/column.hpp"

namespace bough {
namespace {

constexpr double kChosen = 1e300;  // worth more than any test that a criterion prefers

// The sums of some classes as they are stored.
struct Stored {
  std::vector<LinearTerm> terms;
  std::vector<double> numbers;  // of the machine
  Threshold threshold;  // of two classes, which are parted by one sum: no numbers
};

// The plane on which two sums are equal.
std::optional<Stored> plane(const ObliqueNode& node, const Machine& machine, const std::vector<std::size_t>& kept) {
  const std::vector<double>& first = machine.row[kept[0]];
  const std::vector<double>& second = machine.row[kept[1]];
  std::vector<double> apart;
  double squares = 0.0;
  double sign = 0.0;
  for (std::size_t j = 0; j < machine.use.size(); ++j) {
    apart.push_back(first[j] - second[j]);
    squares += apart[j] * apart[j];
    if (sign == 0.0) sign = apart[j];
  }
  Stored found;
  found.terms = node.terms.stored(machine.use, apart);
  if (found.terms.empty()) return std::nullopt;
  double edge = (second.back() - first.back()) / std::copysign(std::sqrt(squares), sign);
  for (const LinearTerm& term : found.terms) edge += term.weight * term.fill;
  if (!std::isfinite(edge)) return std::nullopt;
  found.threshold = {std::bit_cast<std::uint64_t>(edge), ValueType::f64, node.options.side};
  return found;
}

// Several sums are taken from their mean, which no comparison sees, and scaled so that the squares of what terms say,
// in units of their standard deviations, sum up to 1.
std::optional<Stored> stored(const ObliqueNode& node, const Machine& machine, const std::vector<std::size_t>& kept) {
  if (kept.size() == 2) return plane(node, machine, kept);
  const std::size_t terms = machine.use.size();
  double squares = 0.0;
  for (std::size_t j = 0; j < terms; ++j) squares += spread(machine, kept, j) * spread(machine, kept, j);
  const double length = std::sqrt(squares);
  if (!std::isfinite(length) || !(length > 0.0)) return std::nullopt;
  const auto mean = [&](std::size_t j) {
    double sum = 0.0;
    for (const std::size_t k : kept) sum += machine.row[k][j] / static_cast<double>(kept.size());
    return sum;
  };
  Stored found;
  std::vector<std::vector<double>> weight;  // by term
  std::vector<double> constant(kept.size());
  const double middle = mean(terms);
  for (std::size_t i = 0; i < kept.size(); ++i) constant[i] = (machine.row[kept[i]][terms] - middle) / length;
  for (std::size_t j = 0; j < terms; ++j) {
    LinearTerm term = node.terms.term(machine.use[j]);
    const double centre = mean(j);
    std::vector<double> own;
    own.reserve(kept.size());
    for (const std::size_t k : kept) own.push_back((machine.row[k][j] - centre) / length / term.scale);
    const auto [low, high] = std::ranges::minmax_element(own);
    term.weight = *high - *low;
    for (std::size_t i = 0; i < kept.size(); ++i) constant[i] -= own[i] * term.fill;
    if (!std::isfinite(term.weight)) return std::nullopt;
    if (term.weight == 0.0) continue;
    found.terms.push_back(term);
    weight.push_back(std::move(own));
  }
  if (found.terms.size() < 2) return std::nullopt;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!std::isfinite(constant[i])) return std::nullopt;
    for (const std::vector<double>& own : weight) found.numbers.push_back(own[i]);
    found.numbers.push_back(constant[i]);
  }
  return found;
}

// The branch by position, exactly as a prediction would find it; NaN where that is missing.
std::vector<double> branches(const ObliqueNode& node, const Stored& stored) {
  if (stored.numbers.empty()) {
    std::vector<double> sum = node.terms.sums(stored.terms);
    const double edge = stored.threshold.as_f64();
    for (double& s : sum) {
      const bool low = stored.threshold.side == Side::le ? s <= edge : s < edge;
      if (!std::isnan(s)) s = low ? 0.0 : 1.0;
    }
    return sum;
  }
  const std::size_t width = stored.terms.size() + 1;
  std::vector<LinearTerm> terms = stored.terms;
  std::vector<double> best;
  std::vector<double> found(node.terms.rows(), 0.0);
  for (std::size_t k = 0; k * width < stored.numbers.size(); ++k) {
    for (std::size_t t = 0; t < terms.size(); ++t) terms[t].weight = stored.numbers[k * width + t];
    std::vector<double> sum = node.terms.sums(terms);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += stored.numbers[(k + 1) * width - 1];
      if (!std::isfinite(sum[i])) {
        found[i] = std::numeric_limits<double>::quiet_NaN();
      } else if (k > 0 && sum[i] > best[i]) {
        best[i] = sum[i];
        if (!std::isnan(found[i])) found[i] = static_cast<double>(k);
      }
    }
    if (k == 0) best = std::move(sum);
  }
  return found;
}

// A machine as a test: classes for which too few rows win have no branch.
Candidate as_test(const ObliqueNode& node, const Machine& machine, Found how) {
  Candidate candidate;
  std::vector<std::size_t> kept = numbers_up_to(machine.row.size());
  std::optional<Stored> found;
  std::vector<double> won;
  while (true) {
    if (kept.size() < 2) return candidate;
    found = stored(node, machine, kept);
    if (!found) return candidate;
    won = branches(node, *found);
    std::vector<double> weight(kept.size(), 0.0);
    std::vector<double> rows(kept.size(), 0.0);
    for (std::size_t i = 0; i < won.size(); ++i) {
      if (std::isnan(won[i])) continue;
      weight[static_cast<std::size_t>(won[i])] += node.node.held->weight[i];
      rows[static_cast<std::size_t>(won[i])] += 1.0;
    }
    const std::optional<std::size_t> small = lightest_too_small(node.options, weight, rows);
    if (!small) break;
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(*small));
  }
  const StatKind kind = stat_kind(node.target, node.options.criterion);
  OpenColumn column(node.table, node.target, node.options, node.node, node.judge, node.watch,
                    make_cells(won, node.node, node.target, kind));
  std::vector<std::vector<std::uint32_t>> groups;
  groups.reserve(column.cells.size());
  for (std::uint32_t v = 0; v < column.cells.size(); ++v) groups.push_back({v});
  const ColumnTest test = judge_groups(column, groups);
  if (!test.any) return candidate;
  candidate.column = found->terms.front().column;
  candidate.gain = test.judged.gain;
  candidate.worth = test.judged.ratio;
  candidate.missing = test.missing;
  candidate.found = how;
  candidate.open = std::make_unique<OpenTest>();
  candidate.open->branch.resize(kept.size());
  std::iota(candidate.open->branch.begin(), candidate.open->branch.end(), 0);
  candidate.open->sum = std::move(found->terms);
  if (found->numbers.empty()) candidate.open->fixed = {found->threshold};
  candidate.open->machine = std::move(found->numbers);
  candidate.open->whole = node.options.oblique.whole;
  return candidate;
}

}  // namespace

double spread(const Machine& machine, const std::vector<std::size_t>& kept, std::size_t j) {
  double low = machine.row[kept.front()][j];
  double high = low;
  for (const std::size_t k : kept) {
    low = std::min(low, machine.row[k][j]);
    high = std::max(high, machine.row[k][j]);
  }
  return high - low;
}

std::vector<std::size_t> numbers_up_to(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

ColumnTest judge_groups(OpenColumn& column, const std::vector<std::vector<std::uint32_t>>& groups) {
  if (groups.size() < 2 || groups.size() > column.most_branches()) return {};
  Contest contest = column.contest(column.limits(), false);
  contest.start(branches_with_missing(column, groups.size()), exempt_branch(column, groups.size()));
  enter(column, contest, groups, 0);
  contest.settle();
  return winner(contest, static_cast<std::int32_t>(groups.size()));
}

std::optional<std::size_t> lightest_too_small(const GrowOptions& options, std::span<const double> weight,
                                              std::span<const double> rows) {
  std::optional<std::size_t> found;
  const auto least = static_cast<double>(std::max<std::int64_t>(1, options.min_leaf_rows));
  for (std::size_t k = 0; k < weight.size(); ++k) {
    if (weight[k] >= options.min_leaf_weight && rows[k] >= least) continue;
    if (!found || weight[k] < weight[*found]) found = k;
  }
  return found;
}

Candidate best_machine(const ObliqueNode& node) {
  const GroupMoments moments(node);
  if (moments.groups() < 2) return {};
  if (node.options.oblique.machine == MachineRule::thermal) {
    const std::optional<Machine> trained = thermal_machine(node, moments);
    return trained ? as_test(node, *trained, Found::thermal) : Candidate{};
  }
  Candidate candidate;
  if (!node.options.oblique.linear) {
    candidate = discriminant_intervals(node, moments);
  } else if (node.terms.count() > 1) {
    const std::optional<Machine> found = discriminant_functions(node, moments, numbers_up_to(node.terms.count()));
    if (found) candidate = as_test(node, *found, Found::discriminant);
  }
  // The functions choose the test, no criterion does: its gain is for drawings and pruning.
  candidate.worth = kChosen;
  return candidate;
}

}  // namespace bough
