// A nominal column: the levels present in the node, each with its sums, in the order in which a cut of them is the best
// of all sets (two classes and numbers), or nearly so. Missing is a level like the others, and it is learned which side
// it takes, unless rows without a value are left out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bough/forest/known.hpp"
#include "bough/forest/level_order.hpp"

namespace bough::forest {

template <class Node>
class LevelSearch {
 public:
  using Contest = bough::forest::Contest<typename Node::Score>;
  using Low = typename Node::Low;

  // Enters the cuts of a column's levels, `levels` of them with that of missing values; of known rows only, if given.
  void search(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t levels,
              const KnownRows<Node>* known, std::uint32_t draw, Contest& contest) {
    gather(node, rows, key, levels, known != nullptr);
    const std::vector<std::uint32_t>& order = sorted(node);
    Cut cut;
    cut.draw = draw;
    Low low = (known != nullptr ? known->node() : node).low();
    bool best = false;
    for (std::uint32_t i = 0; i + 1 < order.size(); ++i) {
      add(node, low, order[i]);
      cut.key = i + 1;
      best = enter(node, known, cut, low, contest) || best;
    }
    if (!best) return;
    low_.clear();
    high_.clear();
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      (i < contest.best().key ? low_ : high_).push_back(present_.code[order[i]]);
    }
  }

  // One set drawn: each level present goes to either side with the same chance, not all to one (ExtraTrees).
  void draw_set(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t levels,
                const KnownRows<Node>* known, std::uint32_t draw, Words& words, Contest& contest) {
    gather(node, rows, key, levels, known != nullptr);
    std::vector<std::uint8_t> side(present_.code.size());
    bool both = false;
    while (!both) {
      std::uint32_t ones = 0;
      for (std::uint8_t& s : side) ones += s = static_cast<std::uint8_t>(words.next() >> 31U);
      both = ones > 0 && ones < side.size();
    }
    Low low = (known != nullptr ? known->node() : node).low();
    Cut cut;
    cut.draw = draw;
    for (std::uint32_t i = 0; i < side.size(); ++i) {
      if (side[i] != 0) continue;
      add(node, low, i);
      ++cut.key;
    }
    if (!enter(node, known, cut, low, contest)) return;
    low_.clear();
    high_.clear();
    for (std::uint32_t i = 0; i < side.size(); ++i) (side[i] == 0 ? low_ : high_).push_back(present_.code[i]);
  }

  // The levels of the two sides, if the best cut of the contest is one of levels.
  [[nodiscard]] const std::vector<std::uint32_t>& low() const { return low_; }
  [[nodiscard]] const std::vector<std::uint32_t>& high() const { return high_; }

 private:
  static bool enter(const Node& node, const KnownRows<Node>* known, Cut& cut, const Low& low, Contest& contest) {
    if (known != nullptr) return known->enter(cut, low, contest);
    if (!node.may_reach(low, contest.bar())) return false;
    cut.score = node.score_of(low);
    node.fill(cut, low);
    return contest.enter(cut);
  }

  // The levels present, in their order, with their sums. A table of all levels is quick where the rows are more.
  void gather(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t levels,
              bool known_only) {
    const std::uint32_t skipped = known_only ? levels - 1 : kUnseen;
    if constexpr (Node::kMany) present_.width = node.classes;
    if (levels <= rows.size) {
      add_up(rows, key, skipped, levels, [](std::uint32_t level) { return level; });
      drop_absent(levels);
      return;
    }
    if (at_.size() < levels) at_.resize(levels, kUnseen);
    std::vector<std::uint32_t>& code = present_.code;
    code.clear();
    for (std::uint32_t i = 0; i < rows.size; ++i) {
      if (at_[key[i]] != kUnseen || key[i] == skipped) continue;
      at_[key[i]] = 0;
      code.push_back(key[i]);
    }
    std::sort(code.begin(), code.end());
    for (std::uint32_t i = 0; i < code.size(); ++i) at_[code[i]] = i;
    add_up(rows, key, skipped, code.size(), [this](std::uint32_t level) { return at_[level]; });
    for (const std::uint32_t level : code) at_[level] = kUnseen;
  }

  template <class Place>
  void add_up(const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t skipped, std::size_t places,
              const Place& place) {
    present_.weight.assign(places, 0);
    present_.sum.assign(places * present_.width, 0);
    for (std::uint32_t i = 0; i < rows.size; ++i) {
      if (key[i] == skipped) continue;
      const std::uint32_t at = place(key[i]);
      const std::uint32_t p = payload(rows.entry[i]);
      const std::int64_t w = Node::weight_of(p);
      present_.weight[at] += w;
      if constexpr (Node::kMany) {
        present_.sum[at * present_.width + (p & ((1U << Node::kClassBits) - 1))] += w;
      } else if constexpr (Node::kNumbers) {
        present_.sum[at] += w * rows.value_at(i);
      } else {
        present_.sum[at] += w & -static_cast<std::int64_t>(p & 1U);
      }
    }
  }

  // Rows weigh something, so that a level without weight has none.
  void drop_absent(std::uint32_t levels) {
    const std::size_t width = present_.width;
    present_.code.clear();
    for (std::uint32_t level = 0; level < levels; ++level) {
      if (present_.weight[level] == 0) continue;
      const std::size_t to = present_.code.size();
      present_.code.push_back(level);
      if (to == level) continue;
      present_.weight[to] = present_.weight[level];
      std::copy_n(present_.sum.begin() + static_cast<std::ptrdiff_t>(level * width), width,
                  present_.sum.begin() + static_cast<std::ptrdiff_t>(to * width));
    }
    present_.weight.resize(present_.code.size());
    present_.sum.resize(present_.code.size() * width);
  }

  void add([[maybe_unused]] const Node& node, Low& low, std::uint32_t level) const {
    if constexpr (Node::kMany) {
      for (std::uint32_t k = 0; k < node.classes; ++k) {
        const std::int64_t w = present_.sum[level * std::size_t{node.classes} + k];
        if (w > 0) Node::add_class(low, k, w);
      }
    } else if constexpr (Node::kNumbers) {
      low.weight += present_.weight[level];
      low.sum += present_.sum[level];
    } else {
      low.weight += present_.weight[level];
      low.one += present_.sum[level];
    }
  }

  const std::vector<std::uint32_t>& sorted([[maybe_unused]] const Node& node) {
    if constexpr (Node::kEntropy) {
      if (node.labels == 2) {
        ones_.code = present_.code;
        ones_.weight = present_.weight;
        ones_.sum.clear();
        for (std::size_t i = 0; i < ones_.code.size(); ++i) ones_.sum.push_back(present_.sum[2 * i + 1]);
        return order_.sort(ones_);
      }
    }
    return order_.sort(present_);
  }

  static constexpr std::uint32_t kUnseen = ~0U;
  std::vector<std::uint32_t> at_;  // by level: its place in `present_`
  LevelSums present_;
  LevelSums ones_;  // of two classes that were counted as many
  LevelOrder order_;
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> high_;
};

}  // namespace bough::forest
