// Tests on sums of terms: brute force over random trees, rows of values and rows of ranks.
#include "bough/feature/linear.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/explain/tree_shap.hpp"
#include "bough/feature/row.hpp"
#include "bough/predict/apply.hpp"
#include "bough/predict/route.hpp"
#include "bough/pruning/rows_down.hpp"
#include "bough/tree/builder.hpp"
#include "bough/tree/cut.hpp"
#include "bough/tree/validate.hpp"
#include "table/views.hpp"
#include "tree/examples.hpp"
#include "tree/refused.hpp"

namespace bough::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A small generator of our own: the same trees everywhere.
class Draws {
 public:
  std::uint64_t operator()() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 33U;
  }

 private:
  std::uint64_t state_ = 20261117;
};

// Two numbers, an ordered and a nominal column of four levels.
struct Rows {
  std::vector<double> first;
  std::vector<std::int64_t> second;
  std::vector<std::uint8_t> second_missing;
  std::vector<std::int32_t> ordered;
  std::vector<std::int32_t> nominal;

  [[nodiscard]] std::vector<ColumnView> columns() const {
    ColumnView masked = view(second);
    masked.missing = second_missing.data();
    return {view(first), masked, view(ordered, ColumnKind::ordered), view(nominal)};
  }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(first.size()); }
};

// Where a split that asks a sum is refused once it was edited, "accepted" if nowhere.
template <class Edit>
std::string refused_split(const std::vector<LinearTerm>& terms, bool whole, const Edit& edit) {
  TreeBuilder builder({}, {});
  builder.add_value_node(-1, 0, {}, 0.0);
  builder.add_threshold({}, at(0.5), 0);
  builder.ask_sum(terms, whole);
  builder.add_value_node(0, 0, {}, 0.0);
  builder.add_value_node(0, 1, {}, 0.0);
  Tree tree = builder.freeze();
  edit(tree.splits);
  return refused_at([&] {
    validate(tree);
    check_columns(tree, std::vector<std::int32_t>{0, 2}, std::vector<std::int64_t>{0, 3});
  });
}

constexpr std::int64_t origin = (std::int64_t{1} << 60) + 1;

Rows draw(Draws& random, std::size_t n) {
  Rows rows;
  const auto chance = [&](int of) { return random() % static_cast<unsigned>(of) == 0; };
  for (std::size_t i = 0; i < n; ++i) {
    rows.first.push_back(chance(4) ? nan : 0.25 * static_cast<double>(random() % 17) - 2.0);
    rows.second.push_back(origin + static_cast<std::int64_t>(random() % 9));
    rows.second_missing.push_back(chance(4) ? 1 : 0);
    rows.ordered.push_back(chance(4) ? -1 : static_cast<std::int32_t>(random() % 4));
    rows.nominal.push_back(chance(4) ? -1 : static_cast<std::int32_t>(random() % 4));
  }
  return rows;
}

// The sum in plain arithmetic; none: missing.
std::optional<double> by_hand(const Rows& rows, std::size_t i, const std::vector<LinearTerm>& terms, bool whole) {
  double sum = 0.0;
  std::size_t known = 0;
  const auto factor = [&](std::int32_t column, std::int32_t code, std::int64_t from) {
    std::optional<double> x;
    if (column == 0 && !std::isnan(rows.first[i])) x = rows.first[i];
    if (column == 1 && rows.second_missing[i] == 0) x = static_cast<double>(rows.second[i] - from);
    if (column == 2 && rows.ordered[i] >= 0) x = rows.ordered[i];
    if (column == 3 && rows.nominal[i] >= 0) x = rows.nominal[i] == code ? 1.0 : 0.0;
    return x;
  };
  for (const LinearTerm& term : terms) {
    std::optional<double> x = factor(term.column, term.code, term.origin);
    if (term.other >= 0) {
      const std::optional<double> y = factor(term.other, term.other_code, term.other_origin);
      if (x && y) *x = (*x - term.centre) * (*y - term.other_centre);
      if (!y) x.reset();
    }
    if (x) ++known;
    sum += term.weight * x.value_or(term.fill);
  }
  if (known == 0 || (whole && known < terms.size())) return std::nullopt;
  return sum;
}

std::vector<LinearTerm> draw_terms(Draws& random) {
  const std::vector<LinearTerm> all = {{0, -1, 1.0, 0.125, 1.0, 0},
                                       {0, -1, 1.0, 2.25, 1.0, 0, 0, -1, 0, 0.125, 0.125},
                                       {0, -1, 1.0, 0.5, 1.0, 0, 1, -1, origin, -0.25, 3.5},
                                       {0, -1, 1.0, 0.5, 1.0, 0, 3, 2, 0, 1.0, 0.0},
                                       {1, -1, 1.0, 3.5, 2.0, origin},
                                       {2, -1, 1.0, 1.5, 1.0, 0},
                                       {2, -1, 1.0, 2.0, 1.0, 0, 2, -1, 0, 0.0, 0.0},
                                       {3, 0, 1.0, 0.25, 0.5, 0},
                                       {3, 2, 1.0, 0.5, 0.5, 0}};
  std::vector<LinearTerm> terms;
  while (terms.size() < 2) {
    terms.clear();
    for (LinearTerm term : all) {
      term.weight = (static_cast<double>(random() % 13) - 6.0) / 7.0;
      if (term.weight != 0.0 && random() % 3 > 0) terms.push_back(term);
    }
  }
  return terms;
}

}  // namespace

TEST_CASE("trees of sums send rows of values and rows of ranks as plain arithmetic does") {
  Draws random;
  for (int round = 0; round < 200; ++round) {
    const Rows rows = draw(random, 60);
    const std::vector<ColumnView> columns = rows.columns();
    const std::vector<LinearTerm> terms = draw_terms(random);
    const bool whole = random() % 2 == 0;
    const double t = static_cast<double>(random() % 9) / 3.0 - 1.0;
    const Side side = random() % 2 == 0 ? Side::le : Side::lt;
    const auto low = static_cast<std::uint8_t>(random() % 2);
    const auto missing = static_cast<std::int32_t>(random() % 3) - 1;
    TreeBuilder builder({}, {false, Otherwise::stop, Otherwise::missing, Otherwise::missing});
    SplitFacts facts;
    facts.missing = missing;
    builder.add_value_node(-1, 0, {}, 0.0);
    const bool intervals = random() % 2 == 0;
    if (intervals) {
      const std::vector<Threshold> edges = {at(t, side), at(t + 1.0, side)};
      builder.add_intervals(facts, edges, std::vector<std::int32_t>{low, 1 - low, low});
    } else {
      builder.add_threshold(facts, at(t, side), low);
    }
    builder.ask_sum(terms, whole);
    builder.add_value_node(0, 0, {}, 1.0);
    builder.add_value_node(0, 1, {}, 2.0);
    const Tree tree = builder.freeze();
    check_columns(tree, std::vector<std::int32_t>{0, 0, 1, 2}, std::vector<std::int64_t>{0, 0, 4, 4});

    RankedTable table;
    table.rows = static_cast<std::size_t>(rows.size());
    for (const ColumnView& column : columns) table.columns.push_back(rank_column(column, table.rows, 4, nullptr));
    const RankTests tests(tree, table);
    Watch watch;
    const std::vector<std::int32_t> ends = apply(tree, columns, rows.size(), 2, watch);
    const Router router(tree, columns);
    for (std::size_t i = 0; i < table.rows; ++i) {
      const std::optional<double> sum = by_hand(rows, i, terms, whole);
      const auto below = [&](double edge) { return side == Side::le ? *sum <= edge : *sum < edge; };
      std::int32_t branch = missing;
      if (sum && intervals) branch = below(t) || !below(t + 1.0) ? low : 1 - low;
      if (sum && !intervals) branch = below(t) ? low : 1 - low;
      CAPTURE(round);
      CAPTURE(i);
      CHECK(ends[i] == branch + 1);
      CHECK(tests.branch(0, static_cast<std::uint32_t>(i)) == branch);
      CHECK(router.step(0, static_cast<std::int64_t>(i)) == (branch < 0 ? Router::stops : branch + 1));
    }
    CHECK_THROWS_AS(shapley_values(tree, columns, rows.size(), {}, 1, watch), InvalidInput);
    const CutTree same = cut(tree, std::vector<std::int32_t>{});
    validate(same.tree);
    CHECK(same.tree.splits.sums.weight == tree.splits.sums.weight);
    CHECK(same.tree.splits.sums.whole == tree.splits.sums.whole);
    CHECK(same.tree.splits.sums.other == tree.splits.sums.other);
    CHECK(same.tree.splits.sums.other_centre == tree.splits.sums.other_centre);
    CHECK(same.tree.splits.derived == tree.splits.derived);
  }
}

TEST_CASE("a sum of infinite values of both signs is missing, a level never seen is unseen") {
  TermLists lists;
  add_terms(lists, {{0, -1, 1.0, 0.0, 1.0, 0}, {1, 1, 2.0, 0.5, 1.0, 0}, {2, -1, 1.0, 0.0, 1.0, 0}}, false);
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> a = {infinity, 1.0, 1.0};
  const std::vector<std::int32_t> b = {1, -2, -1};
  const std::vector<double> c = {-infinity, 1.0, nan};
  const std::vector<ColumnView> columns = {view(a), view(b), view(c)};
  CHECK(sum_of(lists, 0, 0.0, ValueRow(columns, 0, false)).state == State::missing);
  CHECK(sum_of(lists, 0, 0.0, ValueRow(columns, 1, false)).state == State::unseen);
  CHECK(sum_of(lists, 0, 0.0, ValueRow(columns, 1, true)).value == 3.0);
  CHECK(sum_of(lists, 0, 0.0, ValueRow(columns, 2, false)).value == 2.0);
}

TEST_CASE("what a product promises is checked") {
  const std::vector<LinearTerm> good = {{0, -1, 1.0, 0.0, 1.0, 0},
                                        {0, -1, 0.5, 1.0, 1.0, 0, 0, -1, 0, 2.0, 2.0},
                                        {0, -1, -2.0, 0.5, 1.0, 0, 1, 0, 0, 2.0, 0.0}};
  const auto place_of = [&](auto&& edit) {
    return refused_split(good, false, [&](SplitPool& pool) { edit(pool.sums); });
  };
  CHECK(place_of([](TermLists&) {}) == "accepted");
  CHECK(place_of([](TermLists& l) { l.other[2] = 2; }) == "lin_other[2]");
  CHECK(place_of([](TermLists& l) { l.other[1] = -2; }) == "lin_other[1]");
  CHECK(place_of([](TermLists& l) { l.other[2] = 0; }) == "lin_other[2]");
  CHECK(place_of([](TermLists& l) { l.other = {-1, -1, -1}; }) == "lin_other");
  CHECK(place_of([](TermLists& l) { l.other.pop_back(); }) == "lin_other");
  CHECK(place_of([](TermLists& l) { l.other.clear(); }) == "lin_other_code");
  CHECK(place_of([](TermLists& l) { l.other_code[2] = 3; }) == "lin_other_code[2]");
  CHECK(place_of([](TermLists& l) { l.other_code[2] = -1; }) == "lin_other_code[2]");
  CHECK(place_of([](TermLists& l) { l.other_code[0] = 1; }) == "lin_other_code[0]");
  CHECK(place_of([](TermLists& l) { l.other_origin[0] = 1; }) == "lin_other_origin[0]");
  CHECK(place_of([](TermLists& l) { l.other_origin[1] = 1; }) == "lin_other_origin[1]");
  CHECK(place_of([](TermLists& l) { l.other_origin[2] = 1; }) == "lin_other_origin[2]");
  CHECK(place_of([](TermLists& l) { l.centre[0] = 1.0; }) == "lin_centre[0]");
  CHECK(place_of([](TermLists& l) { l.centre[1] = nan; }) == "lin_centre[1]");
  CHECK(place_of([](TermLists& l) { l.other_centre[2] = 1.0; }) == "lin_other_centre[2]");
  CHECK(place_of([](TermLists& l) { l.other_centre.pop_back(); }) == "lin_other_centre");
}

TEST_CASE("what a sum promises is checked") {
  const std::vector<LinearTerm> good = {{0, -1, 1.0, 0.0, 1.0, 0}, {1, 0, -2.0, 0.5, 1.0, 0}};
  const auto place_of = [&](auto&& edit) { return refused_split(good, true, edit); };
  CHECK(place_of([](SplitPool&) {}) == "accepted");
  CHECK(place_of([](SplitPool& p) { p.sums.weight[0] = 0.0; }) == "lin_weight[0]");
  CHECK(place_of([](SplitPool& p) { p.sums.weight[0] = nan; }) == "lin_weight[0]");
  CHECK(place_of([](SplitPool& p) { p.sums.fill[1] = nan; }) == "lin_fill[1]");
  CHECK(place_of([](SplitPool& p) { p.sums.scale[1] = 0.0; }) == "lin_scale[1]");
  CHECK(place_of([](SplitPool& p) { p.sums.column[1] = 0; }) != "accepted");
  CHECK(place_of([](SplitPool& p) { p.sums.code[1] = 3; }) == "lin_code[1]");
  CHECK(place_of([](SplitPool& p) { p.sums.code[1] = -1; }) == "lin_code[1]");
  CHECK(place_of([](SplitPool& p) { p.sums.code[0] = 1; }) == "lin_code[0]");
  CHECK(place_of([](SplitPool& p) { p.sums.origin[1] = 1; }) == "lin_origin[1]");
  CHECK(place_of([](SplitPool& p) { p.sums.origin.pop_back(); }) == "lin_origin");
  CHECK(place_of([](SplitPool& p) { p.sums.begin = {0, 1, 2}; }) == "lin_whole");
  CHECK(place_of([](SplitPool& p) { p.sums.whole = {2}; }) == "lin_whole[0]");
  CHECK(place_of([](SplitPool& p) { p.column[0] = 0; }) == "split_column[0]");
  CHECK(place_of([](SplitPool& p) { p.derived[0] = 1; }) == "split_feature[0]");
  CHECK(place_of([](SplitPool& p) { p.derived.clear(); }) == "lin_begin[0]");
  CHECK(place_of([](SplitPool& p) { p.value_type[0] = ValueType::i64; }) == "split_value_type[0]");
}

}  // namespace bough::testing
