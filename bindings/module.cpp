// The extension module bough._core: a list of its parts. Add a part: bind_x.cpp, a line in binders.hpp, a line here.
#include <nanobind/nanobind.h>

#include "bindings/binders.hpp"

NB_MODULE(_core, m) {
  m.doc() = "The compiled kernel of bough; private: use the classes of `bough`.";
  bough::python::bind_version(m);
}
