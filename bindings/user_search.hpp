// A search for sums or networks that a user writes in Python: asked once at a node, with the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "bough/search/written.hpp"

namespace bough::python {

class UserSearch final : public Finder {
 public:
  // `find(terms, target, weights, key)` -> one weight a term, (units, the numbers of a layer), or None.
  explicit UserSearch(nanobind::object find) : find_(std::move(find)) {}

  [[nodiscard]] Answer find(Question question) const override;

 private:
  nanobind::object find_;
};

}  // namespace bough::python
