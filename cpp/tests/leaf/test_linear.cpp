// Models of leaves: what they answer, what is filled, and what is checked.
#include "bough/leaf/linear.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/predict/answers.hpp"
#include "bough/tree/builder.hpp"
#include "bough/tree/cut.hpp"
#include "bough/tree/validate.hpp"
#include "table/views.hpp"
#include "tree/examples.hpp"
#include "tree/refused.hpp"

namespace bough::testing {
namespace {

// x0 <= 1: 10 + 2 x0 + 3 [x1 = 1]; else the constant 5. The root has a model too.
TreeBuilder with_models(const Routing& routing) {
  TreeBuilder builder({}, routing);
  NodeFacts facts;
  facts.weight = 4.0;
  builder.add_value_node(-1, 0, facts, 1.0);
  builder.set_model(0.5, {{0, -1, 1.0, 7.0, 1.0, 0}});
  builder.add_threshold(on_column(0), at(1.0), 0);
  facts.weight = 1.0;
  builder.add_value_node(0, 0, facts, 2.0);
  builder.set_model(10.0, {{0, -1, 2.0, -1.0, 1.0, 0}, {1, 1, 3.0, 0.25, 0.0, 0}});
  facts.weight = 3.0;
  builder.add_value_node(0, 1, facts, 5.0);
  return builder;
}

struct Table {
  std::vector<double> number = {0.5, 2.0, std::numeric_limits<double>::quiet_NaN(), 1.0, 1.0};
  std::vector<std::int32_t> code = {1, 1, 0, -1, -2};
  [[nodiscard]] std::vector<ColumnView> columns() const { return {view(number), view(code)}; }
};

}  // namespace

TEST_CASE("a node with a model answers by it, missing values filled, and parts are weighted") {
  const Tree tree = with_models({false, Otherwise::spread, Otherwise::missing, Otherwise::error}).freeze();
  const Table table;
  const std::vector<ColumnView> columns = table.columns();
  Watch watch;
  std::vector<double> told(5);
  spread_values(tree, columns, 5, 1, watch, told);
  CHECK(told[0] == 14.0);
  CHECK(told[1] == 5.0);
  CHECK(told[2] == doctest::Approx(0.25 * (10.0 - 2.0 + 0.0) + 0.75 * 5.0));
  CHECK(told[3] == 10.0 + 2.0 + 3.0 * 0.25);
  CHECK(told[4] == told[3]);
  answer_values(tree, columns, std::vector<std::int32_t>{0, 1, 0, 2, 1}, 2, watch, told);
  CHECK(told[0] == 1.0);
  CHECK(told[1] == 10.0 + 4.0 + 3.0);
  CHECK(told[2] == 7.5);
  CHECK(told[3] == 5.0);
  CHECK_THROWS_AS(answer_values(tree, columns, std::vector<std::int32_t>{0, 1, 3, 2, 1}, 1, watch, told), InvalidInput);
}

TEST_CASE("cutting keeps the models of the nodes that stay") {
  const Tree tree = with_models({}).freeze();
  const CutTree stump = cut(tree, std::vector<std::int32_t>{0});
  validate(stump.tree);
  CHECK(stump.tree.models.bias == std::vector<double>{0.5});
  const CutTree all = cut(tree, std::vector<std::int32_t>{});
  validate(all.tree);
  CHECK(all.tree.models.index == std::vector<std::int32_t>{0, 1, -1});
  CHECK(all.tree.models.terms.weight == tree.models.terms.weight);
}

TEST_CASE("what a model promises is checked") {
  const auto place_of = [&](auto&& edit) -> std::string {
    Tree tree = with_models({}).freeze();
    edit(tree.models);
    return refused_at([&] {
      validate(tree);
      check_columns(tree, std::vector<std::int32_t>{0, 2}, std::vector<std::int64_t>{0, 2});
    });
  };
  CHECK(place_of([](LeafModels&) {}) == "accepted");
  CHECK(place_of([](LeafModels& m) { m.index[2] = 0; }) == "model_index[2]");
  CHECK(place_of([](LeafModels& m) { m.index[1] = -1; }) == "model_bias[1]");
  CHECK(place_of([](LeafModels& m) { m.index.pop_back(); }) == "model_index");
  CHECK(place_of([](LeafModels& m) { m.bias[0] = std::nan(""); }) == "model_bias[0]");
  CHECK(place_of([](LeafModels& m) { m.bias.pop_back(); }) == "model_bias");
  CHECK(place_of([](LeafModels& m) { m.terms.code[2] = 2; }) == "model_code[2]");
  CHECK(place_of([](LeafModels& m) { m.terms.column[2] = 5; }) == "model_column[2]");
  CHECK(place_of([](LeafModels& m) { m.terms.weight[0] = std::nan(""); }) == "model_weight[0]");
  CHECK(place_of([](LeafModels& m) { m.terms.whole = {0, 1}; }) == "model_whole");
  TreeBuilder classes({1.0, 1.0}, {});
  classes.add_class_node(-1, 0, {}, 0, std::vector<std::int32_t>{0}, std::vector<double>{1.0});
  CHECK_THROWS_AS(classes.set_model(0.0, {}), InvalidInput);
}

}  // namespace bough::testing
