// Numbers for functions that a user writes in Python, and what these answer. The caller holds the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <vector>

#include "bindings/arrays.hpp"

namespace bough::python {

// A copy of numbers as an array of a shape.
template <std::size_t dimensions>
nanobind::object as_array(const double* from, const std::array<std::size_t, dimensions>& shape) {
  std::size_t size = 1;
  for (const std::size_t n : shape) size *= n;
  return to_numpy<double, static_cast<int>(dimensions)>(std::vector<double>(from, from + size), shape);
}

// So many finite numbers, or an error that names the place.
[[nodiscard]] std::vector<double> numbers_of(const nanobind::object& answer, std::size_t expected, const char* place);

}  // namespace bough::python
