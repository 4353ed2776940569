// A whole covering without Python: three planted groups of rows, found again.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "bough/base/random.hpp"
#include "bough/base/watch.hpp"
#include "bough/cover/apply_rules.hpp"
#include "bough/cover/covering.hpp"
#include "bough/table/ranked.hpp"
#include "table/views.hpp"
#include "tree/refused.hpp"

namespace bough::testing {
namespace {

struct Planted {
  std::vector<double> number;
  std::vector<std::int32_t> level;
  RankedTable table;
  CoverData data;

  explicit Planted(std::size_t rows) {
    Random random(5);
    for (std::size_t i = 0; i < rows; ++i) {
      number.push_back(static_cast<double>(random.below(1000)));
      level.push_back(static_cast<std::int32_t>(random.below(4)) - (random.below(10) == 0 ? 10 : 0));
      const bool high = number[i] > 700.0;
      data.label.push_back(high && level[i] == 2 ? 2U : (level[i] == 1 ? 1U : 0U));
    }
    table.rows = rows;
    table.columns.push_back(rank_column(view(number), rows, 0, nullptr));
    table.columns.push_back(rank_column(view(level), rows, 4, nullptr));
    data.table = &table;
    data.classes = 3;
  }
};

}  // namespace

TEST_CASE("planted rules are found, in whole weights and in others, on one thread and on two") {
  Planted planted(3000);
  const std::vector<ColumnView> columns = {planted.table.columns[0].view, planted.table.columns[1].view};
  for (const double weight : {0.0, 2.0, 0.5}) {
    planted.data.weight.assign(weight == 0.0 ? 0 : 3000, weight);
    for (const bool jrip : {false, true}) {
      CoverOptions options;
      options.jrip = jrip;
      options.threads = jrip ? 1 : 2;
      Watch watch;
      const CoverResult found = cover(planted.data, {}, options, watch);
      CHECK(found.label == std::vector<std::int32_t>{2, 1});
      CHECK(found.rules.literals() == 3);
      validate(found.rules);
      const auto first = first_cover(found.rules, columns, 3000, Unseen::missing, 1, watch);
      int wrong = 0;
      for (std::size_t row = 0; row < 3000; ++row) {
        const std::int32_t answer = first[row] < 2 ? found.label[first[row]] : 0;
        wrong += answer == static_cast<std::int32_t>(planted.data.label[row]) ? 0 : 1;
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("what does not fit is refused by name") {
  Planted planted(50);
  Watch watch;
  const auto refused = [&](const auto& edit) {
    CoverData data = planted.data;
    CoverOptions options;
    InitialRules initial;
    edit(data, options, initial);
    return refused_at([&] { (void)cover(data, initial, options, watch); });
  };
  CHECK(refused([](CoverData&, CoverOptions&, InitialRules&) {}) == "accepted");
  CHECK(refused([](CoverData& d, CoverOptions&, InitialRules&) { d.label[3] = 3; }) == "label[3]");
  CHECK(refused([](CoverData& d, CoverOptions&, InitialRules&) { d.weight.assign(50, 0.0); }) == "weight");
  CHECK(refused([](CoverData&, CoverOptions& o, InitialRules&) { o.monotone = {0}; }) == "monotone");
  CHECK(refused([](CoverData&, CoverOptions& o, InitialRules&) { o.held_out = {1}; }) == "held_out");
  CHECK(refused([](CoverData&, CoverOptions&, InitialRules& i) { i.label = {0}; }) == "initial_class");
}

}  // namespace bough::testing
