// The version must come from pyproject.toml, never be empty.
#include <doctest/doctest.h>

#include "bough/base/version.hpp"

TEST_CASE("the kernel knows its version") { CHECK(bough::version().starts_with("0.")); }
