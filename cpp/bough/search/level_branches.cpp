#include "bough/search/level_branches.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bough/criterion/class_drop.hpp"

namespace bough {
namespace {

bool is_information(Criterion criterion) {
  return criterion == Criterion::entropy || criterion == Criterion::gain_ratio;
}

// Mass of impurity under any criterion, so that one loop judges all of them.
class Mass {
 public:
  Mass(const GrowOptions& options, const GainRule& rule, std::size_t classes, const double* cost)
      : options_(options), rule_(rule), classes_(classes), cost_(cost) {}
  double operator()(const double* counts, double sum) const {
    return is_information(options_.criterion) ? rule_.information(counts, classes_, sum)
                                              : impurity_mass(options_.criterion, counts, classes_, sum, cost_);
  }

 private:
  const GrowOptions& options_;
  const GainRule& rule_;
  std::size_t classes_;
  const double* cost_;
};

double amount(const double* counts, std::size_t classes) { return std::accumulate(counts, counts + classes, 0.0); }

// Information gain as Quinlan's ID3 is often programmed, branch after branch from the entropy of the node: where gains
// are equal in exact arithmetic, these roundings decide.
double gain_in_steps(const ValueTable& table, const std::vector<double>& whole, double all) {
  const auto log2 = [](double x) { return std::log(x) / std::log(2.0); };
  const auto entropy = [&](const double* counts, double sum) {
    double terms = 0.0;
    for (std::size_t k = 0; k < table.width; ++k) {
      if (counts[k] > 0.0) terms -= counts[k] * log2(counts[k]);
    }
    return terms / sum + log2(sum);
  };
  double gain = entropy(whole.data(), all);
  for (std::size_t v = 0; v < table.size(); ++v) {
    const double sum = amount(table.at(v), table.width);
    gain -= sum / all * entropy(table.at(v), sum);
  }
  return gain;
}

std::vector<double> whole_of(const ValueTable& table) {
  std::vector<double> whole(table.width, 0.0);
  for (std::size_t v = 0; v < table.size(); ++v) {
    for (std::size_t k = 0; k < table.width; ++k) whole[k] += table.at(v)[k];
  }
  return whole;
}

}  // namespace

double impurity_mass(Criterion criterion, const double* counts, std::size_t classes, double sum, const double* cost) {
  if (!(sum > 0.0)) return 0.0;
  const double unit = unit_for(sum);
  double mass = 0.0;
  switch (criterion) {
    case Criterion::misclassification:
      return sum - *std::max_element(counts, counts + classes);
    case Criterion::weighted_gini:
      for (std::size_t i = 0; i < classes; ++i) {
        for (std::size_t j = 0; j < classes; ++j) mass += cost[i * classes + j] * (unit * counts[i]) * counts[j];
      }
      return mass / (unit * sum);
    default:
      for (std::size_t k = 0; k < classes; ++k) mass += unit * counts[k] * (sum - counts[k]);
      return mass / (unit * sum);
  }
}

LevelBranches judge_levels(const ValueTable& table, const LevelNode& node, const GrowOptions& options,
                           const GainRule& rule, const double* cost) {
  LevelBranches found;
  std::size_t large = 0;
  for (std::size_t v = 0; v < table.size(); ++v) {
    large += static_cast<std::size_t>(rule.at_least(table.weight[v], node.minimum) &&
                                      table.rows[v] >= static_cast<double>(node.min_rows));
  }
  if (large < 2 || (!options.gain.two_branches && large < table.size())) return found;
  const std::vector<double> whole = whole_of(table);
  if (options.ties == TieRule::rounding && options.criterion == Criterion::entropy) {
    found.judgement.gain = gain_in_steps(table, whole, node.known);
  } else {
    const Mass mass(options, rule, table.width, cost);
    double saved = mass(whole.data(), node.known);
    double branch_terms = 0.0;
    for (std::size_t v = 0; v < table.size(); ++v) {
      const double sum = amount(table.at(v), table.width);
      saved -= mass(table.at(v), sum);
      branch_terms += rule.term(sum);
    }
    found.judgement.gain = rule.gain(saved, node.known, node.all);
    found.judgement.ratio = rule.ratio(found.judgement.gain, branch_terms, node.known, node.all);
  }
  found.any = true;
  return found;
}

LevelBranches judge_one_level(const ValueTable& table, const LevelNode& node, const GrowOptions& options,
                              const GainRule& rule, const double* cost) {
  LevelBranches found;
  const std::vector<double> whole = whole_of(table);
  const double weight = std::accumulate(table.weight.begin(), table.weight.end(), 0.0);
  const double rows = std::accumulate(table.rows.begin(), table.rows.end(), 0.0);
  const auto least = static_cast<double>(node.min_rows);
  const Mass mass(options, rule, table.width, cost);
  const double before = mass(whole.data(), node.known);
  const double unit = unit_for(node.known);
  const double least_amount =
      rounding_of_side(static_cast<double>(table.size()), node.known);  // of what is left of the others
  std::vector<double> others(table.width);
  double best = 0.0;
  for (std::size_t v = 0; v < table.size(); ++v) {
    if (!rule.at_least(table.weight[v], node.minimum) || !rule.at_least(weight - table.weight[v], node.minimum))
      continue;
    if (table.rows[v] < least || rows - table.rows[v] < least) continue;
    const bool first = options.zero_gain && !found.any;
    found.any = true;
    for (std::size_t k = 0; k < table.width; ++k) others[k] = whole[k] - table.at(v)[k];
    const double sum = amount(table.at(v), table.width);
    const double rest = node.known - sum;
    // Twoing is no drop of an impurity.
    const double saved = options.criterion == Criterion::twoing
                             ? node.known * twoing_in_unit(table.at(v), others.data(), table.width, unit, least_amount)
                             : before - mass(table.at(v), sum) - mass(others.data(), rest);
    Judgement judged;
    judged.gain = rule.gain(saved, node.known, node.all);
    judged.ratio = rule.ratio(judged.gain, rule.term(sum) + rule.term(rest), node.known, node.all);
    if (options.zero_gain && rule.is_zero(judged.gain)) judged = {};
    const double worth = options.criterion == Criterion::gain_ratio ? judged.ratio : judged.gain;
    // The first declared level is taken as it comes; a later one must be better than what is there.
    const bool taken = first || table.code[v] == 0 || rule.greater(worth, best);
    if (!taken) continue;
    best = worth;
    found.judgement = judged;
    found.level = v;
  }
  return found;
}

}  // namespace bough
