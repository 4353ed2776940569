// Searches that are written elsewhere: what they are told, and trees of their sums and networks.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "bough/base/random.hpp"
#include "bough/base/watch.hpp"
#include "bough/engine/grow.hpp"
#include "bough/predict/apply.hpp"
#include "bough/search/written.hpp"
#include "bough/tree/validate.hpp"
#include "table/views.hpp"

namespace bough::testing {
namespace {

// Answers a sum of what the terms go with the target, or a network with a unit along each of the first terms.
class Correlations final : public Finder {
 public:
  explicit Correlations(std::int32_t units) : units_(units) {}

  [[nodiscard]] Answer find(Question asked) const override {
    keys.insert(asked.key);
    std::set<double> targets;
    double mean = 0.0;
    double all = 0.0;
    for (std::size_t i = 0; i < asked.rows; ++i) {
      targets.insert(asked.target[i]);
      mean += asked.weight[i] * asked.target[i];
      all += asked.weight[i];
    }
    mean /= all;
    most_targets = std::max(most_targets, targets.size());
    rows.push_back(asked.rows);
    std::vector<double> with(asked.terms, 0.0);
    for (std::size_t i = 0; i < asked.rows; ++i) {
      for (std::size_t t = 0; t < asked.terms; ++t) {
        with[t] += asked.weight[i] * (asked.target[i] - mean) * asked.term[i * asked.terms + t] / all;
      }
    }
    if (units_ == 0) return {0, with};
    const auto h = static_cast<std::size_t>(units_);
    std::vector<double> numbers(Layer::size(static_cast<std::int64_t>(asked.terms), units_), 0.0);
    for (std::size_t t = 0; t < asked.terms; ++t) {
      for (std::size_t u = 0; u < h; ++u) numbers[t * h + u] = with[t] * (u == t % h ? 3.0 : 0.5);
    }
    for (std::size_t u = 0; u < h; ++u) numbers[(asked.terms + 1) * h + u] = 1.0 + static_cast<double>(u);
    return {units_, numbers};
  }

  mutable std::set<std::uint64_t> keys;
  mutable std::size_t most_targets = 0;
  mutable std::vector<std::size_t> rows;

 private:
  std::int32_t units_;
};

struct Data {
  std::vector<double> x, z;
  std::vector<std::int32_t> code;
  RankedTable table;
  Target target;
  std::vector<ColumnView> views;

  explicit Data(std::size_t rows, std::uint32_t classes) {
    Random random(11);
    for (std::size_t i = 0; i < rows; ++i) {
      x.push_back(random.below(12) == 0 ? std::nan("") : static_cast<double>(random.below(100)));
      z.push_back(1e3 * static_cast<double>(random.below(50)));
      code.push_back(static_cast<std::int32_t>(random.below(4)));
      const double score = (std::isnan(x[i]) ? 50.0 : x[i]) + z[i] / 500.0 + (code[i] == 2 ? 40.0 : 0.0);
      if (classes > 0) target.label.push_back(std::min(classes - 1, static_cast<std::uint32_t>(score / 60.0)));
      if (classes == 0) target.value.push_back(score);
    }
    target.classes = classes;
    target.growth_scale = target.class_scale = std::vector<double>(classes, 1.0);
    table.rows = rows;
    views = {view(x), view(z), view(code)};
    table.columns.push_back(rank_column(views[0], rows, 0, nullptr));
    table.columns.push_back(rank_column(views[1], rows, 0, nullptr));
    table.columns.push_back(rank_column(views[2], rows, 4, nullptr));
  }
};

GrowOptions options_with(const Finder& finder, std::uint32_t classes) {
  GrowOptions options;
  options.criterion = classes > 0 ? Criterion::gini : Criterion::squared_error;
  options.selection.search = SearchRule::written;
  options.finder = &finder;
  options.missing = MissingRule::majority;
  options.surrogates.most = 0;
  options.min_split_weight = 20.0;
  options.max_depth = 4;
  return options;
}

}  // namespace

TEST_CASE("training rows end where growing sent them, whatever is found") {
  for (const std::uint32_t classes : {0U, 2U, 4U}) {
    for (const std::int32_t units : {0, 1, 3}) {
      for (const MissingRule missing : {MissingRule::majority, MissingRule::surrogate, MissingRule::stop}) {
        const Data data(300, classes);
        const Correlations finder(units);
        GrowOptions options = options_with(finder, classes);
        options.missing = missing;
        options.surrogates.most = missing == MissingRule::surrogate ? 5 : 0;
        Watch watch;
        const Tree tree = grow(data.table, data.target, options, watch);
        validate(tree);
        REQUIRE(tree.size() > 1);
        const SplitPool& pool = tree.splits;
        CHECK(pool.feature(0) == (units == 0 ? Feature::sum : Feature::network));
        CHECK(pool.found[0] == (units == 0 ? Found::written : Found::network));
        CHECK(finder.keys.size() == finder.rows.size());
        if (classes > 0) CHECK(finder.most_targets == 2);
        std::vector<std::int64_t> counted(static_cast<std::size_t>(tree.size()), 0);
        for (std::int32_t end : apply(tree, data.views, 300, 1, watch)) {
          for (; end >= 0; end = tree.parent[end]) ++counted[static_cast<std::size_t>(end)];
        }
        CHECK(counted == tree.rows);
      }
    }
  }
}

TEST_CASE("nodes of few rows, or of few rows a term, are searched by the discriminant") {
  const Data data(300, 2);
  const Correlations finder(2);
  GrowOptions options = options_with(finder, 2);
  options.oblique.find_rows = 301;
  Watch watch;
  const Tree tree = grow(data.table, data.target, options, watch);
  CHECK(finder.rows.empty());
  CHECK(tree.splits.sums.layers.units.empty());
  options.selection.search = SearchRule::discriminant;
  CHECK(grow(data.table, data.target, options, watch).splits.sums.weight == tree.splits.sums.weight);
}

TEST_CASE("large nodes are told of some of their rows") {
  const Data data(2000, 2);
  const Correlations finder(0);
  GrowOptions options = options_with(finder, 2);
  options.oblique.search_rows = 400;
  options.max_depth = 1;
  Watch watch;
  (void)grow(data.table, data.target, options, watch);
  REQUIRE(finder.rows.size() == 1);
  CHECK(finder.rows.front() >= 400);
  CHECK(finder.rows.front() <= 402);
}

}  // namespace bough::testing
