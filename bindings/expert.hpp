// Reads what an expert gives: splits and columns by path, and a tree to grow on.
#pragma once

#include <nanobind/nanobind.h>

#include "bough/engine/options.hpp"
#include "bough/table/ranked.hpp"

namespace bough::python {

// Whether there is anything of the kind.
[[nodiscard]] bool gives_expert(const nanobind::dict& options);

// Throws InvalidInput where a column, a branch or a level does not exist.
[[nodiscard]] ExpertOptions read_expert(const nanobind::dict& options, const RankedTable& table);

}  // namespace bough::python
