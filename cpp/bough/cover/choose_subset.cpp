#include "bough/cover/choose_subset.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

#include "bough/base/random.hpp"
#include "bough/cover/description.hpp"

namespace bough {

namespace {

// A subset of the rules while it changes by one rule at a time.
class ChosenRules {
 public:
  ChosenRules(std::span<const RowSet> rules, std::span<const std::int64_t> numbers, std::span<const double> theory,
              const LabelledRows& rows, std::size_t label, double theory_weight)
      : rules_(rules),
        numbers_(numbers),
        theory_(theory),
        rows_(rows),
        used_(rows.used.bits()),
        class_(rows.classes[label].bits()),
        theory_weight_(theory_weight),
        chosen_(numbers.size()),
        covered_(used_.size()),
        once_(used_.size()) {
    for (std::size_t word = 0; word < used_.size(); ++word) {
      positive_ += rows.mass.of(class_[word], word);
      total_ += rows.mass.of(used_[word], word);
    }
  }

  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] const std::vector<std::uint8_t>& chosen() const { return chosen_; }

  void choose(std::vector<std::uint8_t> chosen) {
    chosen_ = std::move(chosen);
    recount();
  }

  [[nodiscard]] double bits() const { return bits_of(theory_bits_, true_, false_); }

  // What the description would be if one rule came or went.
  [[nodiscard]] double bits_after_flip(std::size_t place) const {
    const RowWords rule = rules_[static_cast<std::size_t>(numbers_[place])].bits();
    const bool goes = chosen_[place] != 0;
    double right = 0.0;
    double wrong = 0.0;
    for (std::size_t word = 0; word < used_.size(); ++word) {
      const std::uint64_t changed = rule[word] & (goes ? once_[word] : used_[word] & ~covered_[word]);
      if (changed == 0) continue;
      right += rows_.mass.of(changed & class_[word], word);
      wrong += rows_.mass.of(changed & ~class_[word], word);
    }
    const double sign = goes ? -1.0 : 1.0;
    return bits_of(theory_bits_ + sign * theory_[place], true_ + sign * right, false_ + sign * wrong);
  }

  void flip(std::size_t place) {
    chosen_[place] ^= 1U;
    recount();
  }

 private:
  [[nodiscard]] double bits_of(double theory, double right, double wrong) const {
    const double covered = right + wrong;
    const ListCounts list = {covered, std::max(0.0, total_ - covered), std::max(0.0, wrong),
                             std::max(0.0, positive_ - right)};
    return theory_weight_ * theory + exception_bits(0.5, list);
  }

  void recount() {
    std::ranges::fill(covered_, 0);
    std::ranges::fill(once_, 0);
    theory_bits_ = true_ = false_ = 0.0;
    for (std::size_t place = 0; place < size(); ++place) {
      if (chosen_[place] == 0) continue;
      theory_bits_ += theory_[place];
      const RowWords rule = rules_[static_cast<std::size_t>(numbers_[place])].bits();
      for (std::size_t word = 0; word < used_.size(); ++word) {
        const std::uint64_t bits = rule[word] & used_[word];
        once_[word] = (once_[word] & ~bits) | (bits & ~covered_[word]);
        covered_[word] |= bits;
      }
    }
    for (std::size_t word = 0; word < used_.size(); ++word) {
      true_ += rows_.mass.of(covered_[word] & class_[word], word);
      false_ += rows_.mass.of(covered_[word] & ~class_[word], word);
    }
  }

  std::span<const RowSet> rules_;
  std::span<const std::int64_t> numbers_;
  std::span<const double> theory_;
  const LabelledRows& rows_;
  RowWords used_;
  RowWords class_;
  double theory_weight_;
  double positive_ = 0.0;
  double total_ = 0.0;
  std::vector<std::uint8_t> chosen_;
  std::vector<std::uint64_t> covered_;
  std::vector<std::uint64_t> once_;
  double theory_bits_ = 0.0;
  double true_ = 0.0;
  double false_ = 0.0;
};

constexpr double kLess = 1e-9;  // fewer bits by less than this is rounding

// Flips the rule that saves most until none saves anything.
void improve(ChosenRules& subset, Watch& watch) {
  for (double bits = subset.bits();;) {
    std::size_t best = subset.size();
    double least = bits - kLess;
    for (std::size_t place = 0; place < subset.size(); ++place) {
      const double after = subset.bits_after_flip(place);
      watch.poll(64);
      if (after < least) {
        least = after;
        best = place;
      }
    }
    if (best == subset.size()) return;
    subset.flip(best);
    bits = subset.bits();
  }
}

// All subsets in the order of a Gray code, so that one rule comes or goes at a time.
void try_all(ChosenRules& subset) {
  std::vector<std::uint8_t> best = subset.chosen();
  double least = subset.bits();
  for (std::size_t step = 1; step < (std::size_t{1} << subset.size()); ++step) {
    subset.flip(static_cast<std::size_t>(std::countr_zero(step)));
    const double bits = subset.bits();
    if (bits < least - kLess) {
      least = bits;
      best = subset.chosen();
    }
  }
  subset.choose(std::move(best));
}

// Simulated annealing: rules drawn by chance are flipped if that saves bits, and the more rarely otherwise the more
// bits it costs and the later it comes. Ends with the best subset that was met, which is no worse than the first.
void anneal(ChosenRules& subset, std::size_t steps, Random random, Watch& watch) {
  constexpr double hot = 8.0;  // bits that are lost with a chance of 1/e at first, and at last
  constexpr double cold = 0.05;
  const double cooling = std::pow(cold / hot, 1.0 / static_cast<double>(steps));
  std::vector<std::uint8_t> best = subset.chosen();
  double bits = subset.bits();
  double least = bits;
  double heat = hot;
  for (std::size_t step = 0; step < steps; ++step, heat *= cooling) {
    watch.poll(64);
    const std::size_t place = random.below(subset.size());
    const double after = subset.bits_after_flip(place);
    const double chance = static_cast<double>(random.next() >> 11U) * 0x1p-53;
    if (!(chance < std::exp((bits - after) / heat))) continue;
    subset.flip(place);
    bits = subset.bits();
    if (bits < least - kLess) {
      least = bits;
      best = subset.chosen();
    }
  }
  subset.choose(std::move(best));
}

// Adds and drops from nothing, and from everything where rules are few; the better end stays.
void flip_from_both_ends(ChosenRules& subset, std::size_t most_from_full, Watch& watch) {
  improve(subset, watch);
  if (subset.size() > most_from_full) return;
  const double bits = subset.bits();
  std::vector<std::uint8_t> from_none = subset.chosen();
  subset.choose(std::vector<std::uint8_t>(subset.size(), 1));
  improve(subset, watch);
  if (!(subset.bits() < bits - kLess)) subset.choose(std::move(from_none));
}

}  // namespace

std::vector<std::uint8_t> choose_subset(std::span<const RowSet> rules, std::span<const std::int64_t> numbers,
                                        std::span<const double> theory, const LabelledRows& rows, std::size_t label,
                                        const SubsetSearch& search, Watch& watch) {
  ChosenRules subset(rules, numbers, theory, rows, label, search.theory_weight);
  if (numbers.size() <= search.most_exhaustive) {
    try_all(subset);
    return subset.chosen();
  }
  flip_from_both_ends(subset, search.most_from_full, watch);
  if (search.annealing) {
    anneal(subset, std::min(search.most_steps, search.steps * numbers.size()), Random(search.seed + label), watch);
    improve(subset, watch);
  }
  return subset.chosen();
}

}  // namespace bough
