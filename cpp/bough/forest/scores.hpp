// What a cut of a node is worth, for two classes, many classes and numbers. A score is a function of exact sums, so it
// is the same however the sums were made; scores of classes that are equal as fractions count as equal, which is
// decided in whole numbers where they fit.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

namespace bough::forest {

// An entry of a node: the row's number in its block below, class and weight above.
using Entry = std::uint64_t;
inline std::uint32_t local_row(Entry e) { return static_cast<std::uint32_t>(e); }
inline std::uint32_t payload(Entry e) { return static_cast<std::uint32_t>(e >> 32U); }

// A cut with what lies on its low side.
struct Cut {
  double score = -1;
  std::uint32_t draw = ~0U;     // the column's place among those drawn
  std::uint32_t key = 0;        // the largest key on the low side; of levels: how many lie there
  std::uint8_t missing_high = 0;
  std::uint8_t apart = 0;       // what is known against what is missing: no value lies high
  std::uint32_t base = 0;       // weight of the rows it is scored by, if some have no value and are left out; else 0
  std::int64_t weight = 0;
  std::int64_t sum = 0;         // weight of class 1; sum of squares of the classes; centred sum of the values
  std::int64_t rest = 0;        // many classes: sum of squares on the high side
};

// What two branches answer: the share of class 1, or the mean in fixed point.
struct Pair {
  double low = 0;
  double high = 0;
};

// Answers that the branches of a node may have, so that constraints above it hold.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool hold(double answer) const { return least <= answer && answer <= most; }
};

// a * b compared with c * d in 128 bits.
inline std::strong_ordering compare_products(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  const auto product = [](std::uint64_t x, std::uint64_t y) {
    const std::uint64_t xl = x & 0xffffffffU;
    const std::uint64_t xh = x >> 32U;
    const std::uint64_t yl = y & 0xffffffffU;
    const std::uint64_t yh = y >> 32U;
    const std::uint64_t middle = xh * yl + ((xl * yl) >> 32U);
    const std::uint64_t other = xl * yh + (middle & 0xffffffffU);
    struct Wide {
      std::uint64_t high;
      std::uint64_t low;
    };
    return Wide{xh * yh + (middle >> 32U) + (other >> 32U), (other << 32U) | ((xl * yl) & 0xffffffffU)};
  };
  const auto left = product(a, b);
  const auto right = product(c, d);
  return left.high != right.high ? left.high <=> right.high : left.low <=> right.low;
}

inline constexpr double kRounding = 2e-15;  // more than comparing by products instead of quotients can lose, as a share
inline constexpr std::int64_t kExactWeight = std::int64_t{1} << 17;  // nodes up to here compare in whole numbers

inline std::strong_ordering by_value(double a, double b) {
  return a < b ? std::strong_ordering::less : (a > b ? std::strong_ordering::greater : std::strong_ordering::equal);
}

struct TwoClasses {
  static constexpr unsigned kClassBits = 1;
  static constexpr double kBand = 1e-14;  // scores farther apart than this share are different
  double n = 0;
  double ones = 0;
  bool exact = true;  // equal fractions are equal scores; otherwise the doubles decide

  [[nodiscard]] double score(double left, double one) const {
    const double d = one * n - ones * left;
    return d * d / (left * (n - left));
  }
  // Whether the score may be as large as this; without a division.
  [[nodiscard]] bool reaches(double left, double one, double bar) const {
    const double d = one * n - ones * left;
    return d * d >= bar * (left * (n - left));
  }
  [[nodiscard]] std::strong_ordering compare(const Cut& a, const Cut& b) const {
    if (b.draw == ~0U) return std::strong_ordering::greater;
    if (!exact || n > static_cast<double>(kExactWeight) || a.score < b.score * (1 - kBand) ||
        a.score > b.score * (1 + kBand)) {
      return by_value(a.score, b.score);
    }
    const auto parts = [this](const Cut& cut) {
      const auto total = static_cast<std::int64_t>(n);
      const std::int64_t d = cut.sum * total - static_cast<std::int64_t>(ones) * cut.weight;
      struct Parts {
        std::uint64_t d;
        std::uint64_t q;
      };
      return Parts{static_cast<std::uint64_t>(d < 0 ? -d : d),
                   static_cast<std::uint64_t>(cut.weight * (total - cut.weight))};
    };
    const auto x = parts(a);
    const auto y = parts(b);
    return compare_products(x.d * y.q, x.d, y.d * x.q, y.d);
  }
  [[nodiscard]] Pair answers(std::int64_t weight, std::int64_t one) const {
    const auto left = static_cast<double>(weight);
    const auto low = static_cast<double>(one);
    return {low / left, (ones - low) / (n - left)};
  }
};

// The sum over the two sides of (sum of squared class weights) / weight: the Gini criterion without its constant.
struct ManyClasses {
  static constexpr double kBand = 2e-15;
  double n = 0;
  bool exact = true;

  [[nodiscard]] double score(double left, double squares, double rest) const {
    const double right = n - left;
    return (squares * right + rest * left) / (left * right);
  }
  [[nodiscard]] bool reaches(double left, double squares, double rest, double bar) const {
    const double right = n - left;
    return squares * right + rest * left >= bar * (left * right);
  }
  [[nodiscard]] std::strong_ordering compare(const Cut& a, const Cut& b) const {
    if (b.draw == ~0U) return std::strong_ordering::greater;
    if (!exact || n > static_cast<double>(kExactWeight) || a.score < b.score * (1 - kBand) ||
        a.score > b.score * (1 + kBand)) {
      return by_value(a.score, b.score);
    }
    const auto total = static_cast<std::int64_t>(n);
    const auto over = [total](const Cut& cut) {
      return static_cast<std::uint64_t>(cut.sum * (total - cut.weight) + cut.rest * cut.weight);
    };
    const auto under = [total](const Cut& cut) {
      return static_cast<std::uint64_t>(cut.weight * (total - cut.weight));
    };
    return compare_products(over(a), under(b), over(b), under(a));
  }
  [[nodiscard]] static Pair answers(std::int64_t /*weight*/, std::int64_t /*sum*/) { return {}; }  // never constrained
};

// Squared error: the centred sum of the low side, squared, over the product of the weights.
struct Numbers {
  static constexpr unsigned kClassBits = 0;
  static constexpr double kBand = 0;
  double n = 0;
  double excess = 0;  // by how much the mean of the node is above what the values were centred at
  std::int64_t centre = 0;
  std::int64_t total = 0;  // of the values before they were centred

  [[nodiscard]] double centred(double left, double sum) const { return sum - left * excess; }
  [[nodiscard]] double score(double left, double sum) const {
    const double d = centred(left, sum);
    return d * d / (left * (n - left));
  }
  [[nodiscard]] bool reaches(double left, double sum, double bar) const {
    const double d = centred(left, sum);
    return d * d >= bar * (left * (n - left));
  }
  [[nodiscard]] static std::strong_ordering compare(const Cut& a, const Cut& b) {
    return b.draw == ~0U ? std::strong_ordering::greater : by_value(a.score, b.score);
  }
  [[nodiscard]] Pair answers(std::int64_t weight, std::int64_t sum) const {
    const std::int64_t low = sum + centre * weight;
    const auto left = static_cast<double>(weight);
    return {static_cast<double>(low) / left, static_cast<double>(total - low) / (n - left)};
  }
};

// The best cut so far: largest score, then the column drawn first, then the lowest cut.
template <class Score>
class Contest {
 public:
  void begin(const Score& of, double least_side) {
    of_ = of;
    least_ = static_cast<std::int64_t>(std::ceil(least_side));
    best_ = {};
    bar_ = -1;
  }
  // From now on only cuts count whose answers are within the bounds of the node and in the order of their column.
  void constrain(const Bounds& bounds, std::size_t columns) {
    bounds_ = bounds;
    sign_.resize(columns);
  }
  void set_sign(std::uint32_t draw, std::int8_t sign) { sign_[draw] = sign; }
  [[nodiscard]] bool constrained() const { return !sign_.empty(); }

  [[nodiscard]] const Score& of() const { return of_; }
  [[nodiscard]] const Cut& best() const { return best_; }
  [[nodiscard]] bool any() const { return best_.draw != ~0U; }
  // A score below this cannot win.
  [[nodiscard]] double bar() const { return bar_; }
  [[nodiscard]] std::int64_t least_side() const { return least_; }

  // Whether both sides of a cut with so much on the low one weigh enough.
  [[nodiscard]] bool takes(std::int64_t low) const {
    return low >= least_ && static_cast<std::int64_t>(of_.n) - low >= least_;
  }
  // Whether constraints, if there are any, let branches with these answers be.
  [[nodiscard]] bool allows(const Cut& cut, const Pair& answers) const {
    const double sign = cut.apart != 0 ? 0.0 : static_cast<double>(sign_[cut.draw]);
    return bounds_.hold(answers.low) && bounds_.hold(answers.high) && sign * (answers.low - answers.high) <= 0;
  }
  [[nodiscard]] bool allows(const Cut& cut) const {
    return !constrained() || allows(cut, of_.answers(cut.weight, cut.sum));
  }
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }

  bool enter(const Cut& cut) { return takes(cut.weight) && allows(cut) && enter_allowed(cut); }
  // A cut that was looked at by other means.
  bool enter_allowed(const Cut& cut) {
    const std::strong_ordering order = of_.compare(cut, best_);
    if (order < 0) return false;
    if (order == 0 && (cut.draw != best_.draw ? cut.draw > best_.draw : cut.key >= best_.key)) return false;
    best_ = cut;
    bar_ = std::max(bar_, cut.score * (1 - Score::kBand - kRounding));
    return true;
  }

 private:
  Score of_;
  Cut best_;
  double bar_ = -1;
  std::int64_t least_ = 1;
  Bounds bounds_;
  std::vector<std::int8_t> sign_;  // by place among the columns drawn; empty: no constraints
};

}  // namespace bough::forest
