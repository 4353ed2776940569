#include "bough/forest/validate.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bough/base/error.hpp"

namespace bough::forest {
namespace {

void require(bool holds, const char* place, const char* problem) {
  if (!holds) throw InvalidInput(place, problem);
}

[[noreturn]] void refuse(const char* list, std::size_t i, const char* problem) {
  throw InvalidInput(std::string(list) + "[" + std::to_string(i) + "]", problem);
}

// Of one entry of a list.
inline void require(bool holds, const char* list, std::size_t i, const char* problem) {
  if (!holds) refuse(list, i, problem);
}

void check_columns(const Forest& forest) {
  require(!forest.column.empty(), "levels", "expected one at least");
  require(forest.wide() || forest.column.size() <= ShortNode::kMostColumns, "levels", "too many for short nodes");
  for (std::size_t c = 0; c < forest.column.size(); ++c) {
    const Coding& coding = forest.column[c];
    require(coding.levels != 1 && (coding.levels == 0 || coding.threshold.empty()), "levels", c,
            "expected levels or thresholds");
    for (std::size_t i = 0; i < coding.threshold.size(); ++i) {
      const double t = coding.threshold[i];
      require(!std::isnan(t) && (i == 0 || coding.threshold[i - 1] < t), "thresholds", c, "expected rising numbers");
    }
  }
}

void check_answers(Forest& forest) {
  const std::size_t answers = forest.weight.size();
  if (forest.classes == 0) {
    require(forest.count.empty() && forest.answer.size() == answers, "value", "expected a number for each answer");
    for (std::size_t i = 0; i < answers; ++i) {
      require(std::isfinite(forest.answer[i]), "value", i, "not a number");
      require(forest.weight[i] > 0, "weight", i, "expected a number above 0");
    }
    return;
  }
  require(forest.classes >= 2 && forest.count.size() % forest.classes == 0 &&
              forest.count.size() / forest.classes == answers,
          "count", "expected a weight for each answer and class");
  std::vector<double> share(forest.count.size());
  for (std::size_t i = 0; i < answers; ++i) {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < forest.classes; ++k) sum += forest.count[i * forest.classes + k];
    require(sum > 0 && sum == forest.weight[i], "weight", i, "expected the sum of the classes, above 0");
    for (std::uint32_t k = 0; k < forest.classes; ++k) {
      const std::size_t place = i * forest.classes + k;
      share[place] = static_cast<double>(forest.count[place]) / static_cast<double>(forest.weight[i]);
    }
  }
  forest.answer = std::move(share);
}

template <class Node>
void check_cut(const Forest& forest, const Node& node, std::size_t i) {
  const Coding& coding = forest.column[node.column()];
  if (coding.levels > 0) {
    const std::size_t words = (std::size_t{coding.levels} + 31) / 32;
    require(forest.set.size() >= words && node.cut <= forest.set.size() - words, "node", i, "a set out of range");
    const std::uint32_t missing = coding.levels - 1;
    const std::uint32_t bit = (forest.set[node.cut + missing / 32] >> (missing % 32)) & 1U;
    require(bit == node.missing_high(), "node", i, "missing values take two branches");
  } else if (!coding.threshold.empty()) {
    require(node.cut < coding.threshold.size(), "node", i, "a threshold out of range");
  } else {
    require(node.cut != kMissingKey && !std::isnan(key_float(node.cut)), "node", i, "not a threshold");
  }
}

template <class Node>
void check_tree(const Forest& forest, const Node* nodes, std::size_t tree, std::vector<std::uint8_t>& reached) {
  const std::size_t begin = forest.begin[tree];
  const std::size_t size = forest.begin[tree + 1] - begin;
  require(size % 2 == 1 && size <= 0xffffffffU, "begin", tree, "expected an odd number of nodes");
  reached.assign(size, 0);
  reached[0] = 1;
  const std::size_t answers = forest.weight.size();
  for (std::size_t i = 0; i < size; ++i) {
    const Node node = nodes[begin + i];
    require(reached[i] == 1, "node", begin + i, "no node leads here");
    if (node.child() == i) {
      require(node.column() == forest.column.size() && node.missing_high() == 0, "node", begin + i, "not a leaf");
      require(node.cut < answers, "node", begin + i, "an answer out of range");
      continue;
    }
    require(node.column() < forest.column.size(), "node", begin + i, "a column out of range");
    const std::size_t child = node.child();
    require(child > i && child + 1 < size && reached[child] == 0 && reached[child + 1] == 0, "node", begin + i,
            "a branch out of range");
    reached[child] = 1;
    reached[child + 1] = 1;
    check_cut(forest, node, begin + i);
  }
}

}  // namespace

void complete(Forest& forest) {
  require(!forest.begin.empty() && forest.begin.front() == 0, "begin", "expected to start at 0");
  const std::size_t nodes = forest.wide() ? forest.wide_node.size() : forest.short_node.size();
  require(forest.begin.back() == nodes && nodes > 0, "begin", "expected to end with the nodes");
  for (std::size_t t = 0; t + 1 < forest.begin.size(); ++t) {
    require(forest.begin[t] < forest.begin[t + 1], "begin", t + 1, "expected rising numbers");
  }
  check_columns(forest);
  check_answers(forest);
  require(forest.gain.size() == forest.trees() * forest.column.size(), "gain", "expected a number by tree and column");
  for (std::size_t i = 0; i < forest.gain.size(); ++i) {
    require(std::isfinite(forest.gain[i]) && forest.gain[i] >= 0, "gain", i, "expected a number of 0 or more");
  }
  std::vector<std::uint8_t> reached;
  for (std::size_t tree = 0; tree < forest.trees(); ++tree) {
    if (forest.wide()) {
      check_tree(forest, forest.wide_node.data(), tree, reached);
    } else {
      check_tree(forest, forest.short_node.data(), tree, reached);
    }
  }
}

}  // namespace bough::forest
