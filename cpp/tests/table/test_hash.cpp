// The hash of a column against xxHash64, seed 0, over the same words; tests/table/test_digest.py has it in plain
// Python.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "bough/table/hash.hpp"

namespace bough::testing {
namespace {

std::uint64_t hash_of(const std::vector<std::int64_t>& values, WholeAs whole, std::uint64_t scale = 1) {
  ColumnView view;
  view.type = ColumnView::Type::i64;
  view.data = values.data();
  return hash_column(view, values.size(), whole, scale);
}

}  // namespace

TEST_CASE("the hash is xxHash64 of the words") {
  CHECK(hash_of({}, WholeAs::count) == 0xEF46DB3751D8E999U);
  CHECK(hash_of({1, 2, 3}, WholeAs::count) == 0x8799E152E5C0CDFAU);
  CHECK(hash_of({1, 2, 3, 4, 5, 6}, WholeAs::count) == 0xCC1B402BA7A65B7BU);
  CHECK(hash_of({1, 2, 3}, WholeAs::count, 1000) == hash_of({1000, 2000, 3000}, WholeAs::count));
}

TEST_CASE("whole numbers hash as the doubles that they are, and NaN as any other") {
  const std::vector<double> doubles = {1.0, -2.0, 3.0};
  ColumnView view;
  view.data = doubles.data();
  CHECK(hash_column(view, 3, WholeAs::number) == hash_of({1, -2, 3}, WholeAs::number));
  const std::vector<double> one = {std::numeric_limits<double>::quiet_NaN()};
  const std::vector<double> other = {-std::numeric_limits<double>::quiet_NaN()};
  ColumnView first = view;
  first.data = one.data();
  ColumnView second = view;
  second.data = other.data();
  CHECK(hash_column(first, 1, WholeAs::number) == hash_column(second, 1, WholeAs::number));
}

}  // namespace bough::testing
