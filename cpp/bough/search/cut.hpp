// Cuts of a sorted column, the group skeleton: statistics that can be subtracted (class counts, sums), so that the low
// side is known and the high side is the rest. Scores are made a chunk at a time; only a chunk that may hold a better
// cut is looked at closely, so that ties between values, minima and constraints cost next to nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "bough/base/watch.hpp"
#include "bough/criterion/side.hpp"
#include "bough/engine/sorted/cohort.hpp"

namespace bough {

// The best cut of a column in a node: the first `position` known entries go low.
struct Cut {
  double drop = 0.0;          // of the known rows, not yet discounted
  std::size_t position = 0;   // 0: none
  double low_weight = 0.0;    // sum of sample weights of the low side
};

// The score of what is no cut: it exceeds no bar.
inline constexpr double kNoCut = -HUGE_VAL;

// What every cut must respect.
struct CutLimits {
  std::size_t min_rows = 1;
  double min_weight = 0.0;
  double tie = 1e-12;
  bool zero_gain = false;  // cuts that gain nothing, or lose, are cuts too
  int monotone = 0;      // 1: the high side's answer may not be lower, -1: may not be higher
  double lower = -1e300;  // bounds of the answers, handed down by constrained splits above
  double upper = 1e300;
  Watch* watch = nullptr;  // asked now and then where a search is long

  // So many entries have been worked on.
  void poll(std::size_t entries) const {
    if (watch != nullptr) watch->poll(entries);
  }
  // What the first cut must exceed, gains up to `floor` being rounding.
  [[nodiscard]] double first_bar(double floor) const { return zero_gain ? kNoCut : floor; }
  // What a later one must exceed: of equal cuts the first stays.
  [[nodiscard]] double next_bar(double best, double slack) const {
    return best * (best < 0.0 ? 1.0 - tie : 1.0 + tie) + slack;
  }
  [[nodiscard]] bool constrained() const { return monotone != 0 || lower > -1e300 || upper < 1e300; }
  // Whether two branch answers are allowed.
  [[nodiscard]] bool allows(double low, double high) const {
    if (low < lower || high < lower || low > upper || high > upper) return false;
    return monotone == 0 || (monotone > 0 ? low <= high : low >= high);
  }
};

inline constexpr std::size_t kChunk = 128;
using Chunk = std::array<double, kChunk>;

inline double largest(const double* score, std::size_t n) {
  // Four lanes, because one running maximum would wait for itself.
  double a = kNoCut;
  double b = kNoCut;
  double c = kNoCut;
  double d = kNoCut;
  std::size_t j = 0;
  for (; j + 4 <= n; j += 4) {
    a = score[j] > a ? score[j] : a;
    b = score[j + 1] > b ? score[j + 1] : b;
    c = score[j + 2] > c ? score[j + 2] : c;
    d = score[j + 3] > d ? score[j + 3] : d;
  }
  for (; j < n; ++j) a = score[j] > a ? score[j] : a;
  a = b > a ? b : a;
  c = d > c ? d : c;
  return c > a ? c : a;
}

// Scorer: fill(entries, n, first, score, low_weight) advances over n entries and writes a score for the cut behind
// each of them, `first` being the number of entries before; drop(score); floor(): the smallest score that is no
// rounding; slack(): how much rounding may lift a score; kWeighted: it also writes the weights of the low side, and
// whole() says whether they are counts of rows; answers(j, cut), where constraints are supported: the answers of both
// sides at place j of the last chunk.
template <class Entry, class Scorer>
class CutScan {
 public:
  CutScan(std::span<const Entry> known, const Ties& ties, Scorer& scorer, const CutLimits& limits)
      : known_(known), ties_(ties), scorer_(scorer), limits_(limits), total_(scorer.total_weight()) {
    if constexpr (Scorer::kWeighted) {
      const double rounding = rounding_of_side(static_cast<double>(known.size()), total_);
      min_weight_ = scorer.whole() ? limits.min_weight : std::max(limits.min_weight, rounding);
    }
  }

  Cut run() {
    const std::size_t n = known_.size();
    first_cut_ = std::max<std::size_t>(1, limits_.min_rows);
    const std::size_t last_cut = n - std::min(n, first_cut_);
    if (first_cut_ > last_cut) return {};
    bar_ = limits_.first_bar(scorer_.floor());
    for (std::size_t base = 0; base < last_cut; base += kChunk) {
      const std::size_t count = std::min(kChunk, last_cut - base);
      scorer_.fill(known_.data() + base, count, base, score_.data(), low_weight_.data());
      if constexpr (requires { scorer_.answers(0, 0); }) {
        if (limits_.constrained()) bar_disallowed(base, count);
      }
      const double top = largest(score_.data(), count);
      if (!(top > bar_)) continue;
      // Nearly always a cut next to the largest score is admissible, and to look at no others saves the wrong guesses
      // of the branch predictor at every record on the way there (a fifth of the scan at 30 rows).
      constexpr double kNear = 1e-9;
      const double near = top * (1.0 - kNear);
      if (near > bar_ && near < top && limits_.tie < 0.01 * kNear && look(base, count, near)) continue;
      look(base, count, bar_);
    }
    if (position_ == 0) return {};
    return {scorer_.drop(best_score_), position_, position_weight_};
  }

 private:
  void bar_disallowed(std::size_t base, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
      const auto [low, high] = scorer_.answers(j, base + j + 1);
      if (!limits_.allows(low, high)) score_[j] = kNoCut;
    }
  }

  // Takes the cuts of a chunk that are better than `bar`, and then better than each other, in their order.
  bool look(std::size_t base, std::size_t count, double bar) {
    bool found = false;
    for (std::size_t j = 0; j < count; ++j) {
      if (!(score_[j] > bar)) continue;
      const std::size_t cut = base + j + 1;
      if (cut < first_cut_) continue;
      if (ties_(known_[cut - 1].id(), known_[cut].id())) continue;
      auto low = static_cast<double>(cut);
      if constexpr (Scorer::kWeighted) {
        low = low_weight_[j];
        if (low < min_weight_ || total_ - low < min_weight_) continue;
      }
      found = true;
      best_score_ = score_[j];
      bar_ = bar = limits_.next_bar(best_score_, scorer_.slack());
      position_ = cut;
      position_weight_ = low;
    }
    return found;
  }

  std::span<const Entry> known_;
  const Ties& ties_;
  Scorer& scorer_;
  const CutLimits& limits_;
  double total_;
  double min_weight_ = 0.0;  // of a side; what is lighter is too light, or rounding
  std::size_t first_cut_ = 1;
  double bar_ = 0.0;  // what the next cut must exceed
  double best_score_ = 0.0;
  std::size_t position_ = 0;  // of the best cut
  double position_weight_ = 0.0;
  Chunk score_;
  Chunk low_weight_;
};

template <class Entry, class Scorer>
Cut scan_cuts(std::span<const Entry> known, const Ties& ties, Scorer& scorer, const CutLimits& limits) {
  return CutScan<Entry, Scorer>(known, ties, scorer, limits).run();
}

}  // namespace bough
