// Comparisons that take numbers within a millionth for equal, as rule learners on weights need them.
#pragma once

namespace bough::fuzzy {

inline constexpr double near = 1e-6;

[[nodiscard]] inline bool above(double a, double b) { return a - b > near; }
[[nodiscard]] inline bool below(double a, double b) { return b - a > near; }
[[nodiscard]] inline bool at_least(double a, double b) { return b - a < near || a >= b; }

}  // namespace bough::fuzzy
