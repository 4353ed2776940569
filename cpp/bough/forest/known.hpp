// The rows of a node that have a value of a column, where the others are left out of its scores and follow a cut
// afterwards: to the heavier branch, to one drawn by the weights of the branches, or into a branch of their own. What
// the known rows gain counts as a gain of the node, so that columns with and without missing values can be compared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bough/forest/entropy.hpp"
#include "bough/forest/node.hpp"
#include "bough/forest/options.hpp"
#include "bough/forest/seeds.hpp"
#include "bough/forest/sorted_scan.hpp"

namespace bough::forest {

// What the rows without a value add up to.
struct LeftOut {
  std::int64_t weight = 0;
  std::int64_t sum = 0;                 // of class 1, or of the centred values
  std::vector<std::int64_t> by_class;   // of many classes

  template <class Node>
  void add_up(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t missing) {
    weight = 0;
    sum = 0;
    if constexpr (Node::kMany) by_class.assign(node.classes, 0);
    for (std::uint32_t i = 0; i < rows.size; ++i) {
      if (key[i] != missing) continue;
      const std::uint32_t p = payload(rows.entry[i]);
      const std::int64_t w = Node::weight_of(p);
      weight += w;
      if constexpr (Node::kMany) {
        by_class[p & ((1U << Node::kClassBits) - 1)] += w;
      } else if constexpr (Node::kNumbers) {
        sum += w * rows.value_at(i);
      } else {
        sum += (p & 1U) != 0 ? w : 0;
      }
    }
  }
};

template <class Node>
class KnownRows {
 public:
  using Low = typename Node::Low;
  using Contest = bough::forest::Contest<typename Node::Score>;

  void begin(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t missing, Missing rule,
             std::uint64_t node_seed) {
    rule_ = rule;
    if (rule == Missing::random) word_ = Words(missing_seed(node_seed)).next();
    out_.add_up(node, rows, key, missing);
    node_ = node;
    weight_ = static_cast<std::int64_t>(node.n) - out_.weight;
    const auto known = static_cast<double>(weight_);
    node_.n = known;
    scale_ = 1;
    shift_ = 0;
    const bool apart = rule == Missing::own_branch;
    if constexpr (Node::kMany) {
      total_.assign(node.total, node.total + node.classes);
      for (std::uint32_t k = 0; k < node.classes; ++k) total_[k] -= out_.by_class[k];
      node_.become(total_.data(), known);
      if constexpr (Node::kEntropy) {
        const double other = node.certainty(out_.by_class.data(), out_.weight);
        if (apart) shift_ = std::max(0.0, node_.whole + other - node.whole);
      } else if (apart) {
        double squares = 0;
        for (const std::int64_t w : out_.by_class) squares += static_cast<double>(w * w);
        shift_ = squares / static_cast<double>(out_.weight);
      } else {
        shift_ = static_cast<double>(node.squares) / node.n - static_cast<double>(node_.squares) / known;
      }
    } else if constexpr (Node::kNumbers) {
      node_.total = node.total - (out_.sum + node.centre * out_.weight);
      const auto centred = static_cast<double>(node_.total - node.centre * weight_);
      node_.excess = centred / known;
      scale_ = known / node.n;
      if (apart) shift_ = node.score(known, centred);
    } else {
      node_.ones -= static_cast<double>(out_.sum);
      scale_ = node.n / known;
      if (apart) shift_ = node.score(known, node_.ones);
    }
  }

  // The node as if it had no other rows.
  [[nodiscard]] const Node& node() const { return node_; }

  // A cut of the known rows, with those on its low side; rows without a value are added where they go.
  bool enter(Cut cut, const Low& low, Contest& contest) const {
    const std::int64_t least = contest.least_side();
    const bool apart = rule_ == Missing::own_branch;
    if (low.weight < least || weight_ - low.weight < least || (apart && out_.weight < least)) return false;
    cut.score = node_.score_of(low) * scale_ + shift_;
    if (cut.score < contest.bar()) return false;
    node_.fill(cut, low);
    cut.base = static_cast<std::uint32_t>(weight_);
    const bool high = rule_ == Missing::random ? !is_below(word_, low.weight, weight_) : 2 * low.weight < weight_;
    cut.missing_high = high ? 1 : 0;
    if (apart) {
      if (contest.constrained() &&
          !(contest.bounds().hold(left_out_answer()) && contest.allows(cut, node_.answers(cut.weight, cut.sum)))) {
        return false;
      }
    } else {
      if (!high) {
        cut.weight += out_.weight;
        cut.sum += Node::kMany ? 0 : out_.sum;
      }
      if (!contest.allows(cut)) return false;
    }
    return contest.enter_allowed(cut);
  }

 private:
  [[nodiscard]] double left_out_answer() const {
    std::int64_t sum = out_.sum;
    if constexpr (Node::kNumbers) sum += node_.centre * out_.weight;
    return static_cast<double>(sum) / static_cast<double>(out_.weight);
  }

  Node node_;
  LeftOut out_;
  std::vector<std::int64_t> total_;
  std::int64_t weight_ = 0;
  double scale_ = 1;
  double shift_ = 0;
  Missing rule_ = Missing::majority;
  std::uint32_t word_ = 0;
};

// All cuts of the known rows of a column.
template <class Node>
void search_known(const KnownRows<Node>& known, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t lowest,
                  std::uint32_t highest, std::uint32_t missing, std::uint32_t draw,
                  Contest<typename Node::Score>& contest, SortScratch& scratch) {
  const std::uint32_t size = sort_rows(rows, key, lowest, highest, missing, scratch);
  const std::uint64_t* item = scratch.sorted.data();
  Cut cut;
  cut.draw = draw;
  auto low = known.node().low();
  for (std::uint32_t i = 0; i + 1 < size; ++i) {
    const auto below = static_cast<std::uint32_t>(item[i]);
    if constexpr (Node::kNumbers) {
      Node::add(low, payload(rows.entry[below]), rows.value_at(below));
    } else {
      Node::add(low, below, 0);
    }
    cut.key = static_cast<std::uint32_t>(item[i] >> 32U);
    if (cut.key != static_cast<std::uint32_t>(item[i + 1] >> 32U)) known.enter(cut, low, contest);
  }
}

// The one cut of a column with a single value in the node: what is known against what is missing.
template <class Node>
void enter_apart(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t highest,
                 std::uint32_t missing, std::uint32_t draw, Contest<typename Node::Score>& contest) {
  Cut cut;
  cut.draw = draw;
  cut.key = highest;
  cut.missing_high = 1;
  cut.apart = 1;
  auto low = node.low();
  for (std::uint32_t i = 0; i < rows.size; ++i) {
    if (key[i] != missing) Node::add(low, payload(rows.entry[i]), rows.value_at(i));
  }
  cut.score = node.score_of(low);
  node.fill(cut, low);
  contest.enter(cut);
}

}  // namespace bough::forest
