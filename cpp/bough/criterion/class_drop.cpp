#include "bough/criterion/class_drop.hpp"

namespace bough {

XLog2X::XLog2X(std::size_t largest) : table_(largest + 1) {
  for (std::size_t n = 1; n <= largest; ++n) table_[n] = static_cast<double>(n) * std::log2(static_cast<double>(n));
}

double twoing_in_unit(const double* left, const double* right, std::size_t classes, double unit, double least) {
  const ClassTotals sum = totals(left, right, classes);
  const double low = unit * sum.left;
  const double high = unit * sum.right;
  const double less = std::min(low, high);
  const bool both = less > 0.0 && less >= unit * least;
  if (!both) return 0.0;
  double apart = 0.0;
  for (std::size_t k = 0; k < classes; ++k) apart += std::abs(unit * left[k] * high - unit * right[k] * low);
  const double all = low + high;
  return apart * apart / (4.0 * all * all * low * high);
}

}  // namespace bough
