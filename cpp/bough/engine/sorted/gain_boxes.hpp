// The best cut of a sorted column by information gain, for two classes. What a cut saves is a convex function of the
// amounts of the two classes below it; between two places of the order it is therefore nowhere above the largest of the
// four corners that the amounts there span. Steps are summed in boxes, and only a box with a corner above what is
// known to be reached is looked at step by step.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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

template <class Entry, class MayCut>
class GainBoxes {
 public:
  // `weight` by id; null: all 1. `whole`: the amounts of both classes; may_cut(p) tells whether the steps before and
  // after place p are told apart.
  GainBoxes(std::span<const Entry> order, const double* weight, std::array<double, 2> whole, const GainCutNode& node,
            const GainRule& rule, MayCut may_cut)
      : order_(order), weight_(weight), whole_(whole), node_(node), rule_(rule), may_cut_(may_cut) {
    before_ = rule.term(whole[0] + whole[1]) - rule.term(whole[0]) - rule.term(whole[1]);
    per_bit_ = rule.gain_of_one_bit(node.known, node.all);
    rounding_ = kGainSlack * node.known;
    needed_ = -rounding_;
  }

  GainCut best(std::vector<BoxCorner>& corners) {
    sum_boxes(corners);
    for (std::size_t box = 0; box + 1 < corners.size(); ++box) {
      const BoxCorner& from = corners[box];
      const BoxCorner& to = corners[box + 1];
      const std::size_t begin = box * kBoxSteps;
      const std::size_t end = std::min(begin + kBoxSteps, order_.size());
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
  void add(BoxCorner& at, Entry entry) const {
    const auto weight = std::bit_cast<std::uint64_t>(weight_ != nullptr ? weight_[entry.id()] : 1.0);
    const std::uint64_t second = std::uint64_t{0} - entry.label();  // all bits of class 1, none of class 0
    at.low[0] += std::bit_cast<double>(weight & ~second);
    at.low[1] += std::bit_cast<double>(weight & second);
  }
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
    return place < order_.size() && rule_.at_least(node_.weight - (at.low[0] + at.low[1]), node_.minimum) &&
           node_.rows - static_cast<double>(place) >= node_.min_rows;
  }

  void sum_boxes(std::vector<BoxCorner>& corners) {
    corners.clear();
    BoxCorner at;
    for (const std::size_t k : {0, 1}) make_terms(at, k);
    corners.push_back(at);
    for (std::size_t begin = 0; begin < order_.size(); begin += kBoxSteps) {
      const std::size_t end = std::min(begin + kBoxSteps, order_.size());
      for (std::size_t i = begin; i < end; ++i) add(at, order_[i]);
      for (const std::size_t k : {0, 1}) make_terms(at, k);
      at.saved = saved(at, at);
      corners.push_back(at);
      if (low_is_enough(at, end) && high_is_enough(at, end) && may_cut_(end)) {
        // The first of equal cuts is kept, whichever box it is in.
        needed_ = std::max(needed_, at.saved - rounding_);
      }
    }
  }

  void step_through(const BoxCorner& from, std::size_t begin, std::size_t end) {
    BoxCorner at = from;
    std::array<bool, 2> moved{};
    for (std::size_t place = begin + 1; place <= end; ++place) {
      const Entry entry = order_[place - 1];
      add(at, entry);
      moved[entry.label()] = true;
      if (!low_is_enough(at, place)) continue;
      if (!high_is_enough(at, place)) break;
      if (!may_cut_(place)) continue;
      ++best_.cuts;
      for (const std::size_t k : {0, 1}) {
        if (moved[k]) make_terms(at, k);
        moved[k] = false;
      }
      const double bits = saved(at, at);
      if (bits < needed_) continue;
      const double gain = rule_.gain(bits, node_.known, node_.all);
      if (!rule_.greater(gain, best_.gain)) continue;
      best_.gain = gain;
      best_.position = place;
      best_.low_weight = best_.low_amount = at.low[0] + at.low[1];
      needed_ = std::max(needed_, gain / per_bit_ - rounding_);
    }
  }

  std::span<const Entry> order_;
  const double* weight_;
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
