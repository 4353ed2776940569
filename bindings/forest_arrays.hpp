// A forest as plain arrays by name: what files, pickles and other processes hold of it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "bough/forest/forest.hpp"

namespace bough::python {

// All that makes a forest; what follows from the rest is left out. Large arrays are views, which keep `owner` alive.
[[nodiscard]] nanobind::dict forest_to_arrays(const forest::Forest& grown, nanobind::handle owner);

// The forest of such arrays. Large ones are read where they lie and kept alive, so that nothing of a file that is
// mapped into memory is copied. Throws InvalidInput, with the place, unless they are a forest.
[[nodiscard]] forest::Forest forest_from_arrays(const nanobind::dict& arrays, std::uint32_t classes, bool wide);

}  // namespace bough::python
