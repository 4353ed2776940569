#include "bough/forest/forest.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/forest/grower.hpp"
#include "bough/forest/join.hpp"
#include "bough/forest/level_order.hpp"
#include "bough/forest/seeds.hpp"

namespace bough::forest {

std::vector<std::uint32_t> bag_of(const Bags& bags, std::size_t tree, std::size_t rows) {
  if (!bags.given.empty()) {
    const auto from = bags.given.begin() + static_cast<std::ptrdiff_t>(tree * rows);
    return {from, from + static_cast<std::ptrdiff_t>(rows)};
  }
  if (!bags.bootstrap) return std::vector<std::uint32_t>(rows, 1);
  std::vector<std::uint32_t> bag(rows, 0);
  Words words(bag_seed(mix(bags.seed, tree)));
  const std::size_t draws = bags.draws == 0 ? rows : bags.draws;
  for (std::size_t i = 0; i < draws; ++i) ++bag[words.below(static_cast<std::uint32_t>(rows))];
  return bag;
}

namespace {

// Bits that are left for a row's weight beside its class.
unsigned weight_bits(std::uint32_t classes, bool entropy) {
  return classes <= (entropy ? 0 : 2) ? 31 : (classes <= 16 ? 28 : 16);
}

void check_sizes(const ForestData& data) {
  const std::size_t rows = data.table->rows;
  const std::size_t targets = data.classes == 0 ? data.value.size() : data.label.size();
  if (targets != rows)
    throw InvalidInput("target", "expected an entry for each of the " + std::to_string(rows) + " rows");
  if (data.classes == 1 || data.classes > 65535) throw InvalidInput("classes", "expected 2 to 65535 classes");
  for (const std::uint32_t k : data.label) {
    if (k >= data.classes)
      throw InvalidInput("label", "class " + std::to_string(k) + " is not below the number of classes");
  }
  if (!data.weight.empty() && data.weight.size() != rows)
    throw InvalidInput("weight", "expected a weight for each row");
  if (!(data.scale > 0)) throw InvalidInput("scale", "expected a positive number");
}

void check_monotone(const ForestData& data, const std::vector<std::int8_t>& sign) {
  if (sign.empty()) return;
  if (sign.size() != data.table->columns.size()) throw InvalidInput("monotone", "expected a sign for each column");
  if (data.classes > 2) throw InvalidInput("monotone", "expected numbers or two classes");
  for (std::size_t c = 0; c < sign.size(); ++c) {
    if (sign[c] < -1 || sign[c] > 1) throw InvalidInput("monotone", "expected -1, 0 or 1");
    if (sign[c] != 0 && data.table->columns[c].view.kind == ColumnKind::nominal) {
      throw InvalidInput("monotone", "column " + std::to_string(c) + " has levels without an order");
    }
  }
}

}  // namespace

void check_forest_request(const ForestData& data, const Bags& bags, const ForestOptions& options) {
  check_sizes(data);
  const std::size_t rows = data.table->rows;
  if (rows == 0 || data.table->columns.empty()) throw InvalidInput("table", "expected rows and columns");
  if (options.max_features < 1 || options.max_features > data.table->columns.size()) {
    throw InvalidInput("max_features", "expected 1 to the number of columns");
  }
  check_monotone(data, options.monotone);
  if (options.max_leaves < 2) throw InvalidInput("max_leaves", "expected 2 or more");
  if (!bags.given.empty() && bags.given.size() % rows != 0) throw InvalidInput("bags", "expected a count for each row");
  for (const RankedColumn& column : data.table->columns) {
    if (column.ranks >= (1U << 31U)) throw InvalidInput("column", "at most 2^31 - 1 distinct values are supported");
  }
}

namespace {

double checked_weight(const ForestData& data, const std::vector<std::uint32_t>& bag, bool entropy) {
  double sum = 0;
  const double most = static_cast<double>((std::uint64_t{1} << weight_bits(data.classes, entropy)) - 1);
  for (std::size_t row = 0; row < bag.size(); ++row) {
    const double weight = static_cast<double>(bag[row]) * (data.weight.empty() ? 1.0 : data.weight[row]);
    if (weight > most) throw InvalidInput("weight", "the weight of a row does not fit beside its class");
    sum += weight;
  }
  if (sum > 2147483647.0) throw InvalidInput("weight", "the weights of a bag must sum to less than 2^31");
  if (sum <= 0) throw InvalidInput("bags", "a bag has no rows of positive weight");
  return sum;
}

}  // namespace

std::exception_ptr grow_forest(Forest& forest, const ForestData& data, const Bags& bags, const ForestOptions& options,
                               std::size_t first, std::size_t trees, int threads, Watch& watch) {
  check_forest_request(data, bags, options);
  std::vector<std::vector<std::uint32_t>> places;
  if (options.order_once) places = level_places(data);
  const Keys keys(*data.table, options.random_cuts, std::move(places), threads);
  if (forest.column.empty()) {
    forest.classes = data.classes;
    forest.column.resize(keys.column().size());
    for (std::size_t c = 0; c < forest.column.size(); ++c) forest.column[c].levels = keys.column()[c].levels;
  }
  std::vector<std::optional<FinishedTree>> done(trees);
  std::vector<std::unique_ptr<TreeGrower>> grower(static_cast<std::size_t>(std::max(threads, 1)));
  std::exception_ptr ended;
  try {
    parallel_for(
        trees, threads, [&] { watch.ask(); },
        [&](std::size_t i, int worker) {
          std::unique_ptr<TreeGrower>& mine = grower[static_cast<std::size_t>(worker)];
          if (!mine) mine = make_grower(data, keys, options);
          // Bags that are given begin with the first tree asked for.
          const std::vector<std::uint32_t> bag = bag_of(bags, bags.given.empty() ? first + i : i, data.table->rows);
          const double weight = checked_weight(data, bag, options.entropy);
          const std::uint64_t seed = mix(bags.seed, first + i);
          FinishedTree finished = finish(mine->grow(seed, bag, watch), keys, options.random_cuts);
          finished.bag_weight = weight;
          done[i] = std::move(finished);
          watch.done(1.0);
        });
  } catch (const InvalidInput&) {
    throw;
  } catch (...) {
    ended = std::current_exception();
  }
  grower.clear();
  std::vector<FinishedTree> kept;
  for (std::optional<FinishedTree>& tree : done) {
    if (!tree) break;
    kept.push_back(std::move(*tree));
  }
  append(forest, std::move(kept));
  return ended;
}

}  // namespace bough::forest
