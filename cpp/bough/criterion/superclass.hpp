// Twoing by any impurity: the classes are divided into two superclasses, and a test is worth what it lowers the
// impurity of these two under the best division. With Gini's impurity that has a closed form (TwoingDrop), with others
// not.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "bough/criterion/class_drop.hpp"
#include "bough/engine/options.hpp"

namespace bough {

// Divisions of up to this many classes are tried completely.
inline constexpr std::size_t kSuperclassed = 11;

// How far a test with two branches lowers an impurity: drop(left counts, right counts).
using TwoBranchDrop = std::function<double(const double*, const double*)>;

// The drop of an impurity of two classes. Information is a difference of large sums: what is less than their rounding
// is nothing.
[[nodiscard]] inline TwoBranchDrop drop_of_two_classes(TwoingImpurity impurity) {
  switch (impurity) {
    case TwoingImpurity::entropy:
      return [xlogx = XLog2X()](const double* left, const double* right) {
        const double drop = EntropyDrop{2, &xlogx}(left, right);
        const double all = left[0] + left[1] + right[0] + right[1];
        return drop > 2e-15 * (1.0 + std::abs(std::log2(all))) ? drop : 0.0;
      };
    case TwoingImpurity::misclassification:
      return MisclassificationDrop{2};
    case TwoingImpurity::gini:
      break;
  }
  return TwoingDrop{2};
}

// The best over all divisions of the classes.
class SuperclassDrop {
 public:
  SuperclassDrop(std::size_t classes, TwoingImpurity impurity)
      : classes_(classes), impurity_(impurity), two_(drop_of_two_classes(impurity)) {}

  double operator()(const double* left, const double* right) const {
    return impurity_ == TwoingImpurity::misclassification ? best_of_all(left, right) : best_in_order(left, right);
  }

 private:
  // What is on one side of a division, by branch; the other side has the rest.
  struct Parted {
    const ClassTotals all;
    ClassTotals first;

    void move(double left, double right) {
      first.left += left;
      first.right += right;
    }
    [[nodiscard]] double drop(const TwoBranchDrop& two) const {
      const double left[2] = {std::max(0.0, first.left), std::max(0.0, all.left - first.left)};
      const double right[2] = {std::max(0.0, first.right), std::max(0.0, all.right - first.right)};
      return two(left, right);
    }
  };

  // Of information, as of Gini's drop, the best division parts the classes in the order of their shares that go left:
  // the drop is convex in the shares of a superclass in both branches, so that it is largest at a corner of what sums
  // of classes can reach, and the corners are these (Breiman et al. 1984, theorem 4.5, with branches for classes).
  [[nodiscard]] double best_in_order(const double* left, const double* right) const {
    std::vector<double> share(classes_);
    std::vector<std::uint32_t> order;
    for (std::uint32_t k = 0; k < classes_; ++k) {
      const double sum = left[k] + right[k];
      if (!(sum > 0.0)) continue;
      share[k] = left[k] / sum;
      order.push_back(k);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return share[a] < share[b]; });
    Parted parted{totals(left, right, classes_), {}};
    double best = 0.0;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      parted.move(left[order[i]], right[order[i]]);
      best = std::max(best, parted.drop(two_));
    }
    return best;
  }

  // Errors know no such order: every division, in reflected Gray code order; the last class never moves.
  [[nodiscard]] double best_of_all(const double* left, const double* right) const {
    Parted parted{totals(left, right, classes_), {}};
    double best = 0.0;
    std::uint64_t first = 0;  // bit by class: on the first side
    const std::size_t divided = std::clamp<std::size_t>(classes_, 1, kSuperclassed);  // more are refused (engine/plan)
    for (std::uint64_t step = 1; step < (std::uint64_t{1} << (divided - 1)); ++step) {
      const auto moved = static_cast<std::size_t>(std::countr_zero(step));
      first ^= std::uint64_t{1} << moved;
      const double sign = ((first >> moved) & 1U) != 0 ? 1.0 : -1.0;
      parted.move(sign * left[moved], sign * right[moved]);
      best = std::max(best, parted.drop(two_));
    }
    return best;
  }

  std::size_t classes_;
  TwoingImpurity impurity_;
  TwoBranchDrop two_;
};

}  // namespace bough
