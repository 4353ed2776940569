// The one exception of the kernel: input that breaks a promise made at the border.
// The bindings turn it into a Python ValueError; `place` names the offending array or field.
#pragma once

#include <stdexcept>
#include <string>

namespace bough {

class InvalidInput : public std::invalid_argument {
 public:
  InvalidInput(const std::string& place, const std::string& problem)
      : std::invalid_argument(place + ": " + problem), place_(place) {}

  [[nodiscard]] const std::string& place() const noexcept { return place_; }

 private:
  std::string place_;
};

}  // namespace bough
