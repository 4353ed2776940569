// See covering.hpp: whether a table, its classes, the options and the initial rules fit each other.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/cover/covering.hpp"
#include "bough/tree/checks.hpp"

namespace bough {
namespace {

void check_rows(const CoverData& data) {
  const std::size_t rows = data.table->rows;
  if (rows == 0) throw InvalidInput("table", "has no rows");
  if (data.classes == 0) throw InvalidInput("classes", "expected at least 1");
  expect_size("label", data.label.size(), rows);
  for (std::size_t i = 0; i < rows; ++i) {
    if (data.label[i] >= data.classes) fail("label", i, "expected a class below " + std::to_string(data.classes));
  }
  if (!data.weight.empty()) expect_size("weight", data.weight.size(), rows);
  check_amounts("weight", data.weight);
  const bool weighs = data.weight.empty() || std::ranges::any_of(data.weight, [](double w) { return w > 0.0; });
  if (!weighs) throw InvalidInput("weight", "no row has any");
}

void check_options(const CoverData& data, const CoverOptions& options) {
  const std::size_t columns = data.table->columns.size();
  if (!options.forbidden.empty()) expect_size("forbidden", options.forbidden.size(), columns);
  if (!options.required.empty()) expect_size("required", options.required.size(), columns);
  if (!options.monotone.empty()) expect_size("monotone", options.monotone.size(), columns);
  if (!options.held_out.empty()) expect_size("held_out", options.held_out.size(), data.table->rows);
  if (options.folds < 2) throw InvalidInput("folds", "expected at least 2");
  for (std::size_t c = 0; c < options.monotone.size(); ++c) {
    if (options.monotone[c] < -1 || options.monotone[c] > 1) fail("monotone", c, "expected -1, 0 or 1");
    if (options.monotone[c] == 0) continue;
    if (data.classes != 2) fail("monotone", c, "is for two classes, found " + std::to_string(data.classes));
    if (data.table->columns[c].view.kind == ColumnKind::nominal) fail("monotone", c, "a nominal column has no order");
  }
  const auto check_limit = [](const char* name, double limit) {
    if (std::isnan(limit) || limit < 0.0) throw InvalidInput(name, "expected a number of at least 0");
  };
  check_limit("min_positive", options.min_positive);
  check_limit("min_weight", options.min_weight);
  check_limit("min_precision", options.min_precision);
  check_limit("slack", options.slack);
  check_limit("max_error", options.max_error);
  check_limit("max_pruning_error", options.max_pruning_error);
}

}  // namespace

void check_cover(const CoverData& data, const InitialRules& initial, const CoverOptions& options) {
  check_rows(data);
  check_options(data, options);
  const auto rules = static_cast<std::size_t>(initial.rules.size());
  expect_size("initial_class", initial.label.size(), rules);
  expect_size("initial_locked", initial.locked.size(), rules);
  for (std::size_t r = 0; r < rules; ++r) {
    if (initial.label[r] >= data.classes) {
      fail("initial_class", r, "expected a class below " + std::to_string(data.classes));
    }
    const std::int64_t literals = initial.rules.rule_begin[r + 1] - initial.rules.rule_begin[r];
    if (initial.locked[r] == 0 && literals > std::int64_t{options.max_literals}) {
      fail("initial", r, "has " + std::to_string(literals) + " literals, more than max_literals: lock or shorten it");
    }
  }
  std::vector<std::int32_t> kinds;
  std::vector<std::int64_t> levels;
  for (const RankedColumn& column : data.table->columns) {
    kinds.push_back(static_cast<std::int32_t>(column.view.kind));
    levels.push_back(column.view.kind == ColumnKind::numeric ? 0 : column.ranks);
  }
  check_columns(initial.rules, kinds, levels);
}

}  // namespace bough
