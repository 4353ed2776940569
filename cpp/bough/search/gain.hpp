// Information gain of a test with any number of branches, in bits times weight until it is divided, and the rules of
// C4.5 around it: the known share, the split information with missing values as one more branch, tolerances.
#pragma once

#include <cmath>
#include <cstddef>

#include "bough/criterion/class_drop.hpp"
#include "bough/engine/options.hpp"

namespace bough {

// What a test gains, and the same relative to the information in the sizes of its branches.
struct Judgement {
  double gain = 0.0;
  double ratio = 0.0;
};

class GainRule {
 public:
  GainRule(const GrowOptions& options, const XLog2X& xlogx)
      : options_(options.gain), discount_(options.discount_missing), tie_(options.tie), xlogx_(&xlogx) {}

  // x log2 x; with an absolute tolerance smaller amounts count as nothing.
  [[nodiscard]] double term(double x) const { return x < options_.epsilon ? 0.0 : (*xlogx_)(x); }
  // Entropy of class counts times their sum.
  [[nodiscard]] double information(const double* counts, std::size_t classes, double sum) const {
    double terms = term(sum);
    for (std::size_t k = 0; k < classes; ++k) terms -= term(counts[k]);
    return terms;
  }
  // `saved`: the information of the known rows less that of the branches; `known` and `all`: weights of the node's rows
  // with and without a value.
  [[nodiscard]] double gain(double saved, double known, double all) const {
    const double share = discount_ ? 1.0 - (all - known) / all : 1.0;
    const double counted = share * saved;
    return std::abs(counted) < options_.epsilon ? 0.0 : counted / known;
  }
  // What a gain rises by for each bit saved.
  [[nodiscard]] double gain_of_one_bit(double known, double all) const {
    return (discount_ ? 1.0 - (all - known) / all : 1.0) / known;
  }
  // `branch_terms`: the sum of term(weight) over the branches.
  [[nodiscard]] double ratio(double gain, double branch_terms, double known, double all) const {
    const double information = term(all) - branch_terms - term(all - known);
    const bool none = options_.epsilon > 0.0 ? std::abs(information) < options_.epsilon : information <= tie_ * all;
    return none ? 0.0 : gain / (information / all);
  }

  // The absolute tolerance; 0: comparisons are relative.
  [[nodiscard]] double epsilon() const { return options_.epsilon; }
  [[nodiscard]] bool greater(double a, double b) const {
    return options_.epsilon > 0.0 ? a - b > options_.epsilon : a > b + tie_ * std::abs(b);
  }
  [[nodiscard]] bool at_least(double a, double b) const {
    return a >= b || b - a < (options_.epsilon > 0.0 ? options_.epsilon : tie_ * std::abs(b));
  }
  [[nodiscard]] bool is_zero(double a) const {
    return std::abs(a) < (options_.epsilon > 0.0 ? options_.epsilon : tie_);
  }

 private:
  const GainOptions& options_;
  bool discount_;
  double tie_;
  const XLog2X* xlogx_;
};

}  // namespace bough
