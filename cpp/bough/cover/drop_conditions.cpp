#include "bough/cover/drop_conditions.hpp"

#include <algorithm>
#include <cstddef>

#include "bough/base/parallel.hpp"
#include "bough/pruning/pessimist.hpp"

namespace bough {

namespace {

// A rule while it is pruned: the rows that meet all conditions it still has, and those that fail one of them alone.
class Pruning {
 public:
  Pruning(std::span<const RowSet> conditions, const LabelledRows& rows, const ErrorEstimate& estimate)
      : conditions_(conditions),
        rows_(rows),
        used_(rows.used.bits()),
        laplace_(estimate.kind == ErrorEstimate::Kind::laplace),
        pessimist_(estimate.confidence, 1.0 - estimate.confidence),
        all_(rows.used.words()),
        but_one_(rows.used.words()) {}

  void prune(const RuleBodies& rules, std::size_t rule, PrunedRules& into) {
    const auto first = static_cast<std::size_t>(rules.begin[rule]);
    const auto last = static_cast<std::size_t>(rules.begin[rule + 1]);
    left_.clear();
    for (std::size_t at = first; at < last; ++at) left_.push_back(at);
    class_ = rows_.classes[static_cast<std::size_t>(rules.label[rule])].bits();
    Sums now = whole(rules);
    double least = estimate(now);
    while (!left_.empty()) {
      const Drop drop = best_drop(rules);
      if (!(drop.estimate <= least)) break;
      least = drop.estimate;
      now = drop.sums;
      into.kept[left_[drop.place]] = 0;
      left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(drop.place));
    }
    into.weight[rule] = now.weight;
    into.wrong[rule] = now.wrong;
    into.estimate[rule] = least;
  }

 private:
  struct Sums {
    double weight = 0.0;
    double wrong = 0.0;
  };
  struct Drop {
    std::size_t place = 0;
    Sums sums;
    double estimate = 2.0;
  };

  [[nodiscard]] double estimate(const Sums& sums) const {
    if (laplace_) return (sums.wrong + 1.0) / (sums.weight + 2.0);
    if (!(sums.weight > 0)) return 1.0;
    return (sums.wrong + pessimist_.added(sums.weight, sums.wrong)) / sums.weight;
  }

  void add(Sums& sums, std::uint64_t bits, std::size_t word) const {
    if (bits == 0) return;
    sums.weight += rows_.mass.of(bits, word);
    sums.wrong += rows_.mass.of(bits & ~class_[word], word);
  }

  [[nodiscard]] Sums whole(const RuleBodies& rules) const {
    Sums sums;
    for (std::size_t word = 0; word < used_.size(); ++word) {
      std::uint64_t bits = used_[word];
      for (const std::size_t at : left_) bits &= condition(rules, at)[word];
      add(sums, bits, word);
    }
    return sums;
  }

  // The condition without which the fewest errors are to be expected, the first of equal ones. The rows of all but one
  // condition are those that meet all of them, and those that fail this one alone.
  [[nodiscard]] Drop best_drop(const RuleBodies& rules) {
    meet_conditions(rules);
    Sums all;
    near_.clear();
    for (std::size_t word = 0; word < all_.size(); ++word) {
      add(all, all_[word], word);
      if (but_one_[word] != 0) near_.push_back(word);
    }
    Drop best;
    for (std::size_t place = 0; place < left_.size(); ++place) {
      Sums sums = all;
      const RowWords own = condition(rules, left_[place]);
      for (const std::size_t word : near_) add(sums, but_one_[word] & ~own[word], word);
      const double errors = estimate(sums);
      if (errors < best.estimate) best = {place, sums, errors};
    }
    return best;
  }

  // Which rows meet all conditions that are left, and which all but one.
  void meet_conditions(const RuleBodies& rules) {
    std::ranges::copy(used_, all_.begin());
    std::ranges::fill(but_one_, 0);
    std::uint64_t* all = all_.data();
    std::uint64_t* but_one = but_one_.data();
    for (const std::size_t at : left_) {
      const std::uint64_t* own = condition(rules, at).data();
      for (std::size_t word = 0; word < all_.size(); ++word) {
        but_one[word] = (but_one[word] & own[word]) | (all[word] & ~own[word]);
        all[word] &= own[word];
      }
    }
  }

  [[nodiscard]] RowWords condition(const RuleBodies& rules, std::size_t at) const {
    return conditions_[static_cast<std::size_t>(rules.condition[at])].bits();
  }

  std::span<const RowSet> conditions_;
  const LabelledRows& rows_;
  RowWords used_;
  bool laplace_;
  Pessimist pessimist_;
  RowWords class_;
  std::vector<std::size_t> left_;  // positions of the conditions that are left
  std::vector<std::uint64_t> all_;  // rows that meet all of these
  std::vector<std::uint64_t> but_one_;  // rows that fail exactly one
  std::vector<std::size_t> near_;  // the words of these rows
};

}  // namespace

PrunedRules drop_conditions(const RuleBodies& rules, std::span<const RowSet> conditions, const LabelledRows& rows,
                            const ErrorEstimate& estimate, int threads, Watch& watch) {
  constexpr std::size_t kRules = 16;  // handed to a thread at once
  PrunedRules pruned;
  pruned.kept.assign(rules.condition.size(), 1);
  pruned.weight.resize(rules.size());
  pruned.wrong.resize(rules.size());
  pruned.estimate.resize(rules.size());
  const std::size_t batches = (rules.size() + kRules - 1) / kRules;
  parallel_for(
      batches, threads, [&watch] { watch.ask(); },
      [&](std::size_t batch, int) {
        Pruning pruning(conditions, rows, estimate);
        for (std::size_t rule = batch * kRules; rule < std::min(rules.size(), (batch + 1) * kRules); ++rule) {
          pruning.prune(rules, rule, pruned);
          watch.poll(rows.used.words() * 64);
        }
      });
  return pruned;
}

}  // namespace bough
