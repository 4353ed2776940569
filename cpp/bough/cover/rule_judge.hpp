// How good a conjunction is by what it covers: sums that rows are added to, one after the other, and a judge that reads
// them. The search hands over rows in the order of a column and asks after each value.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bough {

//   laplace      (n_c + 1) / (n + K) for the class c in question
//   entropy      minus the entropy of the classes, in bits
//   wracc        weighted relative accuracy: n/N (n_c/n - N_c/N)
//   deviation    of numbers: n (mean - m)^2 N / (N - n), which is what the squared error falls by if the rows covered
//                are told apart from the rest
enum class RuleQuality : std::uint8_t { laplace, entropy, wracc, deviation };

struct JudgeOptions {
  RuleQuality quality = RuleQuality::laplace;
  std::int32_t label = -1;  // the class that rules are for; -1: the majority of what each covers
  double alpha = 0.05;  // level of the likelihood ratio test against the classes of all rows; 1: no test
};

// A number without its last 13 bits, which depend on the order in which weights that are not whole were added up: what
// differs by no more is equal.
[[nodiscard]] inline double to_compare(double x) {
  const double shifted = x * 8193.0;
  return std::isfinite(shifted) ? shifted - (shifted - x) : x;
}

// The sums of the rows covered: by class, or of numbers.
struct CoverSums {
  double weight = 0.0;
  std::size_t rows = 0;
  std::int32_t majority = -1;  // the class of the largest weight, the first of equal ones
  std::vector<double> by_class;  // empty for numbers
  double sum = 0.0;  // of numbers, as differences from the mean of all rows
};

class RuleJudge {
 public:
  // Classes: `label` has one of each row, `prior` the weights of the classes that chance is judged by.
  RuleJudge(std::span<const std::uint32_t> label, std::size_t n_classes, std::span<const double> weights,
            std::span<const double> prior, const JudgeOptions& options);
  // Numbers; the rows given are all that there are.
  RuleJudge(std::span<const double> value, std::span<const double> weights, std::span<const std::uint32_t> rows);

  [[nodiscard]] CoverSums none() const;
  void clear(CoverSums& sums) const;
  void add(CoverSums& sums, std::uint32_t row) const {
    const double weight = weights_[row];
    sums.weight += weight;
    ++sums.rows;
    if (label_.empty()) {
      sums.sum += weight * (value_[row] - mean_);
      return;
    }
    const auto c = static_cast<std::int32_t>(label_[row]);
    const double of_class = sums.by_class[label_[row]] += weight;
    const double most = sums.majority < 0 ? 0.0 : sums.by_class[static_cast<std::size_t>(sums.majority)];
    if (sums.majority < 0 || of_class > most || (of_class == most && c < sums.majority)) sums.majority = c;
  }
  // What is in one and not in the other, which is a part of it.
  void subtract(const CoverSums& whole, const CoverSums& part, CoverSums& into) const;

  // The class that a rule which covers this is for; -1 for numbers.
  [[nodiscard]] std::int32_t label_of(const CoverSums& sums) const { return given_ >= 0 ? given_ : sums.majority; }
  [[nodiscard]] double quality(const CoverSums& sums) const { return to_compare(raw_quality(sums)); }
  // Between equals of the same length: more weight. Of numbers less: either side of a cut tells as much, and the
  // smaller one is farther from the mean.
  [[nodiscard]] double preference(const CoverSums& sums) const {
    return to_compare(label_.empty() ? -sums.weight : sums.weight);
  }
  // No part of what is covered has a larger quality.
  [[nodiscard]] double bound(const CoverSums& sums) const { return to_compare(raw_bound(sums)); }
  // Whether a rule of this quality may be taken at all: better than chance, and not by chance.
  [[nodiscard]] bool admits(const CoverSums& sums, double quality) const;

 private:
  [[nodiscard]] double raw_quality(const CoverSums& sums) const;
  [[nodiscard]] double raw_bound(const CoverSums& sums) const;
  [[nodiscard]] double deviation(double weight, double sum) const;
  [[nodiscard]] double likelihood_ratio(const CoverSums& sums) const;

  RuleQuality quality_;
  std::span<const std::uint32_t> label_;
  std::span<const double> value_;
  std::span<const double> weights_;
  std::size_t n_classes_ = 0;
  std::int32_t given_ = -1;
  double total_ = 0.0;
  double mean_ = 0.0;
  std::vector<double> prior_;  // weights of the classes of all rows
  double critical_ = 0.0;  // the least likelihood ratio that is significant; negative: none is asked for
};

}  // namespace bough
