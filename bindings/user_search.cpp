// See user_search.hpp.
#include "bindings/user_search.hpp"

#include "bindings/interpreter.hpp"
#include "bindings/user_numbers.hpp"
#include "bough/base/error.hpp"
#include "bough/feature/layers.hpp"

namespace bough::python {

namespace nb = nanobind;

Finder::Answer UserSearch::find(Question question) const {
  const Locked lock;
  const std::size_t rows = question.rows;
  const nb::object terms = to_numpy<double, 2>(std::move(question.term), {rows, question.terms});
  const nb::object target = to_numpy<double, 1>(std::move(question.target), {rows});
  const nb::object weight = to_numpy<double, 1>(std::move(question.weight), {rows});
  const nb::object found = find_(terms, target, weight, question.key);
  if (found.is_none()) return {};
  if (!nb::isinstance<nb::tuple>(found)) return {0, numbers_of(found, question.terms, "search.weights")};
  const auto pair = nb::cast<nb::tuple>(found);
  if (nb::len(pair) != 2) throw InvalidInput("search.weights", "expected (units, numbers)");
  const auto units = nb::cast<std::int32_t>(pair[0]);
  if (units < 1 || units > Layer::most) {
    throw InvalidInput("search.weights", "expected 1 to " + std::to_string(Layer::most) + " units");
  }
  const std::size_t size = Layer::size(static_cast<std::int64_t>(question.terms), units);
  return {units, numbers_of(pair[1], size, "search.weights")};
}

}  // namespace bough::python
