// See check_splits.hpp.
#include "bough/tree/check_splits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "bough/tree/check_layers.hpp"
#include "bough/tree/check_terms.hpp"
#include "bough/tree/checks.hpp"

namespace bough {
namespace {

// A split and the node that asks it.
struct Asked {
  std::size_t split;
  SplitRole role;
  std::int64_t branches;  // of the node; a competitor has its own number: -1
  std::int64_t missing;   // the branch of missing values, -1: none
};

bool is_nan(ValueType type, std::uint64_t bits) {
  return type == ValueType::f64 && std::isnan(std::bit_cast<double>(bits));
}

// Two branches, 0 and 1, and perhaps a third for missing values.
void check_two_sides(const Asked& asked, const char* what) {
  const std::int64_t sides = asked.missing == 2 ? 3 : 2;
  if (asked.missing > 2) {
    fail("split_missing", asked.split, "expected a branch below 3, found " + std::to_string(asked.missing));
  }
  if (asked.branches < 0 || asked.branches == sides) return;
  fail("split_kind", asked.split,
       std::string(what) + " has two branches, and one more for missing values alone; the node has " +
           std::to_string(asked.branches));
}

// Where the parts of a test lead, parts being levels or intervals: all branches of the node are reached, by a part or
// by the missing values, which may have the last one for themselves. A surrogate may reach just some of them, even one
// alone: in a chain of binary tests it can belong to branches that are told apart further down.
struct Parts {
  std::span<const std::int32_t> branch;
  std::size_t first;  // of them in their array
  const char* branch_field;
  const char* list_field;
  std::size_t list;  // where the list ends, for complaints about it as a whole
  const char* part;
};

void check_parts(const Asked& asked, const Parts& parts) {
  const auto most = static_cast<std::int64_t>(parts.branch.size()) + (asked.missing >= 0 ? 1 : 0);
  const std::int64_t bound = asked.branches >= 0 ? asked.branches : most;
  for (std::size_t k = 0; k < parts.branch.size(); ++k) {
    if (parts.branch[k] >= 0 && parts.branch[k] < bound) continue;
    fail(parts.branch_field, parts.first + k,
         "expected a branch below " + std::to_string(bound) + ", found " + std::to_string(parts.branch[k]));
  }
  if (asked.missing >= bound) {
    fail("split_missing", asked.split,
         "expected a branch below " + std::to_string(bound) + ", found " + std::to_string(asked.missing));
  }
  if (asked.role == SplitRole::surrogate) return;  // it need not reach every branch
  const std::string without = std::string("a branch without ") + parts.part;
  if (most < bound) fail(parts.list_field, parts.list, without);
  std::vector<bool> taken(static_cast<std::size_t>(bound), false);  // not longer than the parts: linear over all
  std::int64_t distinct = 0;
  std::int64_t largest = -1;
  const auto take = [&](std::int64_t b) {
    if (!taken[b]) ++distinct;
    taken[b] = true;
    largest = std::max(largest, b);
  };
  for (const std::int32_t b : parts.branch) take(b);
  if (asked.missing >= 0 && !taken[asked.missing] && asked.missing < largest) {
    fail("split_missing", asked.split, "a branch that only missing values take is the last one");
  }
  if (asked.missing >= 0) take(asked.missing);
  const bool complete = distinct == largest + 1 && (asked.branches < 0 || distinct == asked.branches);
  if (distinct < 2 || !complete) fail(parts.list_field, parts.list, without);
}

void check_set(const SplitPool& pool, const Asked& asked) {
  const std::uint64_t set = pool.payload[asked.split];
  const std::int64_t begin = pool.set_begin[set];
  const std::int64_t end = pool.set_begin[set + 1];
  std::int64_t previous = -1;
  for (std::int64_t k = begin; k < end; ++k) {
    if (pool.set_code[k] <= previous) {
      fail("set_code", k, "the codes of a set rise from 0, found " + std::to_string(pool.set_code[k]));
    }
    previous = pool.set_code[k];
  }
  if (begin == end) fail("set_begin", set + 1, "a set without levels");
  const auto branch = std::span(pool.set_branch).subspan(begin, end - begin);
  check_parts(asked, {branch, static_cast<std::size_t>(begin), "set_branch", "set_begin", set + 1, "a level"});
}

void check_intervals(const SplitPool& pool, const Asked& asked) {
  const std::uint64_t list = pool.payload[asked.split];
  const std::int64_t begin = pool.edge_begin[list];
  const std::int64_t end = pool.edge_begin[list + 1];
  const auto edge = [&](std::int64_t e) { return Threshold{pool.edge_bits[e], pool.edge_type[e], Side::le}; };
  for (std::int64_t e = begin; e < end; ++e) {
    if (is_nan(pool.edge_type[e], pool.edge_bits[e])) fail("edge_bits", e, "an edge is a number, found NaN");
    if (e > begin && !is_below(edge(e - 1), edge(e))) fail("edge_bits", e, "the edges of a split rise");
  }
  if (begin == end && pool.side[asked.split] != Side::le) fail("split_side", asked.split, "no edge, no side");
  const std::int64_t first = begin + static_cast<std::int64_t>(list);
  const auto branch = std::span(pool.interval_branch).subspan(first, end - begin + 1);
  check_parts(asked,
              {branch, static_cast<std::size_t>(first), "interval_branch", "edge_begin", list + 1, "an interval"});
}

void check_properties(const SplitPool& pool, const Asked& asked) {
  const std::uint64_t list = pool.payload[asked.split];
  const std::int64_t begin = pool.terms.begin[list];
  const std::int64_t end = pool.terms.begin[list + 1];
  if (begin == end) fail("term_begin", list + 1, "a conjunction without terms");
  for (std::int64_t t = begin; t < end; ++t) {
    if (pool.terms.column[t] < 0) {
      fail("term_column", t, "expected at least 0, found " + std::to_string(pool.terms.column[t]));
    }
    const Property asked = pool.terms.at(t);
    if (asked.code < Property::kThreshold || (asked.code == Property::kThreshold && pool.terms.bits.empty())) {
      fail("term_code", t, "expected at least 0, or -1 for a threshold, found " + std::to_string(asked.code));
    }
    const bool unused = asked.asks_level();
    if (unused && asked.threshold.type != ValueType::f64) fail("term_type", t, "only thresholds have one");
    if (unused && asked.threshold.side != Side::le) fail("term_side", t, "only thresholds have one");
    if (unused && asked.threshold.bits != 0) fail("term_bits", t, "only thresholds have a number");
    if (is_nan(asked.threshold.type, asked.threshold.bits)) fail("term_bits", t, "a threshold is a number, found NaN");
    if (pool.terms.negated[t] > 1) {
      fail("term_negated", t, "expected 0 or 1, found " + std::to_string(pool.terms.negated[t]));
    }
  }
  if (pool.column[asked.split] != pool.terms.column[begin]) {
    fail("split_column", asked.split, "the column of a conjunction is that of its first term");
  }
}

// A split on a sum: a threshold or intervals in doubles, and what the pool promises of its column.
void check_sum(const SplitPool& pool, std::size_t s) {
  if (pool.role[s] == SplitRole::surrogate) fail("split_feature", s, "a surrogate asks one column: expected -1");
  const SplitKind kind = pool.kind[s];
  const std::int32_t sum = pool.derived[s];
  if (kind == SplitKind::levels) {
    const std::uint64_t set = pool.payload[s];
    check_machine(pool.sums, sum,
                  std::span(pool.set_code).subspan(pool.set_begin[set], pool.set_begin[set + 1] - pool.set_begin[set]));
  } else if (kind == SplitKind::holds) {
    fail("split_feature", s, "a sum is parted by a threshold or in intervals, the largest of several by levels");
  } else if (!pool.sums.machine(sum).empty()) {
    fail("mac_begin", static_cast<std::size_t>(sum) + 1, "the largest of several sums is parted by levels");
  }
  if (pool.value_type[s] != ValueType::f64) fail("split_value_type", s, "the threshold of a sum is a double");
  if (kind == SplitKind::intervals) {
    const std::uint64_t list = pool.payload[s];
    for (std::int64_t e = pool.edge_begin[list]; e < pool.edge_begin[list + 1]; ++e) {
      if (pool.edge_type[e] != ValueType::f64) fail("edge_type", e, "the edges of a sum are doubles");
    }
  }
  const std::int32_t column = pool.sums.column[largest_term(pool.sums, sum)];
  if (pool.column[s] != column) {
    fail("split_column", s,
         "the column of a sum is the one that weighs most: expected " + std::to_string(column) + ", found " +
             std::to_string(pool.column[s]));
  }
}

// What a kind has no use for is 0.
void check_unused(const SplitPool& pool, std::size_t s) {
  const SplitKind kind = pool.kind[s];
  const bool sides = kind == SplitKind::threshold || kind == SplitKind::holds;
  const bool edges = kind == SplitKind::threshold || kind == SplitKind::intervals;
  if (kind != SplitKind::threshold && pool.value_type[s] != ValueType::f64) {
    fail("split_value_type", s, "only thresholds have one");
  }
  if (!edges && pool.side[s] != Side::le) fail("split_side", s, "only thresholds and intervals have one");
  if (!sides && pool.low[s] != 0) fail("split_low", s, "only thresholds and conjunctions have one");
  if (pool.found[s] > Found::greedy && pool.derived_of(static_cast<std::int64_t>(s)) < 0) {
    fail("split_found", s, "only the weights of a sum are found like this");
  }
  if (pool.low[s] > 1) fail("split_low", s, "expected 0 or 1, found " + std::to_string(pool.low[s]));
}

// The lists of one kind, numbered in the order of their splits.
struct Lists {
  const char* field;
  std::size_t size;
  std::size_t used = 0;

  void take(const SplitPool& pool, std::size_t s) {
    if (pool.payload[s] != used || used == size) {
      fail("split_payload", s,
           std::string("the entries of ") + field + " are numbered in the order of their splits: expected " +
               std::to_string(used) + ", found " + std::to_string(pool.payload[s]));
    }
    ++used;
  }
  void finish() const {
    if (used != size) fail(field, used, "a list without a split");
  }
};

}  // namespace

void check_pool_sizes(const SplitPool& pool) {
  const std::size_t splits = pool.column.size();
  expect_size("split_role", pool.role.size(), splits);
  expect_size("split_kind", pool.kind.size(), splits);
  expect_size("split_found", pool.found.size(), splits);
  expect_size("split_value_type", pool.value_type.size(), splits);
  expect_size("split_side", pool.side.size(), splits);
  expect_size("split_low", pool.low.size(), splits);
  expect_size("split_payload", pool.payload.size(), splits);
  expect_size("split_score", pool.score.size(), splits);
  if (!pool.adjusted.empty()) expect_size("split_adjusted", pool.adjusted.size(), splits);
  if (!pool.missing.empty()) expect_size("split_missing", pool.missing.size(), splits);
  check_lists("set_begin", pool.set_begin, pool.set_code.size());
  expect_size("set_branch", pool.set_branch.size(), pool.set_code.size());
  check_lists("edge_begin", pool.edge_begin, pool.edge_bits.size());
  expect_size("edge_type", pool.edge_type.size(), pool.edge_bits.size());
  expect_size("interval_branch", pool.interval_branch.size(), pool.edge_bits.size() + pool.edge_begin.size() - 1);
  check_lists("term_begin", pool.terms.begin, pool.terms.code.size());
  expect_size("term_column", pool.terms.column.size(), pool.terms.code.size());
  expect_size("term_negated", pool.terms.negated.size(), pool.terms.code.size());
  const bool thresholds = !pool.terms.bits.empty();
  expect_size("term_type", pool.terms.type.size(), thresholds ? pool.terms.code.size() : 0);
  expect_size("term_side", pool.terms.side.size(), thresholds ? pool.terms.code.size() : 0);
  if (thresholds) expect_size("term_bits", pool.terms.bits.size(), pool.terms.code.size());
  if (!pool.derived.empty()) expect_size("split_feature", pool.derived.size(), splits);
  check_term_sizes(pool.sums, test_terms);
  check_layer_sizes(pool.sums);
}

void check_splits(const Tree& tree) {
  const SplitPool& pool = tree.splits;
  check_enum("split_role", pool.role, SplitRole::surrogate);
  check_enum("split_kind", pool.kind, SplitKind::holds);
  check_enum("split_found", pool.found, Found::written);
  check_enum("split_value_type", pool.value_type, ValueType::u64);
  check_enum("split_side", pool.side, Side::lt);
  check_enum("edge_type", pool.edge_type, ValueType::u64);
  check_enum("term_type", pool.terms.type, ValueType::u64);
  check_enum("term_side", pool.terms.side, Side::lt);
  if (!pool.terms.bits.empty() && std::ranges::find(pool.terms.code, Property::kThreshold) == pool.terms.code.end()) {
    fail("term_bits", 0, "no term is a threshold: expected none");
  }
  check_finite("split_score", pool.score);
  check_finite("split_adjusted", pool.adjusted);
  check_terms(pool.sums, test_terms);
  check_layers(pool.sums);
  std::int64_t sums = 0;
  Lists sets = {"set_begin", pool.set_begin.size() - 1};
  Lists edges = {"edge_begin", pool.edge_begin.size() - 1};
  Lists terms = {"term_begin", pool.terms.begin.size() - 1};
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    const std::int64_t branches = tree.child_begin[i + 1] - tree.child_begin[i];
    const std::int64_t first = tree.split_begin[i];
    const std::int64_t last = tree.split_begin[i + 1];
    if ((branches > 0) != (last > first)) {
      fail("split_begin", i + 1, branches > 0 ? "a node with children has splits" : "a leaf has no splits");
    }
    for (std::int64_t k = first; k < last; ++k) {
      const auto s = static_cast<std::size_t>(k);
      const SplitRole role = pool.role[s];
      if ((role == SplitRole::primary) != (k == first)) {
        fail("split_role", s, "a node has one primary split, and it comes first");
      }
      if (pool.column[s] < 0) fail("split_column", s, "expected at least 0, found " + std::to_string(pool.column[s]));
      const std::int32_t missing = pool.missing_branch(k);
      if (missing < -1) fail("split_missing", s, "expected a branch or -1, found " + std::to_string(missing));
      if (missing >= 0 && role == SplitRole::surrogate) {
        fail("split_missing", s, "a surrogate whose value is missing is passed over: expected -1");
      }
      check_unused(pool, s);
      const std::int32_t sum = pool.derived_of(k);
      if (sum < -1 || (sum >= 0 && (sum != sums || sums == pool.sums.size()))) {
        fail("split_feature", s, "expected -1 or the next sum, found " + std::to_string(sum));
      }
      const Asked asked = {s, role, role == SplitRole::competitor ? -1 : branches, missing};
      switch (pool.kind[s]) {
        case SplitKind::threshold:
          if (is_nan(pool.value_type[s], pool.payload[s])) {
            fail("split_payload", s, "a threshold is a number, found NaN");
          }
          check_two_sides(asked, "a threshold");
          break;
        case SplitKind::levels:
          sets.take(pool, s);
          check_set(pool, asked);
          break;
        case SplitKind::intervals:
          edges.take(pool, s);
          check_intervals(pool, asked);
          break;
        case SplitKind::holds:
          terms.take(pool, s);
          check_properties(pool, asked);
          check_two_sides(asked, "a conjunction");
          break;
      }
      if (sum >= 0) {
        check_sum(pool, s);
        ++sums;
      }
    }
  }
  if (sums != pool.sums.size()) fail("lin_begin", sums, "a list without a split");
  sets.finish();
  edges.finish();
  terms.finish();
}

}  // namespace bough
