// The arrays of rules, by the names that Python, files and error places use.
#pragma once

#include <nanobind/nanobind.h>

#include "bough/cover/rules.hpp"

namespace bough::python {

template <class SomeRules, class Visit>
void visit_fields(SomeRules& rules, const Visit& visit) {
  visit("rule_begin", rules.rule_begin);
  visit("kind", rules.kind);
  visit("column", rules.column);
  visit("negated", rules.negated);
  visit("or_missing", rules.or_missing);
  visit("low_bound", rules.low_bound);
  visit("high_bound", rules.high_bound);
  visit("low_type", rules.low_type);
  visit("high_type", rules.high_type);
  visit("low_bits", rules.low_bits);
  visit("high_bits", rules.high_bits);
  visit("set_begin", rules.set_begin);
  visit("set_code", rules.set_code);
  visit("lin_begin", rules.sums.begin);
  visit("lin_column", rules.sums.column);
  visit("lin_code", rules.sums.code);
  visit("lin_weight", rules.sums.weight);
  visit("lin_fill", rules.sums.fill);
  visit("lin_scale", rules.sums.scale);
  visit("lin_origin", rules.sums.origin);
  visit("lin_whole", rules.sums.whole);
}

}  // namespace bough::python
