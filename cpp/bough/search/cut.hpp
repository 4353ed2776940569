// Cuts of a sorted column, the group skeleton: statistics that can be subtracted (class counts, sums), so that the low
// side is known and the high side is the rest. Scores are made a chunk at a time; only a chunk that may hold a better
// cut is looked at closely, so that ties between values, minima and constraints cost next to nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "bough/grow/cohort.hpp"

namespace bough {

// The best cut of a column in a node: the first `position` known entries go low.
struct Cut {
  double drop = 0.0;          // of the known rows, not yet discounted
  std::size_t position = 0;   // 0: none
  double low_weight = 0.0;    // sum of sample weights of the low side
};

// What every cut must respect.
struct CutLimits {
  std::size_t min_rows = 1;
  double min_weight = 0.0;
  double tie = 1e-12;
  bool zero_gain = false;
  int monotone = 0;      // 1: the high side's answer may not be lower, -1: may not be higher
  double lower = -1e300;  // bounds of the answers, handed down by constrained splits above
  double upper = 1e300;

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
  double a = -1.0;
  double b = -1.0;
  double c = -1.0;
  double d = -1.0;
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
// rounding; slack(): how much rounding may lift a score; kWeighted: it also writes the weights of the low side;
// answers(j, cut), where constraints are supported: the answers of both sides at place j of the last chunk.
template <class Entry, class Scorer>
Cut scan_cuts(std::span<const Entry> known, const std::uint32_t* rank, Scorer& scorer, const CutLimits& limits) {
  Cut best;
  const std::size_t n = known.size();
  if (n < 2) return best;
  const std::size_t first_cut = std::max<std::size_t>(1, limits.min_rows);
  const std::size_t last_cut = n - std::min(n, first_cut);
  if (first_cut > last_cut) return best;
  Chunk score;
  Chunk low_weight;
  const double total = scorer.total_weight();
  double bar = limits.zero_gain ? -0.5 : scorer.floor();
  double best_score = bar;
  for (std::size_t base = 0; base < last_cut; base += kChunk) {
    const std::size_t count = std::min(kChunk, last_cut - base);
    scorer.fill(known.data() + base, count, base, score.data(), low_weight.data());
    if constexpr (requires { scorer.answers(0, 0); }) {
      if (limits.constrained()) {
        for (std::size_t j = 0; j < count; ++j) {
          const auto [low, high] = scorer.answers(j, base + j + 1);
          if (!limits.allows(low, high)) score[j] = -1.0;
        }
      }
    }
    if (!(largest(score.data(), count) > bar)) continue;
    for (std::size_t j = 0; j < count; ++j) {
      if (!(score[j] > bar)) continue;
      const std::size_t cut = base + j + 1;
      if (cut < first_cut) continue;
      if (rank != nullptr && rank[known[cut - 1].id()] == rank[known[cut].id()]) continue;
      double low = static_cast<double>(cut);
      if constexpr (Scorer::kWeighted) {
        low = low_weight[j];
        if (low < limits.min_weight || total - low < limits.min_weight) continue;
      }
      best_score = score[j];
      bar = std::max(best_score, 0.0) * (1.0 + limits.tie) + scorer.slack();
      best.position = cut;
      best.low_weight = low;
    }
  }
  if (best.position != 0) best.drop = std::max(0.0, scorer.drop(best_score));
  return best;
}

}  // namespace bough
