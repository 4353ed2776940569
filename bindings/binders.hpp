// The parts of bough._core: each bind_x is defined in bind_x.cpp and called once by module.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace bough::python {

void bind_version(nanobind::module_& m);
void bind_table(nanobind::module_& m);
void bind_tree(nanobind::module_& m);
void bind_ranked(nanobind::module_& m);
void bind_grow(nanobind::module_& m);
void bind_predict(nanobind::module_& m);
void bind_prune(nanobind::module_& m);
void bind_explain(nanobind::module_& m);
void bind_stats(nanobind::module_& m);
void bind_rule_pruning(nanobind::module_& m);
void bind_rules(nanobind::module_& m);
void bind_cover(nanobind::module_& m);
void bind_part(nanobind::module_& m);
void bind_beam(nanobind::module_& m);
void bind_forest(nanobind::module_& m);

}  // namespace bough::python
