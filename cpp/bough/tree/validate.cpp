// See validate.hpp: sizes first, so that every later loop may index freely; then structure, facts, answers, splits.
#include "bough/tree/validate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/tree/structure.hpp"

namespace bough {
namespace {

[[noreturn]] void fail(const char* field, std::size_t i, const std::string& problem) {
  throw InvalidInput(std::string(field) + "[" + std::to_string(i) + "]", problem);
}

void expect_size(const char* field, std::size_t found, std::size_t expected) {
  if (found == expected) return;
  throw InvalidInput(field, "expected " + std::to_string(expected) + " entries, found " + std::to_string(found));
}

// Offsets into a pool: from 0, never falling, ending at the pool's size.
void check_offsets(const char* field, const std::vector<std::int64_t>& begin, std::size_t entries, std::size_t pool) {
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

void check_amounts(const char* field, const std::vector<double>& amounts) {
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (!std::isfinite(amounts[i]) || amounts[i] < 0.0) fail(field, i, "expected a finite number of at least 0");
  }
}

void check_finite(const char* field, const std::vector<double>& numbers) {
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

void check_sizes(const Tree& tree) {
  const std::size_t n = tree.parent.size();
  const SplitPool& pool = tree.splits;
  const std::size_t splits = pool.column.size();
  expect_size("rows", tree.rows.size(), n);
  expect_size("weight", tree.weight.size(), n);
  expect_size("impurity", tree.impurity.size(), n);
  expect_size("risk", tree.risk.size(), n);
  expect_size("complexity", tree.complexity.size(), n);
  expect_size("majority", tree.majority.size(), n);
  check_offsets("split_begin", tree.split_begin, n, splits);
  expect_size("split_role", pool.role.size(), splits);
  expect_size("split_kind", pool.kind.size(), splits);
  expect_size("split_found", pool.found.size(), splits);
  expect_size("split_value_type", pool.value_type.size(), splits);
  expect_size("split_side", pool.side.size(), splits);
  expect_size("split_low", pool.low.size(), splits);
  expect_size("split_payload", pool.payload.size(), splits);
  expect_size("split_score", pool.score.size(), splits);
  if (!pool.adjusted.empty()) expect_size("split_adjusted", pool.adjusted.size(), splits);
  if (pool.set_begin.empty()) throw InvalidInput("set_begin", "expected at least one entry");
  check_offsets("set_begin", pool.set_begin, pool.set_begin.size() - 1, pool.set_code.size());
  expect_size("set_branch", pool.set_branch.size(), pool.set_code.size());
  expect_size("count_weight", tree.count_weight.size(), tree.count_class.size());
  const bool classifier = tree.is_classifier();
  check_offsets("count_begin", tree.count_begin, classifier ? n : 0, tree.count_class.size());
  expect_size("growth_scale", tree.growth_scale.size(), tree.class_scale.size());
  expect_size("label", tree.label.size(), classifier ? n : 0);
  expect_size("value", tree.value.size(), classifier ? 0 : n);
}

void expect_same(const char* field, const std::vector<std::int32_t>& found, const std::vector<std::int32_t>& derived) {
  expect_size(field, found.size(), derived.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == derived[i]) continue;
    fail(field, i,
         "does not follow from the parents: expected " + std::to_string(derived[i]) + ", found " +
             std::to_string(found[i]));
  }
}

void check_structure(const Tree& tree) {
  const Structure derived = derive_structure(tree.parent);
  expect_same("branch", tree.branch, derived.branch);
  expect_same("end", tree.end, derived.end);
  expect_same("child_begin", tree.child_begin, derived.child_begin);
  expect_same("children", tree.children, derived.children);
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    const std::int32_t branches = tree.child_begin[i + 1] - tree.child_begin[i];
    if (branches == 1) fail("parent", i + 1, "an only child: a split has at least two branches");
    if (tree.majority[i] < -1 || tree.majority[i] >= branches) {
      fail("majority", i,
           "expected -1 or a branch below " + std::to_string(branches) + ", found " + std::to_string(tree.majority[i]));
    }
    if (tree.rows[i] < 0) fail("rows", i, "expected at least 0, found " + std::to_string(tree.rows[i]));
  }
}

void check_classes(const Tree& tree) {
  const auto classes = static_cast<std::int64_t>(tree.class_scale.size());
  check_amounts("class_scale", tree.class_scale);
  check_amounts("growth_scale", tree.growth_scale);
  check_amounts("count_weight", tree.count_weight);
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    if (tree.label[i] < 0 || tree.label[i] >= classes) {
      fail("label", i,
           "expected a class below " + std::to_string(classes) + ", found " + std::to_string(tree.label[i]));
    }
    double mass = 0.0;
    std::int64_t previous = -1;
    for (std::int64_t k = tree.count_begin[i]; k < tree.count_begin[i + 1]; ++k) {
      const std::int32_t c = tree.count_class[k];
      if (c <= previous || c >= classes) {
        fail("count_class", k,
             "the classes of a node rise and are below " + std::to_string(classes) + ", found " + std::to_string(c));
      }
      previous = c;
      mass += tree.count_weight[k] * tree.class_scale[c];
    }
    if (!std::isfinite(mass) || mass <= 0.0) {
      fail("count_begin", i, "the scaled counts of a node have a finite sum above 0, else it has no probabilities");
    }
  }
}

void check_threshold(const SplitPool& pool, std::size_t s) {
  if (pool.low[s] > 1) fail("split_low", s, "expected 0 or 1, found " + std::to_string(pool.low[s]));
  if (pool.value_type[s] == ValueType::f64 && std::isnan(std::bit_cast<double>(pool.payload[s]))) {
    fail("split_payload", s, "a threshold is a number, found NaN");
  }
}

// Codes rise; branches are below `branches` (a competitor has its own number: -1); all of 0 .. largest occur.
// A surrogate need not reach every branch, only two of them.
void check_set(const SplitPool& pool, std::size_t s, std::int64_t branches) {
  const std::uint64_t set = pool.payload[s];
  const std::int64_t begin = pool.set_begin[set];
  const std::int64_t end = pool.set_begin[set + 1];
  const bool surrogate = pool.role[s] == SplitRole::surrogate;
  const std::int64_t bound = branches >= 0 ? branches : end - begin;
  std::int64_t previous = -1;
  for (std::int64_t k = begin; k < end; ++k) {
    if (pool.set_code[k] <= previous) {
      fail("set_code", k, "the codes of a set rise from 0, found " + std::to_string(pool.set_code[k]));
    }
    previous = pool.set_code[k];
    if (pool.set_branch[k] < 0 || pool.set_branch[k] >= bound) {
      fail("set_branch", k,
           "expected a branch below " + std::to_string(bound) + ", found " + std::to_string(pool.set_branch[k]));
    }
  }
  if (end - begin < (surrogate ? 2 : bound)) fail("set_begin", set + 1, "fewer levels than branches");
  if (surrogate) {
    for (std::int64_t k = begin + 1; k < end; ++k) {
      if (pool.set_branch[k] != pool.set_branch[begin]) return;
    }
    fail("set_begin", set + 1, "a surrogate leads to at least two branches");
  }
  std::vector<bool> taken(static_cast<std::size_t>(bound), false);  // not longer than the set: linear over all
  std::int64_t distinct = 0;
  std::int64_t largest = -1;
  for (std::int64_t k = begin; k < end; ++k) {
    const std::int32_t b = pool.set_branch[k];
    if (!taken[b]) ++distinct;
    taken[b] = true;
    largest = std::max<std::int64_t>(largest, b);
  }
  const bool complete = distinct == largest + 1 && (branches < 0 || distinct == branches);
  if (distinct < 2 || !complete) fail("set_begin", set + 1, "a branch without a level");
}

void check_splits(const Tree& tree) {
  const SplitPool& pool = tree.splits;
  check_enum("split_role", pool.role, SplitRole::surrogate);
  check_enum("split_kind", pool.kind, SplitKind::levels);
  check_enum("split_found", pool.found, Found::mean_order);
  check_enum("split_value_type", pool.value_type, ValueType::u64);
  check_enum("split_side", pool.side, Side::lt);
  check_finite("split_score", pool.score);
  check_finite("split_adjusted", pool.adjusted);
  const std::size_t sets = pool.set_begin.size() - 1;
  std::size_t used = 0;
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    const std::int64_t branches = tree.child_begin[i + 1] - tree.child_begin[i];
    const std::int64_t first = tree.split_begin[i];
    const std::int64_t last = tree.split_begin[i + 1];
    if ((branches > 0) != (last > first)) {
      fail("split_begin", i + 1, branches > 0 ? "a node with children has splits" : "a leaf has no splits");
    }
    for (std::int64_t s = first; s < last; ++s) {
      if ((pool.role[s] == SplitRole::primary) != (s == first)) {
        fail("split_role", s, "a node has one primary split, and it comes first");
      }
      if (pool.column[s] < 0) fail("split_column", s, "expected at least 0, found " + std::to_string(pool.column[s]));
      const bool competitor = pool.role[s] == SplitRole::competitor;
      if (pool.kind[s] == SplitKind::threshold) {
        check_threshold(pool, s);
        if (!competitor && branches != 2) {
          fail("split_kind", s, "a threshold has two branches, the node " + std::to_string(branches));
        }
        continue;
      }
      if (pool.value_type[s] != ValueType::f64) fail("split_value_type", s, "only thresholds have one");
      if (pool.side[s] != Side::le) fail("split_side", s, "only thresholds have one");
      if (pool.low[s] != 0) fail("split_low", s, "only thresholds have one");
      if (pool.payload[s] != used || used == sets) {
        fail("split_payload", s,
             "level sets are numbered in the order of their splits: expected " + std::to_string(used) + ", found " +
                 std::to_string(pool.payload[s]));
      }
      ++used;
      check_set(pool, s, competitor ? -1 : branches);
    }
  }
  if (used != sets) fail("set_begin", used, "a level set without a split");
}

void check_routing(const Routing& routing) {
  if (routing.fallback != Otherwise::majority && routing.fallback != Otherwise::stop &&
      routing.fallback != Otherwise::spread) {
    throw InvalidInput("routing.fallback", "expected majority, stop or spread");
  }
  if (routing.absent > Otherwise::stop) throw InvalidInput("routing.absent", "expected missing, majority or stop");
  if (routing.unseen > Otherwise::error) {
    throw InvalidInput("routing.unseen", "expected missing, majority, stop or error");
  }
}

}  // namespace

void validate(const Tree& tree) {
  check_sizes(tree);
  check_structure(tree);
  check_amounts("weight", tree.weight);
  check_amounts("impurity", tree.impurity);
  check_amounts("risk", tree.risk);
  check_amounts("complexity", tree.complexity);
  if (tree.is_classifier()) {
    check_classes(tree);
  } else {
    check_finite("value", tree.value);
  }
  check_splits(tree);
  check_routing(tree.routing);
}

void check_columns(const Tree& tree, std::span<const std::int32_t> kinds, std::span<const std::int64_t> n_levels) {
  constexpr std::int32_t numeric = 0;
  constexpr std::int32_t nominal = 2;
  if (kinds.size() != n_levels.size()) throw InvalidInput("columns", "as many kinds as numbers of levels");
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    if (kinds[c] < numeric || kinds[c] > nominal) fail("kinds", c, "unknown code " + std::to_string(kinds[c]));
  }
  const SplitPool& pool = tree.splits;
  for (std::size_t s = 0; s < pool.column.size(); ++s) {
    const auto c = static_cast<std::size_t>(pool.column[s]);
    if (c >= kinds.size()) {
      fail("split_column", s,
           "expected a column below " + std::to_string(kinds.size()) + ", found " + std::to_string(c));
    }
    const bool levels = pool.kind[s] == SplitKind::levels;
    if (levels != (kinds[c] == nominal)) {
      fail("split_kind", s, levels ? "level sets need a nominal column" : "a nominal column has no thresholds");
    }
    if (levels) {
      const std::int64_t last = pool.set_begin[pool.payload[s] + 1] - 1;
      if (pool.set_code[last] >= n_levels[c]) {
        fail("set_code", last,
             "the column has " + std::to_string(n_levels[c]) + " levels, found code " +
                 std::to_string(pool.set_code[last]));
      }
    } else if (kinds[c] != numeric) {
      if (pool.value_type[s] != ValueType::i64) fail("split_value_type", s, "an ordered column has integer codes");
      const auto code = std::bit_cast<std::int64_t>(pool.payload[s]);
      if (code < 0 || code >= n_levels[c]) {
        fail("split_payload", s,
             "the column has " + std::to_string(n_levels[c]) + " levels, found code " + std::to_string(code));
      }
    }
  }
}

}  // namespace bough
