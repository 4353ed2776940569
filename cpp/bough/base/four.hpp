// Four numbers worked on at once. Compilers do not find this form in loops over arrays of four (they branch on every
// comparison instead), so it is spelt out; where the vector types of GCC and Clang are unknown, plain loops do the same
// with the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bough {

#if defined(__GNUC__)

class FourWhole;

class Four {
  friend class FourWhole;
  using Pair [[gnu::vector_size(16)]] = double;
  using Bits [[gnu::vector_size(16)]] = long long;
  static Pair keep(Bits mask, Pair x) { return reinterpret_cast<Pair>(mask & reinterpret_cast<Bits>(x)); }

 public:
  Four() = default;
  explicit Four(double x) : low_{x, x}, high_{x, x} {}
  Four(double a, double b, double c, double d) : low_{a, b}, high_{c, d} {}

  friend Four operator+(Four a, Four b) { return {a.low_ + b.low_, a.high_ + b.high_}; }
  friend Four operator-(Four a, Four b) { return {a.low_ - b.low_, a.high_ - b.high_}; }
  friend Four operator*(Four a, Four b) { return {a.low_ * b.low_, a.high_ * b.high_}; }
  friend Four operator/(Four a, Four b) { return {a.low_ / b.low_, a.high_ / b.high_}; }
  [[nodiscard]] double operator[](std::size_t i) const { return i < 2 ? low_[i] : high_[i - 2]; }

  struct Mask {
    Bits low;
    Bits high;
  };
  friend Mask operator>(Four a, Four b) { return {a.low_ > b.low_, a.high_ > b.high_}; }
  // x where the mask holds, 0 elsewhere.
  friend Four where(Mask mask, Four x) { return {keep(mask.low, x.low_), keep(mask.high, x.high_)}; }
  friend Four larger(Four a, Four b) {
    return {a.low_ > b.low_ ? a.low_ : b.low_, a.high_ > b.high_ ? a.high_ : b.high_};
  }

 private:
  Four(Pair low, Pair high) : low_(low), high_(high) {}
  Pair low_;
  Pair high_;
};

// Four whole numbers of 32 bits.
class FourWhole {
  using Ints [[gnu::vector_size(16)]] = std::int32_t;
  using Half [[gnu::vector_size(8)]] = std::int32_t;

 public:
  explicit FourWhole(std::int32_t x) : at_{x, x, x, x} {}
  FourWhole(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) : at_{a, b, c, d} {}

  friend FourWhole operator+(FourWhole a, FourWhole b) { return FourWhole(a.at_ + b.at_); }
  friend FourWhole operator&(FourWhole a, FourWhole b) { return FourWhole(a.at_ & b.at_); }
  // All bits where a number is negative, none elsewhere.
  [[nodiscard]] FourWhole signs() const { return FourWhole(at_ >> 31); }
  [[nodiscard]] Four numbers() const {
    const Ints turned = __builtin_shufflevector(at_, at_, 2, 3, 0, 1);
    const Half low = {at_[0], at_[1]};
    const Half high = {turned[0], turned[1]};
    return {__builtin_convertvector(low, Four::Pair), __builtin_convertvector(high, Four::Pair)};
  }

 private:
  explicit FourWhole(Ints at) : at_(at) {}
  Ints at_;
};

#else

class Four {
 public:
  Four() = default;
  explicit Four(double x) : at_{x, x, x, x} {}
  Four(double a, double b, double c, double d) : at_{a, b, c, d} {}

  friend Four operator+(Four a, Four b) {
    return each([&](std::size_t i) { return a.at_[i] + b.at_[i]; });
  }
  friend Four operator-(Four a, Four b) {
    return each([&](std::size_t i) { return a.at_[i] - b.at_[i]; });
  }
  friend Four operator*(Four a, Four b) {
    return each([&](std::size_t i) { return a.at_[i] * b.at_[i]; });
  }
  friend Four operator/(Four a, Four b) {
    return each([&](std::size_t i) { return a.at_[i] / b.at_[i]; });
  }
  [[nodiscard]] double operator[](std::size_t i) const { return at_[i]; }

  struct Mask {
    bool at[4];
  };
  friend Mask operator>(Four a, Four b) {
    return {{a.at_[0] > b.at_[0], a.at_[1] > b.at_[1], a.at_[2] > b.at_[2], a.at_[3] > b.at_[3]}};
  }
  friend Four where(Mask mask, Four x) {
    return each([&](std::size_t i) { return mask.at[i] ? x.at_[i] : 0.0; });
  }
  friend Four larger(Four a, Four b) {
    return each([&](std::size_t i) { return a.at_[i] > b.at_[i] ? a.at_[i] : b.at_[i]; });
  }

 private:
  template <class Of>
  static Four each(Of of) {
    return {of(0), of(1), of(2), of(3)};
  }
  double at_[4];
};

class FourWhole {
 public:
  explicit FourWhole(std::int32_t x) : at_{x, x, x, x} {}
  FourWhole(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) : at_{a, b, c, d} {}

  friend FourWhole operator+(FourWhole a, FourWhole b) {
    return each([&](std::size_t i) { return a.at_[i] + b.at_[i]; });
  }
  friend FourWhole operator&(FourWhole a, FourWhole b) {
    return each([&](std::size_t i) { return a.at_[i] & b.at_[i]; });
  }
  [[nodiscard]] FourWhole signs() const {
    return each([&](std::size_t i) { return at_[i] < 0 ? -1 : 0; });
  }
  [[nodiscard]] Four numbers() const {
    return {static_cast<double>(at_[0]), static_cast<double>(at_[1]), static_cast<double>(at_[2]),
            static_cast<double>(at_[3])};
  }

 private:
  template <class Of>
  static FourWhole each(Of of) {
    return {of(0), of(1), of(2), of(3)};
  }
  std::int32_t at_[4];
};

#endif

}  // namespace bough
