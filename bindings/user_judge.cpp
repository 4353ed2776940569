// See user_judge.hpp.
#include "bindings/user_judge.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "bindings/arrays.hpp"
#include "bindings/interpreter.hpp"
#include "bough/base/error.hpp"

namespace bough::python {

namespace nb = nanobind;

namespace {

// A copy of numbers as an array of a shape; the caller holds the interpreter's lock.
template <std::size_t dimensions>
nb::object as_array(const double* from, const std::array<std::size_t, dimensions>& shape) {
  std::size_t size = 1;
  for (const std::size_t n : shape) size *= n;
  return to_numpy<double, static_cast<int>(dimensions)>(std::vector<double>(from, from + size), shape);
}

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

}  // namespace

void UserJudge::score(const double* parent, const Batch& batch, const Amounts& amounts,
                      std::vector<Judgement>& judged) const {
  const Locked lock;
  const nb::object whole = as_array<1>(parent, {batch.width});
  const nb::object branches = as_array<3>(batch.stat.data(), {batch.size(), batch.branches, batch.width});
  const std::vector<double> scores = numbers_of(score_(whole, branches), batch.size(), "criterion.score");
  const double share = discount_ ? amounts.known / amounts.all : 1.0;
  judged.resize(batch.size());
  for (std::size_t test = 0; test < batch.size(); ++test) judged[test] = {share * scores[test], share * scores[test]};
}

double UserJudge::impurity(const double* stat, std::size_t width) const {
  if (impurity_.is_none()) return -1.0;
  const Locked lock;
  return std::max(0.0, numbers_of(impurity_(as_array<2>(stat, {1, width})), 1, "criterion.impurity")[0]);
}

}  // namespace bough::python
