// Parts of a covering that a user writes in Python, as the kernel asks them: with the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include "bough/cover/written.hpp"

namespace bough::python {

// values(positive, total, all positive, all) -> one number for each entry of the first two.
[[nodiscard]] WrittenParts::Values written_values(nanobind::object given, const char* place);

// stop(bits, shortest, positive, total, positive pruned on, total pruned on, earlier rules) -> bool.
[[nodiscard]] std::function<bool(const NewRule&)> written_stop(nanobind::object given);

// cost(bits, covered positive, covered, all positive, all) -> one number for each entry of the first three.
[[nodiscard]] std::function<std::vector<double>(std::span<const Variant>)> written_cost(nanobind::object given);

}  // namespace bough::python
