// Columns as Python hands them over: (data, missing or None, kind), read in place through strides.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <vector>

#include "bough/table/ranked.hpp"

namespace bough::python {

// Views of numpy arrays, and the arrays, which the views need alive.
struct Columns {
  std::vector<ColumnView> views;
  std::vector<nanobind::object> owners;
  std::size_t rows = 0;
};

// Throws InvalidInput if lengths differ or a type is not one of float32, float64, int32, int64, uint64.
Columns read_columns(const nanobind::sequence& columns);

}  // namespace bough::python
