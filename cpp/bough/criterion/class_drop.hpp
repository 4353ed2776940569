// Criteria of classification: how far a split into two branches lowers the impurity of a node.
// A criterion sees sufficient statistics only: the class counts of the branches, already times the scale of each class.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace bough {

// n log2 n, from a table for whole numbers: entropy asks for little else.
class XLog2X {
 public:
  explicit XLog2X(std::size_t largest = 0);
  double operator()(double n) const {
    const auto whole = static_cast<std::size_t>(n);
    if (whole < table_.size() && static_cast<double>(whole) == n) return table_[whole];
    return n > 0 ? n * std::log2(n) : 0.0;
  }
  [[nodiscard]] const double* table() const { return table_.data(); }

 private:
  std::vector<double> table_;
};

struct ClassTotals {
  double left = 0.0;
  double right = 0.0;
};

inline ClassTotals totals(const double* left, const double* right, std::size_t classes) {
  ClassTotals sum;
  for (std::size_t k = 0; k < classes; ++k) {
    sum.left += left[k];
    sum.right += right[k];
  }
  return sum;
}

// Each functor: drop(left counts, right counts) with both branches non-empty, in a unit in which products of four
// amounts neither overflow nor vanish. The forms in d = l W - n W_l do not cancel: equal shares give exactly zero, and
// swapping the branches gives the same bits.
struct GiniDrop {
  std::size_t classes;
  double operator()(const double* left, const double* right) const {
    const ClassTotals sum = totals(left, right, classes);
    double squares = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double d = left[k] * sum.right - right[k] * sum.left;
      squares += d * d;
    }
    const double all = sum.left + sum.right;
    return squares / (all * all * sum.left * sum.right);
  }
};

struct EntropyDrop {
  std::size_t classes;
  const XLog2X* xlogx;
  double operator()(const double* left, const double* right) const {
    const ClassTotals sum = totals(left, right, classes);
    double gain = (*xlogx)(sum.left + sum.right) - ((*xlogx)(sum.left) + (*xlogx)(sum.right));
    for (std::size_t k = 0; k < classes; ++k) {
      gain += ((*xlogx)(left[k]) + (*xlogx)(right[k])) - (*xlogx)(left[k] + right[k]);
    }
    return gain / (sum.left + sum.right);
  }
};

struct MisclassificationDrop {
  std::size_t classes;
  double operator()(const double* left, const double* right) const {
    const ClassTotals sum = totals(left, right, classes);
    double most_left = 0.0;
    double most_right = 0.0;
    double most = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      most_left = std::max(most_left, left[k]);
      most_right = std::max(most_right, right[k]);
      most = std::max(most, left[k] + right[k]);
    }
    return ((most_left + most_right) - most) / (sum.left + sum.right);
  }
};

// P_L P_R / 4 (sum over classes |p_L - p_R|)^2; here of counts that `unit` brings near 1, and zero where a branch holds
// less than `least`.
double twoing_in_unit(const double* left, const double* right, std::size_t classes, double unit, double least = 0.0);

struct TwoingDrop {
  std::size_t classes;
  double operator()(const double* left, const double* right) const {
    const ClassTotals sum = totals(left, right, classes);
    double apart = 0.0;
    for (std::size_t k = 0; k < classes; ++k) apart += std::abs(left[k] * sum.right - right[k] * sum.left);
    const double all = sum.left + sum.right;
    return apart * apart / (4.0 * all * all * sum.left * sum.right);
  }
};

// Impurity sum_ij L[i][j] p_i p_j; `cost` must be symmetric, which changes no value of the form.
struct WeightedGiniDrop {
  std::size_t classes;
  const double* cost;
  double operator()(const double* left, const double* right) const {
    const ClassTotals sum = totals(left, right, classes);
    // The drop is -(W_L W_R / W^2) d' L d with d = p_L - p_R.
    double form = 0.0;
    for (std::size_t i = 0; i < classes; ++i) {
      const double di = left[i] * sum.right - right[i] * sum.left;
      double row = 0.0;
      for (std::size_t j = 0; j < classes; ++j)
        row += cost[i * classes + j] * (left[j] * sum.right - right[j] * sum.left);
      form += di * row;
    }
    const double all = sum.left + sum.right;
    return -form / (all * all * sum.left * sum.right);
  }
};

}  // namespace bough
