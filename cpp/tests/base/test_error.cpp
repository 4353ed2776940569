// InvalidInput names the place and the problem, together and apart.
#include <doctest/doctest.h>

#include <string>

#include "bough/base/error.hpp"

TEST_CASE("an error names its place") {
  const bough::InvalidInput error("parent[3]", "is 9, expected less than 4");
  CHECK(error.place() == "parent[3]");
  CHECK(std::string(error.what()) == "parent[3]: is 9, expected less than 4");
}
