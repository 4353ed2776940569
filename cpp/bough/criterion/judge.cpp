#include "bough/criterion/judge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "bough/base/error.hpp"
#include "bough/criterion/costs.hpp"
#include "bough/criterion/side.hpp"
#include "bough/criterion/superclass.hpp"
#include "bough/criterion/value_drop.hpp"

namespace bough {
namespace {

// One formula for the drop of the impurity, for any number of branches: drop(parent, batch, test).
template <class Drop>
class DropJudge final : public Judge {
 public:
  DropJudge(Drop drop, bool discount) : drop_(std::move(drop)), discount_(discount) {}

  void score(const double* parent, const Batch& batch, const Amounts& amounts,
             std::vector<Judgement>& judged) const override {
    const double share = discount_ ? amounts.known / amounts.all : 1.0;
    judged.resize(batch.size());
    for (std::size_t test = 0; test < batch.size(); ++test) {
      const double gain = share * drop_(parent, batch, test);
      judged[test] = {gain, gain};
    }
  }

 private:
  Drop drop_;
  bool discount_;
};

double amount(const double* stat, std::size_t width) { return std::accumulate(stat, stat + width, 0.0); }

// Adds up term(branch statistics, amount of the branch) over the branches that hold something in the unit of the terms.
template <class Term>
double over_branches(const Batch& batch, std::size_t test, double unit, Term term) {
  double sum = 0.0;
  for (std::size_t b = 0; b < batch.branches; ++b) {
    const double* stat = batch.at(test, b);
    const double mass = amount(stat, batch.width);
    if (unit * mass > 0.0) sum += term(stat, mass);
  }
  return sum;
}

// How far the branches are from the node, by sums over k of part(n_k, d): the form d = n_bk W - n_k W_b does not
// cancel, so that equal shares give exactly zero.
struct Apart {
  double sum = 0.0;
  double all = 0.0;  // W

  template <class Part>
  Apart(const double* parent, const Batch& batch, std::size_t test, Part part) {
    const double unit = unit_for(amount(parent, batch.width));
    all = unit * amount(parent, batch.width);
    sum = over_branches(batch, test, unit, [&](const double* stat, double mass) {
      double parts = 0.0;
      for (std::size_t k = 0; k < batch.width; ++k) {
        const double whole = unit * parent[k];
        parts += part(whole, unit * stat[k] * all - whole * (unit * mass));
      }
      return parts / (unit * mass);
    });
  }
};

struct GiniBranches {
  double factor = 1.0;
  double operator()(const double* parent, const Batch& batch, std::size_t test) const {
    const Apart squares(parent, batch, test, [](double, double d) { return d * d; });
    return factor * squares.sum / (squares.all * squares.all * squares.all);
  }
};

// Pearson's statistic for a unit of weight: phi squared.
struct ChiSquaredBranches {
  double operator()(const double* parent, const Batch& batch, std::size_t test) const {
    const Apart shares(parent, batch, test, [](double whole, double d) { return whole > 0.0 ? d * d / whole : 0.0; });
    return shares.sum / (shares.all * shares.all);
  }
};

struct MisclassificationBranches {
  double operator()(const double* parent, const Batch& batch, std::size_t test) const {
    const double most = *std::max_element(parent, parent + batch.width);
    const double sum = over_branches(
        batch, test, 1.0, [&](const double* stat, double) { return *std::max_element(stat, stat + batch.width); });
    return (sum - most) / amount(parent, batch.width);
  }
};

struct SuperclassBranches {
  SuperclassDrop drop;
  double operator()(const double* parent, const Batch& batch, std::size_t test) const {
    static_cast<void>(parent);
    return drop(batch.at(test, 0), batch.at(test, 1));
  }
};

struct TwoingBranches {
  double operator()(const double* parent, const Batch& batch, std::size_t test) const {
    const double unit = unit_for(amount(parent, batch.width));
    return twoing_in_unit(batch.at(test, 0), batch.at(test, 1), batch.width, unit);
  }
};

struct WeightedGiniBranches {
  std::vector<double> cost;  // symmetric
  double operator()(const double* parent, const Batch& batch, std::size_t test) const {
    const double unit = unit_for(amount(parent, batch.width));
    const double all = unit * amount(parent, batch.width);
    const double sum = over_branches(batch, test, unit, [&](const double* stat, double mass) {
      const auto apart = [&](std::size_t k) { return unit * stat[k] * all - unit * parent[k] * (unit * mass); };
      double form = 0.0;
      for (std::size_t i = 0; i < batch.width; ++i) {
        const double di = apart(i);
        for (std::size_t j = 0; j < batch.width; ++j) form += di * cost[i * batch.width + j] * apart(j);
      }
      return form / (unit * mass);
    });
    return -sum / (all * all * all);
  }
};

struct WeightedEntropyBranches {
  std::vector<double> factor;  // by class
  [[nodiscard]] double mass_of(const double* stat, double mass) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < factor.size(); ++k) {
      if (stat[k] > 0.0) sum -= factor[k] * stat[k] * std::log2(stat[k] / mass);
    }
    return sum;
  }
  double operator()(const double* parent, const Batch& batch, std::size_t test) const {
    const double all = amount(parent, batch.width);
    const double left =
        over_branches(batch, test, 1.0, [&](const double* stat, double mass) { return mass_of(stat, mass); });
    return (mass_of(parent, all) - left) / all;
  }
};

struct ExpectedCostBranches {
  const Target* target;
  double operator()(const double* parent, const Batch& batch, std::size_t test) const {
    const double left =
        over_branches(batch, test, 1.0, [&](const double* stat, double) { return least_cost(stat, *target); });
    return (least_cost(parent, *target) - left) / amount(parent, batch.width);
  }
};

// Statistics {weight, sum, squares}: what the squared distances of the means add up to.
struct SquaredBranches {
  double operator()(const double* parent, const Batch& batch, std::size_t test) const {
    const double unit = unit_for(parent[0]);
    const double unit_y = unit_for(std::sqrt(parent[2]) / std::sqrt(parent[0]));
    const double all = unit * parent[0];
    const double whole = unit * parent[1] * unit_y;
    double sum = 0.0;
    for (std::size_t b = 0; b < batch.branches; ++b) {
      const double* stat = batch.at(test, b);
      const double mass = unit * stat[0];
      if (!(mass > 0.0)) continue;
      const double d = unit * stat[1] * unit_y * all - whole * mass;
      sum += d * d / mass;
    }
    return sum / (all * all * all) / unit_y / unit_y;
  }
};

struct WorstBranches {
  double operator()(const double* parent, const Batch& batch, std::size_t test) const {
    double worst = 0.0;
    for (std::size_t b = 0; b < batch.branches; ++b) {
      const double* stat = batch.at(test, b);
      if (stat[0] > 0.0) worst = std::max(worst, WorstDrop::worst(stat));
    }
    return WorstDrop::worst(parent) - worst;
  }
};

struct AbsoluteBranches {
  double operator()(const double* parent, const Batch& batch, std::size_t test) const {
    double left = 0.0;
    for (std::size_t b = 0; b < batch.branches; ++b) left += batch.at(test, b)[1];
    return (parent[1] - left) / parent[0];
  }
};

// Information gain, and its ratio to the information in the sizes of the branches.
class InformationJudge final : public Judge {
 public:
  InformationJudge(const GainRule& rule, bool by_ratio) : rule_(rule), by_ratio_(by_ratio) {}

  void score(const double* parent, const Batch& batch, const Amounts& amounts,
             std::vector<Judgement>& judged) const override {
    judged.resize(batch.size());
    const double before = rule_.information(parent, batch.width, amounts.known);
    for (std::size_t test = 0; test < batch.size(); ++test) {
      double saved = before;
      double terms = 0.0;
      for (std::size_t b = 0; b < batch.branches; ++b) {
        const double* stat = batch.at(test, b);
        const double mass = amount(stat, batch.width);
        saved -= rule_.information(stat, batch.width, mass);
        terms += rule_.term(mass);
      }
      judged[test].gain = rule_.gain(saved, amounts.known, amounts.all);
      judged[test].ratio =
          by_ratio_ ? rule_.ratio(judged[test].gain, terms, amounts.known, amounts.all) : judged[test].gain;
    }
  }

 private:
  const GainRule& rule_;
  bool by_ratio_;
};

template <class Drop>
std::unique_ptr<Judge> judge_by(Drop drop, const GrowOptions& options) {
  return std::make_unique<DropJudge<Drop>>(std::move(drop), options.discount_missing);
}

}  // namespace

StatKind stat_kind(const Target& target, Criterion criterion) {
  if (target.classes > 0) return StatKind::classes;
  if (criterion == Criterion::worst_error) return StatKind::worst;
  return criterion == Criterion::absolute_error ? StatKind::absolute : StatKind::moments;
}

std::size_t stat_width(const Target& target, StatKind kind) {
  switch (kind) {
    case StatKind::classes:
      return target.classes;
    case StatKind::moments:
      return 3;
    case StatKind::worst:
      return WorstDrop::kWidth;
    case StatKind::absolute:
      break;
  }
  return 2;
}

std::unique_ptr<Judge> make_judge(const Target& target, const GrowOptions& options, const GainRule& rule) {
  switch (options.criterion) {
    case Criterion::entropy:
      return std::make_unique<InformationJudge>(rule, false);
    case Criterion::gain_ratio:
      return std::make_unique<InformationJudge>(rule, true);
    case Criterion::misclassification:
      return judge_by(MisclassificationBranches{}, options);
    case Criterion::twoing:
      if (options.twoing != TwoingImpurity::gini)
        return judge_by(SuperclassBranches{SuperclassDrop(target.classes, options.twoing)}, options);
      return judge_by(TwoingBranches{}, options);
    case Criterion::weighted_gini:
      return judge_by(WeightedGiniBranches{symmetric_costs(target)}, options);
    case Criterion::weighted_entropy:
      return judge_by(WeightedEntropyBranches{cost_by_class(target)}, options);
    case Criterion::expected_cost:
      return judge_by(ExpectedCostBranches{&target}, options);
    case Criterion::chi_squared:
      return judge_by(ChiSquaredBranches{}, options);
    case Criterion::gini_half:
      return judge_by(GiniBranches{0.5}, options);
    case Criterion::squared_error:
      return judge_by(SquaredBranches{}, options);
    case Criterion::absolute_error:
      return judge_by(AbsoluteBranches{}, options);
    case Criterion::worst_error:
      return judge_by(WorstBranches{}, options);
    case Criterion::gini:
      return judge_by(GiniBranches{1.0}, options);
    case Criterion::user:
      break;
  }
  throw InvalidInput("criterion", "a criterion of the user's needs a score");
}

}  // namespace bough
