// The extension module bough._core: a list of its parts. Add a part: bind_x.cpp, a line in binders.hpp, a line here.
#include <nanobind/nanobind.h>

#include "bindings/binders.hpp"

// The macro's expansion is nanobind's.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-cstyle-cast, bugprone-signed-bitwise)
NB_MODULE(_core, m) {
#ifdef NDEBUG
  // Trees that a cache or a debugger still holds when the interpreter ends are no concern of the user's.
  nanobind::set_leak_warnings(false);
#endif
  m.doc() = "The compiled kernel of bough; private: use the classes of `bough`.";
  bough::python::bind_version(m);
  bough::python::bind_table(m);
  bough::python::bind_tree(m);
  bough::python::bind_ranked(m);
  bough::python::bind_grow(m);
  bough::python::bind_predict(m);
  bough::python::bind_prune(m);
  bough::python::bind_explain(m);
  bough::python::bind_stats(m);
  bough::python::bind_rule_pruning(m);
  bough::python::bind_rules(m);
  bough::python::bind_cover(m);
  bough::python::bind_part(m);
  bough::python::bind_beam(m);
  bough::python::bind_forest(m);
}
