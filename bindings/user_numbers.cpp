// See user_numbers.hpp.
#include "bindings/user_numbers.hpp"

#include <nanobind/ndarray.h>

#include <cmath>
#include <string>

#include "bough/base/error.hpp"

namespace bough::python {

namespace nb = nanobind;

std::vector<double> numbers_of(const nb::object& answer, std::size_t expected, const char* place) {
  const nb::object numpy = nb::module_::import_("numpy");
  const nb::object array = numpy.attr("ascontiguousarray")(answer, "float64");
  const auto shape = nb::cast<nb::tuple>(array.attr("shape"));
  if (nb::len(shape) != 1 || nb::cast<std::size_t>(shape[0]) != expected) {
    throw InvalidInput(place, "expected an array of shape (" + std::to_string(expected) + ",), found shape " +
                                  nb::cast<std::string>(nb::str(shape)));
  }
  std::vector<double> numbers = from_numpy<double>(array, place);
  for (const double number : numbers) {
    if (!std::isfinite(number)) throw InvalidInput(place, "a number is not finite");
  }
  return numbers;
}

}  // namespace bough::python
