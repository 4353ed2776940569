// Columns on their own: the hash by which the digest of a table knows them.
#include <nanobind/nanobind.h>

#include <cstdint>

#include "bindings/binders.hpp"
#include "bindings/columns.hpp"
#include "bough/table/hash.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

std::uint64_t hash_one(const nb::tuple& column, bool counts, std::uint64_t scale) {
  const Columns read = read_columns(nb::borrow<nb::sequence>(nb::make_tuple(column)));
  return hash_column(read.views.front(), read.rows, counts ? WholeAs::count : WholeAs::number, scale);
}

}  // namespace

void bind_table(nb::module_& m) { m.def("hash_column", &hash_one, "column"_a, "counts"_a = false, "scale"_a = 1); }

}  // namespace bough::python
