// The bounds of bins: no bin that hides a cut as good as the best known one is passed over. Every subset of a small
// bin's rows is what some order of them puts below a cut, so that all are tried.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "bough/forest/bins.hpp"

namespace bough::forest::testing {
namespace {

constexpr int kNodes = 4000;
constexpr double kBelow = 1e-9;  // how much below the best cut the bar is, as a share

struct Row {
  std::uint32_t payload = 0;
  std::int64_t value = 0;
};

// The rows below a bin, in it and above it.
struct Parts {
  std::vector<Row> low;
  std::vector<Row> bin;
  std::vector<Row> high;
};

template <class Make>
Parts make_parts(std::mt19937& random, const Make& make) {
  Parts parts;
  const auto fill = [&](std::vector<Row>& rows, std::size_t size) {
    const unsigned lean = random();
    for (std::size_t i = 0; i < size; ++i) rows.push_back(make(lean));
  };
  fill(parts.low, random() % 12);
  fill(parts.bin, 1 + random() % 7);
  fill(parts.high, random() % 12);
  return parts;
}

struct Tried {
  int hidden = 0;  // nodes whose best cut is inside the bin
  int passed = 0;  // bins passed over under a bar that is too high for them
};

// A score counts where both sides of the cut have rows.
template <class Node>
double score_at(const Node& node, const typename Node::Low& low) {
  const auto weight = static_cast<double>(low.weight);
  return weight > 0 && weight < node.n ? node.score_of(low) : -1.0;
}

template <class Node>
void try_bin(const Node& node, const Parts& parts, Tried& tried) {
  typename BinOf<Node>::type bin{};
  for (const Row& row : parts.bin) count(bin, row.payload, row.value);
  const auto below = [&](std::size_t subset) {
    auto low = node.low();
    for (const Row& row : parts.low) Node::add(low, row.payload, row.value);
    for (std::size_t i = 0; i < parts.bin.size(); ++i) {
      if (((subset >> i) & 1U) != 0) Node::add(low, parts.bin[i].payload, parts.bin[i].value);
    }
    return low;
  };
  const std::size_t all = (std::size_t{1} << parts.bin.size()) - 1;
  const double ends = std::max(score_at(node, below(0)), score_at(node, below(all)));
  double inside = -1;
  for (std::size_t subset = 1; subset < all; ++subset) inside = std::max(inside, score_at(node, below(subset)));
  // Where limits rule out the ends, what is inside counts alone.
  if (inside >= 0) CHECK(!hides_nothing(node, below(0), bin, inside * (1 - kBelow), false));
  // Otherwise cuts at the ends are known before the bin is looked into: the bar is never below theirs.
  if (inside >= ends && inside >= 0) {
    ++tried.hidden;
    CHECK(!hides_nothing(node, below(0), bin, inside * (1 - kBelow), true));
  }
  tried.passed += hides_nothing(node, below(0), bin, 4 * std::max(inside, ends) + 1, true) ? 1 : 0;
}

std::vector<Row> joined(const Parts& parts) {
  std::vector<Row> rows = parts.low;
  rows.insert(rows.end(), parts.bin.begin(), parts.bin.end());
  rows.insert(rows.end(), parts.high.begin(), parts.high.end());
  return rows;
}

std::mt19937 seeded(unsigned seed) { return std::mt19937(seed); }

std::uint32_t draw_weight(std::mt19937& random) { return random() % 3 == 0 ? 1 + random() % 9 : 1; }

template <unsigned padded>
Tried try_many(std::uint32_t classes, unsigned seed) {
  std::mt19937 random = seeded(seed);
  Tried tried;
  for (int i = 0; i < kNodes; ++i) {
    const Parts parts = make_parts(random, [&](unsigned lean) {
      const std::uint32_t k = random() % 3 == 0 ? lean % classes : random() % classes;
      return Row{(draw_weight(random) << 4U) | k, 0};
    });
    std::array<std::int64_t, padded> total{};
    std::array<std::int64_t, padded> scratch{};
    ManyNode<padded> node;
    node.classes = padded;
    node.total = total.data();
    node.scratch = scratch.data();
    for (const Row& row : joined(parts)) {
      total[row.payload & 15U] += row.payload >> 4U;
      node.n += row.payload >> 4U;
    }
    for (const std::int64_t w : total) node.squares += w * w;
    try_bin(node, parts, tried);
  }
  return tried;
}

}  // namespace

TEST_CASE("bins of two classes hide no cut that reaches the bar") {
  std::mt19937 random = seeded(1);
  Tried tried;
  for (int i = 0; i < kNodes; ++i) {
    const Parts parts = make_parts(random, [&](unsigned lean) {
      const std::uint32_t one = random() % 3 == 0 ? lean & 1U : random() & 1U;
      return Row{(draw_weight(random) << 1U) | one, 0};
    });
    TwoNode node;
    for (const Row& row : joined(parts)) {
      node.n += row.payload >> 1U;
      node.ones += (row.payload & 1U) != 0 ? row.payload >> 1U : 0U;
    }
    if (node.ones > 0 && node.ones < node.n) try_bin(node, parts, tried);  // pure nodes are not searched
  }
  CHECK(tried.hidden > kNodes / 4);
  CHECK(tried.passed > kNodes / 2);
}

TEST_CASE("bins of numbers hide no cut that reaches the bar") {
  std::mt19937 random = seeded(2);
  Tried tried;
  for (int i = 0; i < kNodes; ++i) {
    const std::int64_t range = random() % 2 == 0 ? 5 : 1000000;
    Parts parts = make_parts(random, [&](unsigned lean) {
      const auto value = static_cast<std::int64_t>(random() % static_cast<unsigned>(range));
      return Row{draw_weight(random), value + static_cast<std::int64_t>(lean % 3) * range / 3};
    });
    NumberNode node;
    std::int64_t weight = 0;
    std::int64_t sum = 0;
    for (const Row& row : joined(parts)) {
      weight += row.payload;
      sum += static_cast<std::int64_t>(row.payload) * row.value;
    }
    // As a grower centres the values of a node.
    const std::int64_t centre = sum / weight;
    for (std::vector<Row>* rows : {&parts.low, &parts.bin, &parts.high}) {
      for (Row& row : *rows) {
        row.value -= centre;
        node.largest = std::max(node.largest, row.value);
        node.smallest = std::min(node.smallest, row.value);
      }
    }
    node.n = static_cast<double>(weight);
    node.excess = static_cast<double>(sum - centre * weight) / node.n;
    try_bin(node, parts, tried);
  }
  CHECK(tried.hidden > kNodes / 4);
  CHECK(tried.passed > kNodes / 2);
}

TEST_CASE("bins of many classes hide no cut that reaches the bar") {
  for (const Tried& tried : {try_many<4>(3, 3), try_many<8>(6, 4), try_many<16>(12, 5)}) {
    CHECK(tried.hidden > kNodes / 4);
    CHECK(tried.passed > kNodes / 2);
  }
}

}  // namespace bough::forest::testing
