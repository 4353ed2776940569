// Gauss-Legendre points on the interval from 0 to 1: n of them integrate every polynomial of degree 2n - 1 exactly.
#pragma once

#include <cstddef>
#include <vector>

namespace bough {

struct Quadrature {
  std::vector<double> at;     // rising
  std::vector<double> rest;   // 1 - at, with all its digits near 0
  std::vector<double> weight;  // they sum to 1
};

[[nodiscard]] Quadrature gauss_legendre(std::size_t points);

}  // namespace bough
