// A split is a function from a row to a branch number: it can describe itself and cannot estimate itself.
// It has a feature (a column, all_of some properties, a sum of terms, a network) and a partition of the values of that
// feature. Splits of all nodes and all roles (primary, runner-up, surrogate) sit in one pool of flat arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/feature/all_of.hpp"
#include "bough/feature/linear.hpp"
#include "bough/feature/threshold.hpp"

namespace bough {

// How the values of a feature are parted: numbers and ordered levels by a threshold or in intervals, levels in sets,
// and a truth value by whether it holds.
enum class SplitKind : std::uint8_t { threshold = 0, levels = 1, intervals = 2, holds = 3 };
enum class SplitRole : std::uint8_t { primary = 0, competitor = 1, surrogate = 2 };

// What a split asks for.
enum class Feature : std::uint8_t { column, all_of, sum, network };

// How a set of levels was found, or the weights of a sum; numeric splits are always exact.
enum class Found : std::uint8_t {
  exact = 0,
  ordered = 1,
  pca = 2,
  superclass = 3,
  median_order = 4,
  mean_order = 5,
  greedy = 6,
  // Sums only.
  discriminant = 7,
  perturbation = 8,
  coordinate = 9,
  quadratic_point = 10,
  thermal = 11,
  gradient = 12,
  sphere = 13,
  principal_axis = 14,
  refined = 15,
  network = 16,
  written = 17,  // by a user
};

// Whether one threshold is the smaller number, in exact arithmetic whatever their types; NaN is below nothing.
[[nodiscard]] bool is_below(const Threshold& a, const Threshold& b);

// The pool: one entry a split in each of the first nine arrays. What the `payload` of a split is depends on its kind:
//   threshold    the bits of the threshold.
//   levels       the number s of a level set: codes set_code[set_begin[s] .. set_begin[s + 1]), sorted, and their
//                branches in set_branch. A level in none of the branches was absent from the node in training.
//   intervals    the number s of an edge list: edges edge_begin[s] .. edge_begin[s + 1], rising. m edges part the
//   values
//                into m + 1 intervals, whose branches are interval_branch[edge_begin[s] + s ..], lowest first; `side`
//                says which interval an edge itself belongs to (le: the one below).
//   holds        the number s of a list of `terms`, properties that all hold or do not (feature/all_of.hpp). The column
//                of the split is that of the first.
// Sets, edge lists and lists of terms are numbered in the order of their splits: the first split of kind `levels` owns
// set 0, and so on. What a kind has no use for is 0.
struct SplitPool {
  std::vector<SplitRole> role;
  std::vector<SplitKind> kind;
  std::vector<Found> found;
  std::vector<ValueType> value_type;   // threshold
  std::vector<Side> side;              // threshold, intervals
  std::vector<std::uint8_t> low;  // threshold, holds: the branch of low values, of what holds; the rest: 1 - low
  std::vector<std::int32_t> column;
  std::vector<std::uint64_t> payload;
  std::vector<double> score;  // primary and competitor: gain; surrogate: agreement
  std::vector<double> adjusted;  // surrogate: agreement beyond the majority rule, else 0; empty without surrogates
  // The branch of cases whose value is missing, -1: the tree's routing decides; empty if it always does. It may be the
  // last branch, which then belongs to the missing values alone, or one of the others.
  std::vector<std::int32_t> missing;

  // The number of the list of `sums` that is asked, -1: the column, or what `holds`; empty if no split asks for a sum.
  // A threshold or intervals part the values of the sum, a set of levels which of the sums of its machine is largest.
  // Sums are numbered in the order of their splits, and the column of such a split is the one that weighs most in it
  // (largest_term). Never a surrogate.
  std::vector<std::int32_t> derived;

  std::vector<std::int64_t> set_begin = {0};
  std::vector<std::int32_t> set_code;
  std::vector<std::int32_t> set_branch;

  std::vector<std::int64_t> edge_begin = {0};
  std::vector<ValueType> edge_type;
  std::vector<std::uint64_t> edge_bits;
  std::vector<std::int32_t> interval_branch;

  PropertyLists terms;

  TermLists sums;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(column.size()); }
  [[nodiscard]] std::int32_t derived_of(std::int64_t s) const { return derived.empty() ? -1 : derived[s]; }
  [[nodiscard]] Feature feature(std::int64_t s) const {
    if (kind[s] == SplitKind::holds) return Feature::all_of;
    const std::int32_t list = derived_of(s);
    if (list < 0) return Feature::column;
    return sums.layers.of(list) > 0 ? Feature::network : Feature::sum;
  }
  // Whether columns are asked one by one, so that sets of values of single columns lead to branches.
  [[nodiscard]] bool has_cells(std::int64_t s) const { return derived_of(s) < 0; }
  [[nodiscard]] std::int32_t missing_branch(std::int64_t s) const { return missing.empty() ? -1 : missing[s]; }
};

// Appends split number s of one pool, with its levels, edges or terms, to another; `tidy` once all are there.
void copy_split(const SplitPool& from, std::int64_t s, SplitPool& to);

// The columns that a split asks, ascending, each once.
[[nodiscard]] std::vector<std::int32_t> columns_of(const SplitPool& pool, std::int64_t s);

// The term of a list with the largest weight in units of its scale, the first of equal ones.
[[nodiscard]] std::int64_t largest_term(const TermLists& lists, std::int64_t list);

// Makes the split added last, whose column is settled here, one of the sum added last.
void set_sum_of_last(SplitPool& pool);

// Gives the split added last its branch of missing values.
void set_missing_of_last(SplitPool& pool, std::int32_t branch);

// Fills up what only some splits have said (`adjusted`, `missing`, `derived`), or empties it if it says nothing.
void tidy(SplitPool& pool);

}  // namespace bough
