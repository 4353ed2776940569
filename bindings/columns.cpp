// See columns.hpp.
#include "bindings/columns.hpp"

#include <nanobind/ndarray.h>

#include <string>

#include "bough/base/error.hpp"

namespace bough::python {
namespace {

namespace nb = nanobind;
using AnyArray = nb::ndarray<nb::numpy, nb::ro, nb::ndim<1>, nb::device::cpu>;
using Mask = nb::ndarray<nb::numpy, const bool, nb::ndim<1>, nb::device::cpu>;

ColumnView::Type type_of(const AnyArray& array, const std::string& place) {
  if (array.dtype() == nb::dtype<float>()) return ColumnView::Type::f32;
  if (array.dtype() == nb::dtype<double>()) return ColumnView::Type::f64;
  if (array.dtype() == nb::dtype<std::int32_t>()) return ColumnView::Type::i32;
  if (array.dtype() == nb::dtype<std::int64_t>()) return ColumnView::Type::i64;
  if (array.dtype() == nb::dtype<std::uint64_t>()) return ColumnView::Type::u64;
  throw InvalidInput(place, "expected an array of float32, float64, int32, int64 or uint64");
}

template <class Array>
Array one_dimensional(nb::handle source, const std::string& place, const char* what) {
  Array array;
  if (!nb::try_cast(source, array, false)) throw nb::type_error((place + ": " + what).c_str());
  return array;
}

}  // namespace

Columns read_columns(const nb::sequence& columns) {
  Columns read;
  for (const nb::handle item : columns) {
    const std::string place = "columns[" + std::to_string(read.views.size()) + "]";
    if (!nb::isinstance<nb::tuple>(item) || nb::len(item) != 3) {
      throw nb::type_error((place + ": expected (data, missing, kind)").c_str());
    }
    const auto parts = nb::borrow<nb::tuple>(item);
    const auto data = one_dimensional<AnyArray>(parts[0], place, "expected a one-dimensional numpy array");
    const int kind = nb::cast<int>(parts[2]);
    if (kind < 0 || kind > 2) throw InvalidInput(place, "unknown kind " + std::to_string(kind));
    if (read.views.empty()) {
      read.rows = data.shape(0);
    } else if (data.shape(0) != read.rows) {
      throw InvalidInput(place,
                         std::to_string(data.shape(0)) + " rows, the first column has " + std::to_string(read.rows));
    }
    ColumnView view;
    view.kind = static_cast<ColumnKind>(kind);
    view.type = type_of(data, place);
    if (view.kind != ColumnKind::numeric && view.type != ColumnView::Type::i32) {
      throw InvalidInput(place, "levels are int32 codes");
    }
    view.data = data.data();
    view.stride = data.stride(0);
    const nb::object missing = parts[1];
    if (!missing.is_none()) {
      const auto mask = one_dimensional<Mask>(missing, place, "the mask is a one-dimensional numpy array of bool");
      if (mask.shape(0) != read.rows) throw InvalidInput(place, "the mask has another length");
      view.missing = reinterpret_cast<const std::uint8_t*>(mask.data());
      view.missing_stride = mask.stride(0);
      read.owners.push_back(missing);
    }
    read.owners.push_back(nb::object(parts[0]));
    read.views.push_back(view);
  }
  return read;
}

}  // namespace bough::python
