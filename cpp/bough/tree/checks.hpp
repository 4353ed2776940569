// Small checks of arrays that come from outside; what they find wrong they name by field and position.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bough/base/error.hpp"

namespace bough {

// Kinds of columns as files number them.
inline constexpr std::int32_t kNumericKind = 0;
inline constexpr std::int32_t kNominalKind = 2;

[[noreturn]] inline void fail(const char* field, std::size_t i, const std::string& problem) {
  throw InvalidInput(std::string(field) + "[" + std::to_string(i) + "]", problem);
}

inline void expect_size(const char* field, std::size_t found, std::size_t expected) {
  if (found == expected) return;
  throw InvalidInput(field, "expected " + std::to_string(expected) + " entries, found " + std::to_string(found));
}

// Offsets into a pool: from 0, never falling, ending at the pool's size.
inline void check_offsets(const char* field, const std::vector<std::int64_t>& begin, std::size_t entries,
                          std::size_t pool) {
  expect_size(field, begin.size(), entries + 1);
  if (begin[0] != 0) fail(field, 0, "offsets start at 0, found " + std::to_string(begin[0]));
  for (std::size_t i = 0; i < entries; ++i) {
    if (begin[i + 1] < begin[i]) fail(field, i + 1, "offsets never fall, found " + std::to_string(begin[i + 1]));
  }
  if (begin[entries] != static_cast<std::int64_t>(pool)) {
    fail(field, entries,
         "the last offset is the number of entries, " + std::to_string(pool) + ", found " +
             std::to_string(begin[entries]));
  }
}

// The same for as many lists as there happen to be.
inline void check_lists(const char* field, const std::vector<std::int64_t>& begin, std::size_t pool) {
  if (begin.empty()) throw InvalidInput(field, "expected at least one entry");
  check_offsets(field, begin, begin.size() - 1, pool);
}

inline void check_amounts(const char* field, const std::vector<double>& amounts) {
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (!std::isfinite(amounts[i]) || amounts[i] < 0.0) fail(field, i, "expected a finite number of at least 0");
  }
}

inline void check_finite(const char* field, const std::vector<double>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i])) fail(field, i, "expected a finite number");
  }
}

template <class Enum>
void check_enum(const char* field, const std::vector<Enum>& values, Enum last) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] > last) fail(field, i, "unknown code " + std::to_string(static_cast<int>(values[i])));
  }
}

}  // namespace bough
