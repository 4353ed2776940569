// The errors to expect of a leaf on new cases: an upper confidence limit of those it makes on its own.
#pragma once

namespace bough {

class Pessimist {
 public:
  // Throws InvalidInput unless 0 < confidence < 1; the smaller, the more errors are expected. `complement` is
  // 1 - confidence, for programs that round it on its own.
  Pessimist(double confidence, double complement);

  // Errors to expect beyond those that were made by `wrong` of `weight`; none if the confidence is above 0.5.
  [[nodiscard]] double added(double weight, double wrong) const;

 private:
  [[nodiscard]] double normal_limit(double weight, double wrong) const;

  double confidence_;
  double z_ = 0.0;  // the quantile of the normal distribution
};

}  // namespace bough
