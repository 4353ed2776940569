// See omnivariate.hpp.
#include "bough/search/omnivariate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bough/base/distributions.hpp"
#include "bough/base/parallel.hpp"
#include "bough/base/random.hpp"
#include "bough/engine/open/held_stats.hpp"
#include "bough/engine/open/sending.hpp"

namespace bough {
namespace {

constexpr std::size_t kRepetitions = 5;

// The options of one search; for halves of a node minima are halved too.
GrowOptions options_of(const GrowOptions& options, const Contender& one, bool half) {
  GrowOptions own = options;
  own.selection = one.selection;
  own.oblique = one.oblique;
  own.omnivariate = {};
  own.expert = {};
  own.stop.validation.clear();
  if (!half) return own;
  own.threads = 1;
  own.max_competitors = 0;
  own.surrogates.most = 0;
  own.min_leaf_weight *= 0.5;
  own.min_leaf_rows = std::max<std::int64_t>(1, own.min_leaf_rows / 2);
  return own;
}

double mean_of(const std::vector<double>& loss, const Holding& held) {
  double sum = 0.0;
  double weight = 0.0;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    sum += held.weight[i] * loss[i];
    weight += held.weight[i];
  }
  return weight > 0.0 ? sum / weight : 0.0;
}

}  // namespace

double log_p_of_halves(const std::vector<double>& apart) {
  double squares = 0.0;
  double spread = 0.0;
  for (std::size_t i = 0; i < apart.size(); i += 2) {
    const double mean = 0.5 * (apart[i] + apart[i + 1]);
    squares += apart[i] * apart[i] + apart[i + 1] * apart[i + 1];
    spread += (apart[i] - mean) * (apart[i] - mean) + (apart[i + 1] - mean) * (apart[i + 1] - mean);
  }
  if (squares == 0.0) return 0.0;
  if (spread == 0.0) return -std::numeric_limits<double>::infinity();
  return log_f_tail(squares / (2.0 * spread), static_cast<double>(apart.size()),
                    0.5 * static_cast<double>(apart.size()));
}

double p_of_disagreement(std::size_t one, std::size_t other) {
  const auto all = static_cast<double>(one + other);
  double tail = 0.0;
  for (std::size_t k = 0; k <= std::min(one, other); ++k)
    tail += std::exp(log_choose(all, static_cast<double>(k)) - all * std::log(2.0));
  return std::min(1.0, 2.0 * tail);
}

Omnivariate::Omnivariate(const RankedTable& table, const Target& target, const GrowOptions& options, const Judge& judge,
                         const GainRule& rule, Watch& watch, double centre)
    : table_(table), target_(target), options_(options), judge_(judge), watch_(watch), centre_(centre) {
  for (const Contender& one : options.omnivariate.contenders) {
    whole_.push_back(std::make_unique<Member>(table, target, options_of(options, one, false), judge, rule, watch));
    half_.push_back(std::make_unique<Member>(table, target, options_of(options, one, true), judge, rule, watch));
  }
}

double Omnivariate::loss(const NodeStats& answer, std::uint32_t row) const {
  if (target_.classes == 0) {
    const double off = target_.value[row] - centre_ - answer.value;
    return off * off;
  }
  const std::uint32_t truth = target_.label[row];
  if (target_.cost.empty()) return truth == static_cast<std::uint32_t>(answer.label) ? 0.0 : 1.0;
  return target_.cost[truth * std::size_t{target_.classes} + static_cast<std::size_t>(answer.label)];
}

std::vector<double> Omnivariate::losses(const Member& member, const Holding& held, const Holding& judges,
                                        std::uint64_t key, const std::vector<std::uint8_t>& allowed) const {
  const NodeStats stats = stats_of(held, target_, options_, judge_, centre_);
  NodeView view = view_node(held, stats, target_, stat_kind(target_, options_.criterion), centre_);
  view.key = key;
  std::vector<Candidate> tests;
  std::size_t offered = 0;
  if (!stats.pure) tests = member.search.search(view, allowed, offered);
  std::vector<double> found;
  found.reserve(judges.size());
  if (tests.empty()) {
    for (const std::uint32_t row : judges.row) found.push_back(loss(stats, row));
    return found;
  }
  Sender sender(table_, tests.front());
  settle(sender, table_, send_by_test(sender, tests.front(), held), held, allowed, member.options, watch_);
  const auto branch_of_row = [&](std::uint32_t row) {
    std::int32_t branch = sender.test(row);
    if (branch < 0) branch = sender.missing >= 0 ? sender.missing : sender.majority;
    return static_cast<std::size_t>(branch);
  };
  std::vector<Holding> child(static_cast<std::size_t>(sender.test.branches()));
  for (std::size_t i = 0; i < held.size(); ++i) child[branch_of_row(held.row[i])].add(held.row[i], held.weight[i]);
  std::vector<NodeStats> answer;
  answer.reserve(child.size());
  for (const Holding& one : child)
    answer.push_back(one.size() > 0 ? stats_of(one, target_, options_, judge_, centre_) : stats);
  for (const std::uint32_t row : judges.row) found.push_back(loss(answer[branch_of_row(row)], row));
  return found;
}

void Omnivariate::part(const NodeView& node, int repetition, Holding (&half)[2]) const {
  Random random(options_.selection.seed ^ (node.key * 0x9e3779b97f4a7c15U) ^
                (static_cast<std::uint64_t>(repetition) * 0xd1342543de82ef95U));
  const Holding& held = *node.held;
  std::vector<std::vector<std::uint32_t>> strata(std::max<std::uint32_t>(1, target_.classes));
  for (std::size_t i = 0; i < held.size(); ++i)
    strata[target_.classes > 0 ? target_.label[held.row[i]] : 0].push_back(static_cast<std::uint32_t>(i));
  std::vector<std::uint8_t> side(held.size(), 0);
  for (std::vector<std::uint32_t>& one : strata) {
    random.shuffle(one);
    // The odd row of a class goes to one half and the other in turn.
    const std::size_t first = (one.size() + (repetition % 2 == 0 ? 1 : 0)) / 2;
    for (std::size_t i = first; i < one.size(); ++i) side[one[i]] = 1;
  }
  for (std::size_t i = 0; i < held.size(); ++i) half[side[i]].add(held.row[i], held.weight[i]);
}

void Omnivariate::by_halves(const NodeView& node, const std::vector<std::uint8_t>& allowed, NodeChoice& choice) const {
  const std::size_t members = half_.size();
  std::vector<std::vector<double>> error(members, std::vector<double>(2 * kRepetitions));
  parallel_for(
      kRepetitions, judge_.parallel() ? options_.threads : 1, [&] { watch_.ask(); },
      [&](std::size_t repetition, int) {
        Holding half[2];
        part(node, static_cast<int>(repetition), half);
        for (std::size_t j = 0; j < 2; ++j) {
          if (half[j].size() == 0 || half[1 - j].size() == 0) continue;
          for (std::size_t m = 0; m < members; ++m) {
            watch_.poll(half[j].size());
            const std::uint64_t key = node.key * 0x100000001b3U + 2 * repetition + j;
            error[m][2 * repetition + j] = mean_of(losses(*half_[m], half[j], half[1 - j], key, allowed), half[1 - j]);
          }
        }
      });
  std::size_t best = 0;
  for (std::size_t m = 0; m < members; ++m) {
    double mean = 0.0;
    for (const double one : error[m]) mean += one / static_cast<double>(error[m].size());
    choice.error.push_back(mean);
    if (m == 0) {
      choice.p.push_back(1.0);
      continue;
    }
    std::vector<double> apart;
    apart.reserve(error[m].size());
    for (std::size_t i = 0; i < error[m].size(); ++i) apart.push_back(error[best][i] - error[m][i]);
    choice.p.push_back(std::exp(log_p_of_halves(apart)));
    if (choice.p.back() < options_.omnivariate.level && choice.error[m] < choice.error[best]) best = m;
  }
  choice.chosen = static_cast<std::int32_t>(best);
}

void Omnivariate::by_kept_back(const NodeView& node, const Holding& kept_back, const std::vector<std::uint8_t>& allowed,
                               NodeChoice& choice) const {
  std::vector<double> least;
  std::size_t best = 0;
  for (std::size_t m = 0; m < whole_.size(); ++m) {
    std::vector<double> own = losses(*whole_[m], *node.held, kept_back, node.key, allowed);
    choice.error.push_back(mean_of(own, kept_back));
    if (m == 0) {
      choice.p.push_back(1.0);
      least = std::move(own);
      continue;
    }
    std::size_t better = 0;
    std::size_t worse = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      better += own[i] < least[i] ? 1U : 0U;
      worse += own[i] > least[i] ? 1U : 0U;
    }
    choice.p.push_back(p_of_disagreement(better, worse));
    if (!(choice.p.back() < options_.omnivariate.level) || better <= worse) continue;
    best = m;
    least = std::move(own);
  }
  choice.chosen = static_cast<std::int32_t>(best);
}

std::vector<Candidate> Omnivariate::search(const NodeView& node, const Holding& kept_back,
                                           const std::vector<std::uint8_t>& allowed, std::size_t& offered,
                                           NodeChoice& choice) const {
  const bool kept = !options_.stop.validation.empty();
  const bool few = static_cast<std::int64_t>(node.held->size()) < options_.omnivariate.test_rows;
  // Two classes with two rows each, or halves have nothing to tell.
  std::vector<std::size_t> rows(std::max<std::uint32_t>(2, target_.classes), 2);
  if (target_.classes > 0) {
    std::ranges::fill(rows, std::size_t{0});
    for (const std::uint32_t label : node.label) ++rows[label];
  }
  const bool mixed = std::ranges::count_if(rows, [](std::size_t n) { return n >= 2; }) >= 2;
  std::size_t chosen = 0;
  if (whole_.size() > 1 && !few && mixed && (!kept || kept_back.size() != 0)) {
    if (kept) {
      by_kept_back(node, kept_back, allowed, choice);
    } else {
      by_halves(node, allowed, choice);
    }
    chosen = static_cast<std::size_t>(choice.chosen);
  }
  std::vector<Candidate> tests = whole_[chosen]->search.search(node, allowed, offered);
  if (tests.empty() && chosen > 0) {
    choice.chosen = 0;
    tests = whole_.front()->search.search(node, allowed, offered);
  }
  return tests;
}

}  // namespace bough
