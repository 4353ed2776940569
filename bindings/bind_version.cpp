// bough._core.__version__: the version the extension was built as, so that a stale build shows.
#include <nanobind/nanobind.h>

#include <string>

#include "bindings/binders.hpp"
#include "bough/base/version.hpp"

namespace bough::python {

void bind_version(nanobind::module_& m) { m.attr("__version__") = std::string(version()).c_str(); }

}  // namespace bough::python
