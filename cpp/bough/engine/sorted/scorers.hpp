// Scorers of the group skeleton (cut.hpp): the fast forms of gini, entropy and squared error, and one that serves any
// criterion on class counts. Whole counts are kept whole, so that equal cuts get equal scores.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "bough/criterion/class_drop.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/search/cut.hpp"

namespace bough {

// Two classes, every row of weight 1, no class scales: the low side's number of class 1 says all.
template <class Entry>
class GiniTwoCounts {
 public:
  static constexpr bool kWeighted = false;
  GiniTwoCounts(std::size_t rows, double ones) : rows_(static_cast<double>(rows)), ones_(ones) {}

  void fill(const Entry* entry, std::size_t n, std::size_t first, double* score, double*) {
    std::int32_t count[kChunk];
    std::int32_t seen = seen_;
    for (std::size_t j = 0; j < n; ++j) {
      seen += static_cast<std::int32_t>(entry[j].label());
      count[j] = seen;
    }
    seen_ = seen;
    const double rows = rows_;
    const double ones = ones_;
    const auto before = static_cast<double>(first) + 1.0;
    for (std::size_t j = 0; j < n; ++j) {
      const double i = before + static_cast<double>(static_cast<std::int32_t>(j));
      const double d = static_cast<double>(count[j]) * rows - ones * i;
      score[j] = d * d / (i * (rows - i));
    }
  }
  [[nodiscard]] double drop(double score) const { return 2.0 * score / (rows_ * rows_); }
  [[nodiscard]] double total_weight() const { return rows_; }
  [[nodiscard]] double floor() const { return 0.0; }
  [[nodiscard]] double slack() const { return 0.0; }

 private:
  double rows_;
  double ones_;
  std::int32_t seen_ = 0;
};

// Two classes with small whole weights, no class scales; scores are drops, with the bits of GiniDrop.
template <class Entry>
class GiniTwoWhole {
 public:
  static constexpr bool kWeighted = true;
  GiniTwoWhole(double total, double ones, const WholeTag* tag, double floor)
      : total_(total), ones_(ones), floor_(floor), tag_(tag) {}

  void fill(const Entry* entry, std::size_t n, std::size_t, double* score, double* low_weight) {
    std::int32_t mass[kChunk];
    std::int32_t seen[kChunk];
    std::int32_t low = mass_;
    std::int32_t low_one = seen_;
    for (std::size_t j = 0; j < n; ++j) {
      const std::int32_t tag = tag_[entry[j].id()];
      const std::int32_t weight = tag & kTagWeight;
      mass[j] = low += weight;
      seen[j] = low_one += weight & (tag >> 31);
    }
    mass_ = low;
    seen_ = low_one;
    const double total = total_;
    const double ones = ones_;
    for (std::size_t j = 0; j < n; ++j) {
      const auto left = static_cast<double>(mass[j]);
      const double d = static_cast<double>(seen[j]) * total - ones * left;
      low_weight[j] = left;
      score[j] = (d + d) * d / (total * total * left * (total - left));
    }
  }
  [[nodiscard]] double drop(double score) const { return score; }
  [[nodiscard]] double total_weight() const { return total_; }
  [[nodiscard]] double floor() const { return floor_; }
  [[nodiscard]] double slack() const { return 0.1 * floor_; }
  [[nodiscard]] bool whole() const { return true; }

 private:
  double total_;
  double ones_;
  double floor_;
  const WholeTag* tag_;
  std::int32_t mass_ = 0;
  std::int32_t seen_ = 0;
};

// Any number of classes, every row of weight 1, no class scales. With l_k of the first i rows and c_k of all n in class
// k the score is sum (n l_k - i c_k)^2 / (i (n - i)), and the sum is n^2 sum l_k^2 - 2 n i sum l_k c_k + i^2 sum c_k^2,
// which costs O(1) a row. All terms are whole and exact up to 8192 rows. Whole is the type in which n^2 fits.
template <class Entry, class Whole>
class GiniCounts {
 public:
  static constexpr bool kWeighted = false;
  GiniCounts(std::size_t rows, const std::vector<double>& counts, std::vector<Whole>& scratch)
      : rows_(static_cast<double>(rows)) {
    // Two arrays, because pairs would be loaded in one go, which has to wait for the last store into one half.
    scratch.resize(2 * counts.size());
    count_ = scratch.data();
    step_ = count_ + counts.size();
    for (std::size_t k = 0; k < counts.size(); ++k) {
      squares_ += counts[k] * counts[k];
      count_[k] = static_cast<Whole>(counts[k]);
      step_[k] = 1;
    }
  }
  void fill(const Entry* entry, std::size_t n, std::size_t first, double* score, double*) {
    Whole low_squares[kChunk];
    Whole cross[kChunk];
    const Whole* const count = count_;
    Whole* const step = step_;
    Whole a = low_squares_;
    Whole b = cross_;
    for (std::size_t j = 0; j < n; ++j) {
      const std::uint32_t k = entry[j].label();
      a += step[k];
      step[k] += 2;
      b += count[k];
      low_squares[j] = a;
      cross[j] = b;
    }
    low_squares_ = a;
    cross_ = b;
    const double rows = rows_;
    const double rows2 = rows_ * rows_;
    const double squares = squares_;
    const auto before = static_cast<double>(first) + 1.0;
    for (std::size_t j = 0; j < n; ++j) {
      const double i = before + static_cast<double>(static_cast<std::int32_t>(j));
      const double apart =
          rows2 * static_cast<double>(low_squares[j]) + i * (i * squares - 2.0 * rows * static_cast<double>(cross[j]));
      score[j] = apart / (i * (rows - i));
    }
  }
  [[nodiscard]] double drop(double score) const { return score / (rows_ * rows_); }
  [[nodiscard]] double total_weight() const { return rows_; }
  [[nodiscard]] double floor() const { return 1e-14 * rows_ * rows_; }
  [[nodiscard]] double slack() const { return 0.0; }

 private:
  double rows_;
  Whole* count_ = nullptr;  // by class: rows in the node
  Whole* step_ = nullptr;   // by class: what its next row adds to the sum of squares, 2 l_k + 1
  double squares_ = 0.0;
  Whole low_squares_ = 0;
  Whole cross_ = 0;
};

// Squared error; Weighted, in any unit, or every row of weight 1.
template <class Entry, bool Weighted>
class SquaredScorer {
 public:
  static constexpr bool kWeighted = Weighted;
  // `floor`: the smallest drop that is no rounding; `unit` brings weights near 1.
  SquaredScorer(double total, double sum, const double* value, const double* weight, double floor, double unit = 1.0)
      : total_(total), mean_(sum / total), sum_all_(sum), floor_(floor), unit_(unit), value_(value), weight_(weight) {}

  void fill(const Entry* entry, std::size_t n, std::size_t first, double* score, double* low_weight) {
    double sum = sum_;
    if constexpr (Weighted) {
      double mass = mass_;
      for (std::size_t j = 0; j < n; ++j) {
        const std::uint32_t id = entry[j].id();
        const double w = weight_[id];
        mass += w;
        sum += w * value_[id];
        low_weight[j] = mass;
        low_sum_[j] = sum;
      }
      mass_ = mass;
      for (std::size_t j = 0; j < n; ++j) {
        const double low = low_weight[j] * unit_;
        const double high = (total_ - low_weight[j]) * unit_;  // none where the rest is too light to be noticed
        const double d = low_sum_[j] * unit_ - low * mean_;
        score[j] = high > 0.0 ? d * d / (low * high) : 0.0;
      }
    } else {
      for (std::size_t j = 0; j < n; ++j) {
        sum += value_[entry[j].id()];
        low_sum_[j] = sum;
      }
      const double mean = mean_;
      const double total = total_;
      const auto before = static_cast<double>(first) + 1.0;
      for (std::size_t j = 0; j < n; ++j) {
        const double i = before + static_cast<double>(static_cast<std::int32_t>(j));
        const double d = low_sum_[j] - i * mean;
        score[j] = d * d / (i * (total - i));
      }
      low_weight[0] = before;
    }
    sum_ = sum;
    low_weight_ = low_weight;
  }
  [[nodiscard]] double drop(double score) const { return score; }
  [[nodiscard]] double total_weight() const { return total_; }
  [[nodiscard]] double floor() const { return floor_; }
  [[nodiscard]] double slack() const { return 0.0; }
  [[nodiscard]] bool whole() const { return !Weighted; }
  [[nodiscard]] std::pair<double, double> answers(std::size_t j, std::size_t cut) const {
    const double mass = Weighted ? low_weight_[j] : static_cast<double>(cut);
    return {low_sum_[j] / mass, (sum_all_ - low_sum_[j]) / (total_ - mass)};
  }

 private:
  double total_;
  double mean_;
  double sum_all_;
  double floor_;
  double unit_;
  const double* value_;
  const double* weight_;
  double sum_ = 0.0;
  double mass_ = 0.0;
  Chunk low_sum_;
  const double* low_weight_ = nullptr;
};

// Any criterion on class counts, with weights and class scales: the counts of both sides are kept and the criterion
// asked at every cut, in time proportional to the number of classes. Raw counts are summed and scaled afterwards, so
// that whole weights stay exact.
template <class Entry, class Drop>
class CountScorer {
 public:
  static constexpr bool kWeighted = true;
  // `counts`: sums of sample weights by class; `scale`: factors by class; `weight` may be null; `floor`: the smallest
  // drop that is no rounding.
  CountScorer(Drop drop, const std::vector<double>& counts, const double* scale, const double* weight,
              std::vector<double>& scratch, double floor)
      : drop_(drop), counts_(counts), scale_(scale), weight_(weight), floor_(floor) {
    const std::size_t classes = counts.size();
    scratch.assign(3 * classes, 0.0);
    raw_ = scratch.data();
    low_ = raw_ + classes;
    high_ = low_ + classes;
    for (std::size_t k = 0; k < classes; ++k) {
      total_ += counts[k];
      high_[k] = counts[k] * scale[k];
    }
  }
  void fill(const Entry* entry, std::size_t n, std::size_t, double* score, double* low_weight) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::uint32_t k = entry[j].label();
      const double w = weight_ != nullptr ? weight_[entry[j].id()] : 1.0;
      mass_ += w;
      low_weight[j] = mass_;
      raw_[k] += w;
      low_[k] = raw_[k] * scale_[k];
      high_[k] = std::max(0.0, counts_[k] - raw_[k]) * scale_[k];
      const double drop = drop_(low_, high_);
      score[j] = std::isnan(drop) ? 0.0 : drop;  // not a number where a side has no effective weight
      if (counts_.size() == 2) {
        low_answer_[j] = low_[1] / (low_[0] + low_[1]);
        high_answer_[j] = high_[1] / (high_[0] + high_[1]);
      }
    }
  }
  [[nodiscard]] double drop(double score) const { return score; }
  [[nodiscard]] double total_weight() const { return total_; }
  [[nodiscard]] double floor() const { return floor_; }
  [[nodiscard]] double slack() const { return 0.1 * floor_; }
  [[nodiscard]] bool whole() const { return weight_ == nullptr; }
  [[nodiscard]] std::pair<double, double> answers(std::size_t j, std::size_t) const {
    return {low_answer_[j], high_answer_[j]};
  }

 private:
  Drop drop_;
  const std::vector<double>& counts_;
  const double* scale_;
  const double* weight_;
  double floor_;
  double* raw_ = nullptr;
  double* low_ = nullptr;
  double* high_ = nullptr;
  double total_ = 0.0;
  double mass_ = 0.0;
  Chunk low_answer_;
  Chunk high_answer_;
};

}  // namespace bough
