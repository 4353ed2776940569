#include "bough/split/split.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace bough {
namespace {

template <class T>
void append(const std::vector<T>& from, std::int64_t begin, std::int64_t end, std::vector<T>& to) {
  to.insert(to.end(), from.begin() + begin, from.begin() + end);
}

void copy_levels(const SplitPool& from, std::uint64_t set, SplitPool& to) {
  const std::int64_t begin = from.set_begin[set];
  const std::int64_t end = from.set_begin[set + 1];
  to.payload.push_back(to.set_begin.size() - 1);
  append(from.set_code, begin, end, to.set_code);
  append(from.set_branch, begin, end, to.set_branch);
  to.set_begin.push_back(static_cast<std::int64_t>(to.set_code.size()));
}

void copy_edges(const SplitPool& from, std::uint64_t list, SplitPool& to) {
  const std::int64_t begin = from.edge_begin[list];
  const std::int64_t end = from.edge_begin[list + 1];
  const auto first = static_cast<std::int64_t>(list);
  to.payload.push_back(to.edge_begin.size() - 1);
  append(from.edge_type, begin, end, to.edge_type);
  append(from.edge_bits, begin, end, to.edge_bits);
  append(from.interval_branch, begin + first, end + first + 1, to.interval_branch);
  to.edge_begin.push_back(static_cast<std::int64_t>(to.edge_bits.size()));
}

void copy_properties(const SplitPool& from, std::uint64_t list, SplitPool& to) {
  const std::int64_t begin = from.terms.begin[list];
  const std::int64_t end = from.terms.begin[list + 1];
  to.payload.push_back(to.terms.begin.size() - 1);
  for (std::int64_t t = begin; t < end; ++t) to.terms.add(from.terms.at(t));
  to.terms.close();
}

// A number as its largest whole number below and whether it lies above that; beyond the integers: at their ends.
struct Whole {
  bool negative = false;
  std::uint64_t bits = 0;  // of an int64 if negative, else of a uint64
  bool more = false;

  // In the order of the numbers: all negative ones come first.
  [[nodiscard]] auto key() const { return std::tuple(!negative, bits, more); }
};

Whole whole_of(const Threshold& t) {
  if (t.type == ValueType::u64) return {false, t.bits, false};
  if (t.type == ValueType::i64) return {t.as_i64() < 0, t.bits, false};
  constexpr double two63 = 9223372036854775808.0;
  const double x = t.as_f64();
  if (x >= 2.0 * two63) return {false, std::numeric_limits<std::uint64_t>::max(), true};
  const double floor = std::floor(x);
  if (floor >= 0.0) return {false, static_cast<std::uint64_t>(floor), floor < x};
  if (floor >= -two63) return {true, static_cast<std::uint64_t>(static_cast<std::int64_t>(floor)), floor < x};
  return {true, 0, false};  // below all integers: their bits begin at 2^63
}

}  // namespace

bool is_below(const Threshold& a, const Threshold& b) {
  if (a.type == ValueType::f64 && b.type == ValueType::f64) return a.as_f64() < b.as_f64();
  return whole_of(a).key() < whole_of(b).key();
}

void copy_split(const SplitPool& from, std::int64_t s, SplitPool& to) {
  to.role.push_back(from.role[s]);
  to.kind.push_back(from.kind[s]);
  to.found.push_back(from.found[s]);
  to.value_type.push_back(from.value_type[s]);
  to.side.push_back(from.side[s]);
  to.low.push_back(from.low[s]);
  to.column.push_back(from.column[s]);
  to.score.push_back(from.score[s]);
  if (!from.adjusted.empty()) to.adjusted.push_back(from.adjusted[s]);
  set_missing_of_last(to, from.missing_branch(s));
  if (const std::int32_t sum = from.derived_of(s); sum >= 0) {
    copy_terms(from.sums, sum, to.sums);
    set_sum_of_last(to);
  }
  switch (from.kind[s]) {
    case SplitKind::threshold:
      to.payload.push_back(from.payload[s]);
      return;
    case SplitKind::levels:
      return copy_levels(from, from.payload[s], to);
    case SplitKind::intervals:
      return copy_edges(from, from.payload[s], to);
    case SplitKind::holds:
      return copy_properties(from, from.payload[s], to);
  }
}

std::vector<std::int32_t> columns_of(const SplitPool& pool, std::int64_t s) {
  const auto of_list = [](const auto& lists, std::int64_t k) {
    return std::vector<std::int32_t>(lists.column.begin() + lists.begin[k], lists.column.begin() + lists.begin[k + 1]);
  };
  std::vector<std::int32_t> columns = {pool.column[s]};
  if (pool.feature(s) == Feature::all_of) columns = of_list(pool.terms, static_cast<std::int64_t>(pool.payload[s]));
  if (!pool.has_cells(s)) {
    const std::int32_t list = pool.derived[s];
    columns = of_list(pool.sums, list);
    for (std::int64_t t = pool.sums.begin[list]; t < pool.sums.begin[list + 1]; ++t) {
      if (pool.sums.is_product(static_cast<std::size_t>(t))) columns.push_back(pool.sums.other[t]);
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::int64_t largest_term(const TermLists& lists, std::int64_t list) {
  const auto size = [&](std::int64_t t) { return std::abs(lists.weight[t]) * lists.scale[t]; };
  std::int64_t largest = lists.begin[list];
  for (std::int64_t t = largest + 1; t < lists.begin[list + 1]; ++t) {
    if (size(t) > size(largest)) largest = t;
  }
  return largest;
}

void set_sum_of_last(SplitPool& pool) {
  const std::int64_t list = pool.sums.size() - 1;
  pool.derived.resize(pool.column.size(), -1);
  pool.derived.back() = static_cast<std::int32_t>(list);
  pool.column.back() = pool.sums.column[largest_term(pool.sums, list)];
}

void set_missing_of_last(SplitPool& pool, std::int32_t branch) {
  if (branch < 0) return;
  pool.missing.resize(pool.column.size(), -1);
  pool.missing.back() = branch;
}

void tidy(SplitPool& pool) {
  if (std::find(pool.role.begin(), pool.role.end(), SplitRole::surrogate) == pool.role.end()) pool.adjusted.clear();
  if (!pool.adjusted.empty()) pool.adjusted.resize(pool.column.size(), 0.0);
  if (!pool.missing.empty()) pool.missing.resize(pool.column.size(), -1);
  if (!pool.derived.empty()) pool.derived.resize(pool.column.size(), -1);
  tidy(pool.sums);
  if (std::all_of(pool.missing.begin(), pool.missing.end(), [](std::int32_t b) { return b < 0; })) pool.missing.clear();
}

}  // namespace bough
