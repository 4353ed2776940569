// A split is a function from a row to a branch number: it can describe itself and cannot estimate itself.
// Splits of all nodes and all roles (primary, runner-up, surrogate) sit in one pool of flat arrays.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace bough {

enum class SplitKind : std::uint8_t { threshold = 0, levels = 1 };
enum class SplitRole : std::uint8_t { primary = 0, competitor = 1, surrogate = 2 };

// In which type a threshold is written: a double where a midpoint fits, else the column's own type.
enum class ValueType : std::uint8_t { f64 = 0, i64 = 1, u64 = 2 };

// Which side of the threshold an equal value belongs to: `le` x <= t goes low, `lt` x < t goes low.
enum class Side : std::uint8_t { le = 0, lt = 1 };

// How a set of levels was found; numeric splits are always exact.
enum class Found : std::uint8_t { exact = 0, ordered = 1, pca = 2, superclass = 3, median_order = 4, mean_order = 5 };

// A threshold: `bits` is a double, int64 or uint64, as `type` says.
struct Threshold {
  std::uint64_t bits = 0;
  ValueType type = ValueType::f64;
  Side side = Side::le;

  [[nodiscard]] double as_f64() const { return std::bit_cast<double>(bits); }
  [[nodiscard]] std::int64_t as_i64() const { return std::bit_cast<std::int64_t>(bits); }
};

// The pool: one entry a split in each of the first seven arrays. `payload` is the bits of the threshold, or
// for `levels` the number s of a level set: codes set_code[set_begin[s] .. set_begin[s + 1]), sorted, and their
// branches in set_branch. A level in none of the branches was absent from the node in training.
// Level sets are numbered in the order of their splits: the first split of kind `levels` owns set 0, and so on.
// What is marked "threshold only" is 0 for level sets.
struct SplitPool {
  std::vector<SplitRole> role;
  std::vector<SplitKind> kind;
  std::vector<Found> found;
  std::vector<ValueType> value_type;   // threshold only
  std::vector<Side> side;              // threshold only
  std::vector<std::uint8_t> low;       // threshold only: the branch of low values, 0 or 1; high values take 1 - low
  std::vector<std::int32_t> column;
  std::vector<std::uint64_t> payload;
  std::vector<double> score;           // primary and competitor: gain; surrogate: agreement
  std::vector<double> adjusted;  // surrogate: agreement beyond the majority rule, else 0; empty without surrogates

  std::vector<std::int64_t> set_begin = {0};
  std::vector<std::int32_t> set_code;
  std::vector<std::int32_t> set_branch;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(column.size()); }
};

// Appends split number s of one pool, with its level set, to another.
void copy_split(const SplitPool& from, std::int64_t s, SplitPool& to);

}  // namespace bough
