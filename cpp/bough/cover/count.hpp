// The positive and the total weight of some rows: in one 64-bit integer where weights are whole, in two doubles where
// they are not. And the logarithms that gains are made of, from a table where they can be.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bough {

struct WholeCount {
  std::uint64_t both = 0;  // positive weight in the upper half, all weight in the lower

  WholeCount() = default;
  WholeCount(double weight, bool positive)
      : both(static_cast<std::uint64_t>(weight) * (positive ? (std::uint64_t{1} << 32U) + 1 : 1)) {}
  [[nodiscard]] std::uint32_t positive() const { return static_cast<std::uint32_t>(both >> 32U); }
  [[nodiscard]] std::uint32_t total() const { return static_cast<std::uint32_t>(both); }
  [[nodiscard]] bool empty() const { return both == 0; }
  [[nodiscard]] bool pure() const { return positive() == total(); }
  WholeCount& operator+=(WholeCount other) {
    both += other.both;
    return *this;
  }
  friend WholeCount operator-(WholeCount a, WholeCount b) {
    a.both -= b.both;
    return a;
  }
};

struct RealCount {
  double p = 0.0;
  double t = 0.0;

  RealCount() = default;
  RealCount(double weight, bool positive) : p(positive ? weight : 0.0), t(weight) {}
  [[nodiscard]] double positive() const { return p; }
  [[nodiscard]] double total() const { return t; }
  [[nodiscard]] bool empty() const { return t == 0.0; }
  [[nodiscard]] bool pure() const { return p == t; }
  RealCount& operator+=(RealCount other) {
    p += other.p;
    t += other.t;
    return *this;
  }
  friend RealCount operator-(RealCount a, RealCount b) {
    a.p -= b.p;
    a.t -= b.t;
    return a;
  }
};

// log2 of 0, 1, 2 ... as far as weights go.
class Logs {
 public:
  Logs() = default;
  explicit Logs(double most) {
    if (!(most < static_cast<double>(largest))) return;
    table_.resize(static_cast<std::size_t>(most) + 3);
    for (std::size_t i = 1; i < table_.size(); ++i) table_[i] = std::log2(static_cast<double>(i));
  }
  [[nodiscard]] double operator()(std::uint32_t whole) const {
    return whole < table_.size() ? table_[whole] : std::log2(static_cast<double>(whole));
  }
  [[nodiscard]] double operator()(double x) const { return std::log2(x); }

 private:
  static constexpr std::size_t largest = std::size_t{1} << 22U;
  std::vector<double> table_;
};

}  // namespace bough
