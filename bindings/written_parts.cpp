// See written_parts.hpp.
#include "bindings/written_parts.hpp"

#include <memory>
#include <utility>

#include "bindings/interpreter.hpp"
#include "bindings/user_numbers.hpp"

namespace bough::python {

namespace nb = nanobind;

namespace {

// A callable that copies of a std::function share, so that only its last owner needs the interpreter.
using Shared = std::shared_ptr<nb::object>;

Shared shared(nb::object given) { return std::make_shared<nb::object>(std::move(given)); }

template <class T, class Of>
nb::object column(std::span<const T> from, const Of& of) {
  std::vector<double> values;
  values.reserve(from.size());
  for (const T& one : from) values.push_back(of(one));
  return as_array<1>(values.data(), {values.size()});
}

}  // namespace

WrittenParts::Values written_values(nb::object given, const char* place) {
  return [call = shared(std::move(given)), place](std::span<const Weights> covered, const Weights& all) {
    const Locked lock;
    const nb::object p = column(covered, [](const Weights& one) { return one.positive; });
    const nb::object t = column(covered, [](const Weights& one) { return one.total; });
    return numbers_of((*call)(p, t, all.positive, all.total), covered.size(), place);
  };
}

std::function<bool(const NewRule&)> written_stop(nb::object given) {
  return [call = shared(std::move(given))](const NewRule& rule) {
    const Locked lock;
    return nb::cast<bool>((*call)(rule.bits, rule.shortest, rule.turn.covered_positive, rule.turn.covered,
                                  rule.pruning.positive, rule.pruning.total, rule.earlier));
  };
}

std::function<std::vector<double>(std::span<const Variant>)> written_cost(nb::object given) {
  return [call = shared(std::move(given))](std::span<const Variant> variants) {
    const Locked lock;
    const nb::object bits = column(variants, [](const Variant& one) { return one.bits; });
    const nb::object p = column(variants, [](const Variant& one) { return one.list.covered - one.list.wrong; });
    const nb::object t = column(variants, [](const Variant& one) { return one.list.covered; });
    const ListCounts& any = variants.front().list;
    const double all_p = any.covered - any.wrong + any.left_positive;
    return numbers_of((*call)(bits, p, t, all_p, any.covered + any.left), variants.size(), "optimise");
  };
}

}  // namespace bough::python
