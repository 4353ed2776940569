// The version of the library, taken from pyproject.toml by the build.
#pragma once

#include <string_view>

namespace bough {

[[nodiscard]] std::string_view version() noexcept;

}  // namespace bough
