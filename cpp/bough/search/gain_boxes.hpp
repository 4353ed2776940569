// The best cut of a sorted column by information gain, for two classes. What a cut saves is a convex function of the
// amounts of the two classes below it; between two places of the order it is therefore nowhere above the largest of the
// four corners that the amounts there span. Steps are summed in boxes, and only a box with a corner above what is
// known to be reached is looked at step by step.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/search/gain_cut.hpp"

namespace bough {

inline constexpr std::size_t kBoxSteps = 32;

// A place of the order: the amounts of both classes on its two sides, as terms of the information.
struct BoxCorner {
  std::array<double, 2> low{};
  std::array<double, 2> low_term{};
  std::array<double, 2> high_term{};
  double saved = 0.0;
};

// Steps that are rows in order; `weight` by id, null: all 1.
template <class Entry>
struct RowSteps {
  std::span<const Entry> order;
  const double* weight = nullptr;

  [[nodiscard]] std::size_t size() const { return order.size(); }
  void add(std::array<double, 2>& low, std::size_t i) const {
    const Entry entry = order[i];
    const auto amount = std::bit_cast<std::uint64_t>(weight != nullptr ? weight[entry.id()] : 1.0);
    const std::uint64_t second = std::uint64_t{0} - entry.label();  // all bits of class 1, none of class 0
    low[0] += std::bit_cast<double>(amount & ~second);
    low[1] += std::bit_cast<double>(amount & second);
  }
};

// Steps that are values with the amounts of both classes, two numbers each.
struct ValueSteps {
  std::span<const double> amounts;

  [[nodiscard]] std::size_t size() const { return amounts.size() / 2; }
  void add(std::array<double, 2>& low, std::size_t i) const {
    low[0] += amounts[2 * i];
    low[1] += amounts[2 * i + 1];
  }
};

template <class Steps, class MayCut>
class GainBoxes {
 public:
  // `whole`: the amounts of both classes; may_cut(p) tells whether the steps before and after place p are told apart. A
  // step is a row at least: minimal rows of a side are counted in steps.
  GainBoxes(Steps steps, std::array<double, 2> whole, const GainCutNode& node, const GainRule& rule, MayCut may_cut)
      : steps_(steps), whole_(whole), node_(node), rule_(rule), may_cut_(may_cut) {
    before_ = rule.term(whole[0] + whole[1]) - rule.term(whole[0]) - rule.term(whole[1]);
    per_bit_ = rule.gain_of_one_bit(node.known, node.all);
    // Amounts below an absolute tolerance count as nothing in six terms at two places, which is not quite convex.
    const double epsilon = rule.epsilon();
    rounding_ = kGainSlack * node.known - (epsilon > 0.0 ? 12.0 * epsilon * std::log2(epsilon) : 0.0);
    needed_ = needed_for(0.0);
  }

  GainCut best(std::vector<BoxCorner>& corners) {
    sum_boxes(corners);
    for (std::size_t box = 0; box + 1 < corners.size(); ++box) {
      const BoxCorner& from = corners[box];
      const BoxCorner& to = corners[box + 1];
      const std::size_t begin = box * kBoxSteps;
      const std::size_t end = std::min(begin + kBoxSteps, steps_.size());
      if (!low_is_enough(to, end)) continue;
      if (!high_is_enough(from, begin)) break;
      if (low_is_enough(from, begin) && high_is_enough(to, end) && highest(from, to) < needed_) {
        for (std::size_t place = begin + 1; place <= end; ++place)
          best_.cuts += static_cast<std::size_t>(may_cut_(place));
      } else {
        step_through(from, begin, end);
      }
    }
    return best_;
  }

 private:
  // The bits that a cut must save to take the place of one that gains so much.
  [[nodiscard]] double needed_for(double gain) const { return (gain + rule_.epsilon()) / per_bit_ - rounding_; }
  void make_terms(BoxCorner& at, std::size_t k) const {
    at.low_term[k] = rule_.term(at.low[k]);
    at.high_term[k] = rule_.term(whole_[k] - at.low[k]);
  }
  // What the cut saves that has the class 0 of one corner and the class 1 of another below it.
  [[nodiscard]] double saved(const BoxCorner& a, const BoxCorner& b) const {
    const double low = a.low[0] + b.low[1];
    return before_ - (rule_.term(low) - a.low_term[0] - b.low_term[1]) -
           (rule_.term(node_.known - low) - a.high_term[0] - b.high_term[1]);
  }
  [[nodiscard]] double highest(const BoxCorner& from, const BoxCorner& to) const {
    return std::max(std::max(from.saved, to.saved), std::max(saved(from, to), saved(to, from)));
  }
  [[nodiscard]] bool low_is_enough(const BoxCorner& at, std::size_t place) const {
    return rule_.at_least(at.low[0] + at.low[1], node_.minimum) && static_cast<double>(place) >= node_.min_rows;
  }
  [[nodiscard]] bool high_is_enough(const BoxCorner& at, std::size_t place) const {
    return place < steps_.size() && rule_.at_least(node_.weight - (at.low[0] + at.low[1]), node_.minimum) &&
           node_.rows - static_cast<double>(place) >= node_.min_rows;
  }

  void sum_boxes(std::vector<BoxCorner>& corners) {
    corners.clear();
    BoxCorner at;
    for (const std::size_t k : {0, 1}) make_terms(at, k);
    corners.push_back(at);
    for (std::size_t begin = 0; begin < steps_.size(); begin += kBoxSteps) {
      const std::size_t end = std::min(begin + kBoxSteps, steps_.size());
      for (std::size_t i = begin; i < end; ++i) steps_.add(at.low, i);
      for (const std::size_t k : {0, 1}) make_terms(at, k);
      at.saved = saved(at, at);
      corners.push_back(at);
      // The first of equal cuts is kept, whichever box it is in. With an absolute tolerance a worse cut on the way may
      // be near enough to keep a better one out, so that all of them must be seen in turn.
      if (rule_.epsilon() == 0.0 && low_is_enough(at, end) && high_is_enough(at, end) && may_cut_(end)) {
        needed_ = std::max(needed_, at.saved - rounding_);
      }
    }
  }

  void step_through(const BoxCorner& from, std::size_t begin, std::size_t end) {
    BoxCorner at = from;
    std::array<double, 2> told = at.low;  // of which the terms are
    for (std::size_t place = begin + 1; place <= end; ++place) {
      steps_.add(at.low, place - 1);
      if (!low_is_enough(at, place)) continue;
      if (!high_is_enough(at, place)) break;
      if (!may_cut_(place)) continue;
      ++best_.cuts;
      for (const std::size_t k : {0, 1}) {
        if (told[k] != at.low[k]) make_terms(at, k);
      }
      told = at.low;
      const double bits = saved(at, at);
      if (bits < needed_) continue;
      const double gain = rule_.gain(bits, node_.known, node_.all);
      if (!rule_.greater(gain, best_.gain)) continue;
      best_.gain = gain;
      best_.position = place;
      best_.low_weight = best_.low_amount = at.low[0] + at.low[1];
      needed_ = std::max(needed_, needed_for(gain));
    }
  }

  Steps steps_;
  std::array<double, 2> whole_;
  const GainCutNode& node_;
  const GainRule& rule_;
  MayCut may_cut_;
  GainCut best_;
  double before_ = 0.0;
  double per_bit_ = 0.0;
  double rounding_ = 0.0;
  double needed_ = 0.0;  // bits: a cut that saves fewer is not the best
};

}  // namespace bough
