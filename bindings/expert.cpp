// See expert.hpp.
#include "bindings/expert.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/tree/tree.hpp"

namespace bough::python {

namespace nb = nanobind;

namespace {

template <class T>
std::vector<T> read_list(const nb::dict& given, const char* name) {
  if (!given.contains(name) || given[name].is_none()) return {};
  return nb::cast<std::vector<T>>(given[name]);
}

// Branches must be 0, 1, ... without a gap, and two at least.
void check_branches(const ForcedSplit& split, const std::string& place) {
  std::vector<std::int32_t> branches = split.branch;
  if (split.missing >= 0) branches.push_back(split.missing);
  std::int32_t most = -1;
  for (const std::int32_t branch : branches) {
    if (branch < 0) throw InvalidInput(place, "a branch is negative");
    most = std::max(most, branch);
  }
  if (most < 1) throw InvalidInput(place, "a split has two branches or more");
  std::vector<bool> seen(branches.size() + 1, false);
  for (const std::int32_t branch : branches) {
    if (static_cast<std::size_t>(branch) < seen.size()) seen[static_cast<std::size_t>(branch)] = true;
  }
  for (std::int32_t b = 0; b <= most; ++b) {
    if (static_cast<std::size_t>(b) >= seen.size() || !seen[static_cast<std::size_t>(b)])
      throw InvalidInput(place, "branch " + std::to_string(b) + " is empty");
  }
}

void check_column(std::int32_t column, const RankedTable& table, const std::string& place) {
  if (column < 0 || static_cast<std::size_t>(column) >= table.columns.size())
    throw InvalidInput(place, "no column " + std::to_string(column));
}

// Two branches, and properties that their columns can have, none of them twice.
void check_terms(ForcedSplit& split, const RankedTable& table, const std::string& place) {
  if (split.branch.empty()) split.branch = {0, 1};
  for (std::size_t i = 0; i < split.terms.size(); ++i) {
    const Property& asked = split.terms[i];
    check_column(asked.column, table, place);
    const RankedColumn& column = table.columns[static_cast<std::size_t>(asked.column)];
    if ((column.view.kind == ColumnKind::nominal) != asked.asks_level())
      throw InvalidInput(place, "a property is a level of a nominal column, or a threshold of another");
    if (!asked.asks_level()) continue;
    if (static_cast<std::uint32_t>(asked.code) >= column.ranks)
      throw InvalidInput(place, "no level " + std::to_string(asked.code));
    for (std::size_t k = 0; k < i; ++k) {
      if (split.terms[k].column == asked.column && split.terms[k].code == asked.code)
        throw InvalidInput(place, "a property is asked twice");
    }
  }
  check_branches(split, place);
}

void check_split(ForcedSplit& split, const RankedTable& table, const std::string& place) {
  check_column(split.column, table, place);
  if (!split.terms.empty()) {
    check_terms(split, table, place);
    return;
  }
  if (split.any_test()) return;
  const RankedColumn& column = table.columns[static_cast<std::size_t>(split.column)];
  if (column.view.kind == ColumnKind::nominal) {
    if (split.code.empty()) throw InvalidInput(place, "a nominal column is split by its levels");
    for (std::size_t i = 0; i < split.code.size(); ++i) {
      if (split.code[i] < 0 || static_cast<std::uint32_t>(split.code[i]) >= column.ranks)
        throw InvalidInput(place, "no level " + std::to_string(split.code[i]));
      if (i > 0 && split.code[i] <= split.code[i - 1]) throw InvalidInput(place, "levels are not in rising order");
    }
    if (split.branch.size() != split.code.size()) throw InvalidInput(place, "one branch for each level is needed");
  } else {
    if (!split.code.empty()) throw InvalidInput(place, "a column with an order is split at thresholds");
    if (split.branch.empty()) {
      for (std::size_t i = 0; i <= split.edges.size(); ++i) split.branch.push_back(static_cast<std::int32_t>(i));
    }
    if (split.branch.size() != split.edges.size() + 1)
      throw InvalidInput(place, "one branch for each interval is needed");
  }
  check_branches(split, place);
}

// A whole number stays one: a double would round it where it is large.
Threshold read_threshold(const nb::handle given, bool ordered, Side side, const std::string& place) {
  if (nb::isinstance<nb::int_>(given)) {
    std::int64_t whole = 0;
    if (nb::try_cast(given, whole)) return {std::bit_cast<std::uint64_t>(whole), ValueType::i64, side};
    std::uint64_t natural = 0;
    if (!ordered && nb::try_cast(given, natural)) return {natural, ValueType::u64, side};
    throw InvalidInput(place, "a threshold has more than 64 bits");
  }
  const auto edge = nb::cast<double>(given);
  if (std::isnan(edge)) throw InvalidInput(place, "a threshold is not a number");
  if (ordered) return {std::bit_cast<std::uint64_t>(static_cast<std::int64_t>(edge)), ValueType::i64, side};
  return {std::bit_cast<std::uint64_t>(edge), ValueType::f64, side};
}

ForcedSplit read_forced(const nb::dict& given, const RankedTable& table, const std::string& place) {
  ForcedSplit split;
  split.path = read_list<std::int32_t>(given, "path");
  split.column = nb::cast<std::int32_t>(given["column"]);
  check_column(split.column, table, place);
  const bool ordered = table.columns[static_cast<std::size_t>(split.column)].view.kind == ColumnKind::ordered;
  const Side side = given.contains("lt") && nb::cast<bool>(given["lt"]) ? Side::lt : Side::le;
  if (given.contains("edges") && !given["edges"].is_none()) {
    for (const nb::handle edge : nb::cast<nb::list>(given["edges"]))
      split.edges.push_back(read_threshold(edge, ordered, side, place));
  }
  if (given.contains("terms") && !given["terms"].is_none()) {
    for (const nb::handle one : nb::cast<nb::list>(given["terms"])) {
      const auto [column, code, negated, edge, lt] =
          nb::cast<std::tuple<std::int32_t, std::int32_t, bool, nb::object, bool>>(one);
      check_column(column, table, place);
      Property& asked = split.terms.emplace_back(Property{column, code, negated});
      if (asked.asks_level()) continue;
      const bool in_levels = table.columns[static_cast<std::size_t>(column)].view.kind == ColumnKind::ordered;
      asked.threshold = read_threshold(edge, in_levels, lt ? Side::lt : Side::le, place);
    }
  }
  // Levels by branch become branches by level.
  std::map<std::int32_t, std::int32_t> branch_of;
  std::int32_t branch = 0;
  for (const std::vector<std::int32_t>& codes : read_list<std::vector<std::int32_t>>(given, "branches")) {
    for (const std::int32_t code : codes) {
      if (!branch_of.emplace(code, branch).second) throw InvalidInput(place, "a level is in two branches");
    }
    ++branch;
  }
  for (const auto& [code, taken] : branch_of) {
    split.code.push_back(code);
    split.branch.push_back(taken);
  }
  if (given.contains("missing")) split.missing = nb::cast<std::int32_t>(given["missing"]);
  check_split(split, table, place);
  return split;
}

// The inner nodes of a tree as splits that are given.
void add_tree(const Tree& tree, const RankedTable& table, std::vector<ForcedSplit>& forced) {
  const SplitPool& pool = tree.splits;
  std::vector<std::vector<std::int32_t>> path(static_cast<std::size_t>(tree.size()));
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    const auto at = static_cast<std::size_t>(node);
    if (node > 0) {
      path[at] = path[static_cast<std::size_t>(tree.parent[at])];
      path[at].push_back(tree.branch[at]);
    }
    if (tree.is_leaf(node)) continue;
    const std::string place = "initial.node[" + std::to_string(node) + "]";
    const auto s = static_cast<std::size_t>(tree.split_begin[at]);
    ForcedSplit split;
    split.path = path[at];
    split.column = pool.column[s];
    split.missing = pool.missing.empty() ? -1 : pool.missing[s];
    const auto set = static_cast<std::size_t>(pool.payload[s]);
    if (!pool.has_cells(static_cast<std::int64_t>(s))) {
      throw InvalidInput(place, "a test of several columns at once cannot be grown on");
    }
    switch (pool.kind[s]) {
      case SplitKind::threshold: {
        split.edges = {{pool.payload[s], pool.value_type[s], pool.side[s]}};
        const std::int32_t low = pool.low[s];
        split.branch = {low, 1 - low};
        break;
      }
      case SplitKind::levels:
        for (std::int64_t i = pool.set_begin[set]; i < pool.set_begin[set + 1]; ++i) {
          split.code.push_back(pool.set_code[static_cast<std::size_t>(i)]);
          split.branch.push_back(pool.set_branch[static_cast<std::size_t>(i)]);
        }
        break;
      case SplitKind::intervals: {
        for (std::int64_t i = pool.edge_begin[set]; i < pool.edge_begin[set + 1]; ++i) {
          const auto e = static_cast<std::size_t>(i);
          split.edges.push_back({pool.edge_bits[e], pool.edge_type[e], pool.side[s]});
        }
        const auto first = static_cast<std::size_t>(pool.edge_begin[set]) + set;
        for (std::size_t i = 0; i <= split.edges.size(); ++i) split.branch.push_back(pool.interval_branch[first + i]);
        break;
      }
      case SplitKind::holds:
        for (std::int64_t i = pool.terms.begin[set]; i < pool.terms.begin[set + 1]; ++i)
          split.terms.push_back(pool.terms.at(i));
        split.branch = {pool.low[s], 1 - pool.low[s]};
        break;
    }
    check_split(split, table, place);
    forced.push_back(std::move(split));
  }
}

}  // namespace

bool gives_expert(const nb::dict& options) {
  const auto some = [&](const char* name) { return options.contains(name) && nb::len(nb::handle(options[name])) > 0; };
  return (options.contains("initial") && !options["initial"].is_none()) || some("forced") || some("columns_below");
}

ExpertOptions read_expert(const nb::dict& options, const RankedTable& table) {
  ExpertOptions expert;
  if (options.contains("initial") && !options["initial"].is_none())
    add_tree(nb::cast<const Tree&>(options["initial"]), table, expert.forced);
  if (options.contains("forced")) {
    std::size_t number = expert.forced.size();
    for (const nb::handle one : nb::cast<nb::list>(options["forced"]))
      expert.forced.push_back(read_forced(nb::cast<nb::dict>(one), table, "forced[" + std::to_string(number++) + "]"));
  }
  if (options.contains("columns_below")) {
    std::size_t number = 0;
    for (const nb::handle one : nb::cast<nb::list>(options["columns_below"])) {
      const auto given = nb::cast<nb::dict>(one);
      ColumnsBelow below{read_list<std::int32_t>(given, "path"), read_list<std::int32_t>(given, "columns")};
      for (const std::int32_t column : below.columns)
        check_column(column, table, "columns_below[" + std::to_string(number) + "]");
      ++number;
      expert.columns.push_back(std::move(below));
    }
  }
  return expert;
}

}  // namespace bough::python
