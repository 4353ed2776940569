#include "bough/engine/sorted/carried.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace bough {
namespace {

// What changes sides at a time: all rows of a level.
struct Load {
  std::size_t rows = 0;
  double weight = 0.0;
  double mass = 0.0;           // classification: scaled weight, added up row by row
  std::vector<double> counts;  // classification: weights by class
  double sum = 0.0;            // regression: weighted distances from the mean
};

// Classification: first all rows are on side 1. Masses are carried with their rounding, counts are whole as long as
// the weights are.
class ClassSides {
 public:
  ClassSides(std::span<const CarriedRow> rows, const Target& target, Criterion criterion)
      : scale_(target.growth_scale), entropy_(criterion == Criterion::entropy) {
    counts_[0].assign(scale_.size(), 0.0);
    counts_[1].assign(scale_.size(), 0.0);
    for (const CarriedRow& row : rows) {
      mass_[1] += scale_[row.label] * row.weight;
      counts_[1][row.label] += row.weight;
    }
    for (std::size_t k = 0; k < scale_.size(); ++k) node_ += mass_[1] * part(share(1, k));
  }

  void add(Load& load, const CarriedRow& row) const {
    load.counts.resize(scale_.size(), 0.0);
    load.counts[row.label] += row.weight;
    load.mass += scale_[row.label] * row.weight;
  }
  void move(const CarriedRow& row) {
    const double mass = scale_[row.label] * row.weight;
    mass_[0] += mass;
    mass_[1] -= mass;
    counts_[0][row.label] += row.weight;
    counts_[1][row.label] -= row.weight;
  }
  void move(const Load& load, std::size_t to) {
    mass_[to] += load.mass;
    mass_[1 - to] -= load.mass;
    for (std::size_t k = 0; k < scale_.size(); ++k) {
      counts_[to][k] += load.counts[k];
      counts_[1 - to][k] -= load.counts[k];
    }
  }
  [[nodiscard]] double gain() const {
    double left = 0.0;
    for (std::size_t k = 0; k < scale_.size(); ++k) {
      left += mass_[0] * part(share(0, k));
      left += mass_[1] * part(share(1, k));
    }
    return node_ - left;
  }
  [[nodiscard]] bool first_is_left() const {
    double mean[2] = {0.0, 0.0};  // class number
    for (std::size_t k = 0; k < scale_.size(); ++k) {
      for (std::size_t side = 0; side < 2; ++side) mean[side] += static_cast<double>(k) * share(side, k);
    }
    return mean[0] < mean[1];
  }
  [[nodiscard]] bool first_set_is_left() const { return first_is_left(); }
  // Levels poor in the first class come first.
  [[nodiscard]] static double answer(const Load& load) { return load.counts[0] / load.mass; }
  [[nodiscard]] bool has_order() const { return scale_.size() <= 2; }

 private:
  [[nodiscard]] double share(std::size_t side, std::size_t k) const {
    return scale_[k] * counts_[side][k] / mass_[side];
  }
  [[nodiscard]] double part(double p) const {
    if (entropy_) return p > 0.0 ? -p * std::log(p) : 0.0;
    return p * (1.0 - p);
  }

  const std::vector<double>& scale_;
  bool entropy_;
  double mass_[2] = {0.0, 0.0};
  std::vector<double> counts_[2];
  double node_ = 0.0;
};

// Squared error: distances from the mean of all rows, which are on side 1 at first.
class ValueSides {
 public:
  ValueSides(std::span<const CarriedRow> rows, const Target& /*target*/, Criterion /*criterion*/) {
    double sum = 0.0;
    for (const CarriedRow& row : rows) {
      mass_[1] += row.weight;
      sum += row.y * row.weight;
    }
    mean_ = sum / mass_[1];
  }

  void add(Load& load, const CarriedRow& row) const {
    load.sum += (row.y - mean_) * row.weight;
    load.mass += row.weight;
  }
  void move(const CarriedRow& row) { move((row.y - mean_) * row.weight, row.weight, 0); }
  void move(const Load& load, std::size_t to) { move(load.sum, load.mass, to); }
  [[nodiscard]] double gain() const { return sum_[0] * sum_[0] / mass_[0] + sum_[1] * sum_[1] / mass_[1]; }
  [[nodiscard]] bool first_is_left() const { return sum_[0] < sum_[1]; }
  [[nodiscard]] bool first_set_is_left() const { return !(sum_[0] / mass_[0] > sum_[1] / mass_[1]); }
  [[nodiscard]] static double answer(const Load& load) { return load.sum / load.mass; }
  [[nodiscard]] static bool has_order() { return true; }

 private:
  void move(double sum, double mass, std::size_t to) {
    sum_[to] += sum;
    sum_[1 - to] -= sum;
    mass_[to] += mass;
    mass_[1 - to] -= mass;
  }

  double mass_[2] = {0.0, 0.0};
  double sum_[2] = {0.0, 0.0};
  double mean_ = 0.0;
};

// The rows and weights of the first side, against the minima.
class Minima {
 public:
  Minima(std::span<const CarriedRow> rows, const CutLimits& limits) : limits_(limits), all_rows_(rows.size()) {
    for (const CarriedRow& row : rows) all_weight_ += row.weight;
  }
  void add(std::size_t rows, double weight) {
    rows_ += rows;
    weight_ += weight;
  }
  void remove(std::size_t rows, double weight) {
    rows_ -= rows;
    weight_ -= weight;
  }
  [[nodiscard]] bool met() const {
    return std::min(rows_, all_rows_ - rows_) >= limits_.min_rows &&
           std::min(weight_, all_weight_ - weight_) >= limits_.min_weight;
  }

 private:
  const CutLimits& limits_;
  std::size_t all_rows_;
  double all_weight_ = 0.0;
  std::size_t rows_ = 0;
  double weight_ = 0.0;
};

template <class Sides>
CarriedSplit cut_with(std::span<const CarriedRow> rows, Sides sides, const CutLimits& limits) {
  CarriedSplit best;
  Minima minima(rows, limits);
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    sides.move(rows[i]);
    minima.add(1, rows[i].weight);
    if (rows[i].value == rows[i + 1].value || !minima.met()) continue;
    const double gain = sides.gain();
    if (!best.improved_by(gain, limits)) continue;
    best.any = true;
    best.gain = gain;
    best.position = i + 1;
    best.first_is_left = sides.first_is_left();
  }
  return best;
}

// Which level changes sides at each step.
std::vector<std::uint32_t> by_answer(const std::vector<double>& answer) {
  std::vector<std::uint32_t> order(answer.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return answer[a] < answer[b]; });
  order.pop_back();
  return order;
}

template <class Sides>
CarriedSplit subset_with(std::span<const CarriedRow> rows, std::uint32_t levels, Sides sides, const CutLimits& limits) {
  CarriedSplit best;
  for (const CarriedRow& row : rows) best.code.push_back(static_cast<std::int32_t>(row.value));
  std::sort(best.code.begin(), best.code.end());
  best.code.erase(std::unique(best.code.begin(), best.code.end()), best.code.end());
  if (best.code.size() < 2) return best;
  std::vector<Load> load(best.code.size());
  for (const CarriedRow& row : rows) {
    const auto at = std::lower_bound(best.code.begin(), best.code.end(), static_cast<std::int32_t>(row.value));
    Load& level = load[static_cast<std::size_t>(at - best.code.begin())];
    ++level.rows;
    level.weight += row.weight;
    sides.add(level, row);
  }

  Minima minima(rows, limits);
  std::vector<std::uint8_t> first(load.size(), 0);
  const auto turn = [&](std::size_t v) {
    first[v] ^= 1;
    sides.move(load[v], first[v] != 0 ? 0 : 1);
    if (first[v] != 0) {
      minima.add(load[v].rows, load[v].weight);
    } else {
      minima.remove(load[v].rows, load[v].weight);
    }
    if (!minima.met()) return;
    const double gain = sides.gain();
    if (!best.improved_by(gain, limits)) return;
    best.any = true;
    best.gain = gain;
    best.first = first;
    best.first_is_left = sides.first_set_is_left();
  };
  if (sides.has_order()) {
    std::vector<double> answer(load.size());
    std::transform(load.begin(), load.end(), answer.begin(), Sides::answer);
    for (const std::uint32_t v : by_answer(answer)) turn(v);
  } else {
    const bool last_is_present = static_cast<std::uint32_t>(best.code.back()) + 1 == levels;
    const std::size_t moving = load.size() - (last_is_present ? 1 : 0);
    const std::uint64_t end = std::uint64_t{1} << moving;
    for (std::uint64_t step = 1; step < end; ++step) turn(static_cast<std::size_t>(std::countr_zero(step)));
  }
  return best;
}

}  // namespace

CarriedSplit carried_cut(std::span<const CarriedRow> rows, const Target& target, Criterion criterion,
                         const CutLimits& limits) {
  if (target.classes > 0) return cut_with(rows, ClassSides(rows, target, criterion), limits);
  return cut_with(rows, ValueSides(rows, target, criterion), limits);
}

CarriedSplit carried_subset(std::span<const CarriedRow> rows, std::uint32_t levels, const Target& target,
                            Criterion criterion, const CutLimits& limits) {
  if (target.classes > 0) return subset_with(rows, levels, ClassSides(rows, target, criterion), limits);
  return subset_with(rows, levels, ValueSides(rows, target, criterion), limits);
}

}  // namespace bough
