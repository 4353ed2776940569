// Where the kernel finds fault.
#pragma once

#include <string>

#include "bough/base/error.hpp"

namespace bough::testing {

// The place that a check complains of; "accepted" if it does not.
template <class Check>
std::string refused_at(const Check& check) {
  try {
    check();
  } catch (const InvalidInput& error) {
    return error.place();
  }
  return "accepted";
}

}  // namespace bough::testing
