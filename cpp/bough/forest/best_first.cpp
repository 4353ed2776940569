#include "bough/forest/best_first.hpp"

#include <algorithm>
#include <cstddef>
#include <queue>
#include <span>
#include <utility>

#include "bough/forest/answers.hpp"

namespace bough::forest {
namespace {

// Which nodes are split.
std::vector<std::uint8_t> chosen(const GrownTree& tree, std::uint32_t leaves) {
  struct Waiting {
    double gain;
    std::uint32_t age;
    std::uint32_t node;
    bool operator<(const Waiting& other) const { return gain != other.gain ? gain < other.gain : age > other.age; }
  };
  std::vector<std::uint8_t> is_split(tree.node.size(), 0);
  std::priority_queue<Waiting> waiting;
  std::uint32_t age = 0;
  const auto wait = [&](std::uint32_t node, double of_first) {
    if (tree.node[node].child == 0) return;
    waiting.push({tree.node[node].second != 0 ? of_first : tree.gain[node], age++, node});
  };
  wait(0, 0.0);
  for (std::uint32_t made = 1; made < leaves && !waiting.empty(); ++made) {
    const Waiting best = waiting.top();
    waiting.pop();
    is_split[best.node] = 1;
    wait(tree.node[best.node].child, best.gain);
    wait(tree.node[best.node].child + 1, best.gain);
  }
  return is_split;
}

// By node: the weights of the classes, or weight and sum; `width` numbers each.
std::vector<std::int64_t> sums_of(const GrownTree& tree, std::uint32_t classes) {
  const std::size_t width = classes == 0 ? 2 : classes;
  std::vector<std::int64_t> sums(tree.node.size() * width);
  for (std::size_t i = tree.node.size(); i-- > 0;) {  // branches come after their node
    std::int64_t* into = sums.data() + i * width;
    const GrownNode& node = tree.node[i];
    if (node.child == 0 && classes == 0) {
      into[0] = tree.weight[node.low];
      into[1] = tree.sum[node.low];
    } else if (node.child == 0) {
      std::copy_n(tree.count.begin() + static_cast<std::ptrdiff_t>(node.low * width), width, into);
    } else {
      const std::int64_t* branch = sums.data() + node.child * width;
      for (std::size_t k = 0; k < width; ++k) into[k] = branch[k] + branch[width + k];
    }
  }
  return sums;
}

}  // namespace

GrownTree best_first(GrownTree&& tree, const ForestData& data, const std::vector<KeyColumn>& keys,
                     std::uint32_t leaves) {
  if (tree.node.size() / 2 + 1 <= leaves) return std::move(tree);
  const std::vector<std::uint8_t> is_split = chosen(tree, leaves);
  const std::vector<std::int64_t> sums = sums_of(tree, data.classes);
  GrownTree kept;
  ClassAnswers answers(data.classes);
  kept.node.emplace_back();
  kept.gain.push_back(0);
  struct Pair {
    std::uint32_t from;
    std::uint32_t to;
  };
  std::vector<Pair> stack = {{0, 0}};
  while (!stack.empty()) {
    const auto [from, to] = stack.back();
    stack.pop_back();
    GrownNode node = tree.node[from];
    if (is_split[from] == 0) {
      GrownNode leaf;
      if (data.classes > 0) {
        leaf.low = answers.number(std::span(sums).subspan(std::size_t{from} * data.classes, data.classes), kept);
      } else {
        const std::int64_t* held = sums.data() + std::size_t{2} * from;
        leaf.low = static_cast<std::uint32_t>(kept.value.size());
        const double mean = static_cast<double>(held[1]) / static_cast<double>(held[0]) / data.scale;
        kept.value.push_back(data.offset + mean);
        kept.weight.push_back(static_cast<std::uint32_t>(held[0]));
      }
      kept.node[to] = leaf;
      continue;
    }
    const std::uint32_t child = node.child;
    if (const std::uint32_t levels = keys[node.column].levels; levels > 0) {
      const auto words = tree.set.begin() + static_cast<std::ptrdiff_t>(node.low);
      node.low = static_cast<std::uint32_t>(kept.set.size());
      kept.set.insert(kept.set.end(), words, words + static_cast<std::ptrdiff_t>((levels + 31) / 32));
    }
    node.child = static_cast<std::uint32_t>(kept.node.size());
    kept.node.resize(kept.node.size() + 2);
    kept.gain.resize(kept.node.size(), 0);
    kept.gain[to] = tree.gain[from];
    kept.node[to] = node;
    stack.push_back({child + 1, node.child + 1});
    stack.push_back({child, node.child});
  }
  return kept;
}

}  // namespace bough::forest
