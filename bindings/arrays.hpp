// Between std::vector and numpy: hand a vector over without a copy, show one without a copy, read one with a copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bough/base/error.hpp"

namespace bough::python {

namespace nb = nanobind;

// Enumerations travel as their underlying integers.
template <class T, bool is_enum = std::is_enum_v<T>>
struct Stored {
  using type = T;
};
template <class T>
struct Stored<T, true> {
  using type = std::underlying_type_t<T>;
};
template <class T>
using stored_t = typename Stored<T>::type;

// A numpy array of the given shape that owns what was in the vector.
template <class T, int dimensions>
nb::object to_numpy(std::vector<T>&& values, const std::array<std::size_t, dimensions>& shape) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  std::vector<T>* raw = kept.get();
  const nb::capsule owner(
      raw, [](void* p) noexcept { const std::unique_ptr<std::vector<T>> last(static_cast<std::vector<T>*>(p)); });
  std::ignore = kept.release();
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<dimensions>>(raw->data(), dimensions, shape.data(), owner));
}

template <class T>
nb::object to_numpy(std::vector<T>&& values) {
  const std::array<std::size_t, 1> shape = {values.size()};
  return to_numpy<T, 1>(std::move(values), shape);
}

// A read-only numpy array over numbers that live in `owner`, which it keeps alive.
template <class T>
nb::object view_numpy(std::span<const T> values, nb::handle owner) {
  using S = stored_t<T>;
  const auto* data = reinterpret_cast<const S*>(values.data());
  return nb::cast(nb::ndarray<nb::numpy, const S, nb::ndim<1>>(data, {values.size()}, owner), nb::rv_policy::automatic);
}

template <class T>
nb::object view_numpy(const std::vector<T>& values, nb::handle owner) {
  return view_numpy(std::span<const T>(values), owner);
}

template <class S>
using NumpyArray = nb::ndarray<nb::numpy, const S, nb::ndim<1>, nb::device::cpu>;

// A one-dimensional array of exactly this type; TypeError names the field otherwise.
template <class S>
NumpyArray<S> numpy_array(nb::handle source, const std::string& field) {
  NumpyArray<S> array;
  if (!nb::try_cast(source, array, false)) {
    const char* kind = std::is_floating_point_v<S> ? "float" : (std::is_signed_v<S> ? "int" : "uint");
    const std::string expected = kind + std::to_string(8 * sizeof(S));
    throw nb::type_error((field + ": expected a one-dimensional numpy array of " + expected).c_str());
  }
  return array;
}

// A copy of a one-dimensional array of exactly this type.
template <class T>
std::vector<T> from_numpy(nb::handle source, const std::string& field) {
  using S = stored_t<T>;
  const NumpyArray<S> array = numpy_array<S>(source, field);
  std::vector<T> values(array.shape(0));
  const S* data = array.data();
  const std::int64_t stride = array.stride(0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>(data[static_cast<std::int64_t>(i) * stride]);
  }
  return values;
}

// Copies of the arrays of a dict, by their names: those that must be there, and those that may be.
class ArrayReader {
 public:
  explicit ArrayReader(const nb::dict& given) : given_(given) {}

  template <class T>
  void needed(const char* name, std::vector<T>& into) {
    if (!given_.contains(name)) throw InvalidInput(name, "is missing");
    optional(name, into);
  }
  template <class T>
  void optional(const char* name, std::vector<T>& into) {
    if (!given_.contains(name)) return;
    into = from_numpy<T>(given_[name], name);
    ++known_;
  }
  // Refuses what nobody has read.
  void finish(const char* problem) const {
    if (given_.size() != known_) throw InvalidInput("arrays", problem);
  }

 private:
  const nb::dict& given_;
  std::size_t known_ = 0;
};

// A one-dimensional array of exactly this type without a gap, as long as the caller holds it; TypeError names the field
// otherwise.
template <class T>
std::span<const T> shown(nb::handle source, const std::string& field) {
  nb::ndarray<nb::numpy, const T, nb::ndim<1>, nb::c_contig, nb::device::cpu> array;
  if (!nb::try_cast(source, array, false)) {
    throw nb::type_error((field + ": expected a one-dimensional contiguous numpy array of another type").c_str());
  }
  return {array.data(), array.shape(0)};
}

}  // namespace bough::python
