// A column searched by coarse bins over its keys: the cuts between bins are exact and cheap, a bound says which bins
// may hide a better one, and only their rows are sorted. Bounds stand on convexity: a score is largest at a corner of
// what a part of the bin's rows can add up to.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "bough/forest/sorted_scan.hpp"

namespace bough::forest {

inline constexpr std::uint32_t kMostBins = 1024;

// A bin of a column: sums of the rows whose keys fall into it.
struct TwoBin {
  std::uint32_t weight[2];  // by class
};
struct NumberBin {
  std::int64_t weight[2];  // of rows above the centre, and of the others
  std::int64_t sum[2];
};
template <unsigned padded>
struct ManyBin {
  std::uint32_t weight[padded];
};

template <class Node>
struct BinOf;
template <>
struct BinOf<TwoNode> {
  using type = TwoBin;
};
template <>
struct BinOf<NumberNode> {
  using type = NumberBin;
};
template <unsigned padded>
struct BinOf<ManyNode<padded>> {
  using type = ManyBin<padded>;
};

inline void count(TwoBin& bin, std::uint32_t payload, std::int64_t /*value*/) {
  bin.weight[payload & 1U] += payload >> 1U;
}
inline void count(NumberBin& bin, std::uint32_t payload, std::int64_t value) {
  const unsigned side = value > 0 ? 0 : 1;
  bin.weight[side] += payload;
  bin.sum[side] += static_cast<std::int64_t>(payload) * value;
}
template <unsigned padded>
void count(ManyBin<padded>& bin, std::uint32_t payload, std::int64_t /*value*/) {
  bin.weight[payload & 15U] += payload >> 4U;
}

inline void add_bin(TwoNode::Low& low, const TwoBin& bin) {
  low.weight += bin.weight[0] + bin.weight[1];
  low.one += bin.weight[1];
}
inline void add_bin(NumberNode::Low& low, const NumberBin& bin) {
  low.weight += bin.weight[0] + bin.weight[1];
  low.sum += bin.sum[0] + bin.sum[1];
}
template <unsigned padded, class Low>
void add_bin(Low& low, const ManyBin<padded>& bin) {
  std::int64_t squares = 0;
  std::int64_t cross = 0;
  std::int64_t weight = 0;
  for (unsigned k = 0; k < padded; ++k) {
    const std::int64_t of = low.by_class[k] += bin.weight[k];
    squares += of * of;
    cross += of * low.total[k];
    weight += of;
  }
  low.squares = squares;
  low.cross = cross;
  low.weight = weight;
}

// Whether no cut inside the bin, which comes after `low`, can reach the bar. A bin of one class hides nothing where the
// cuts at its ends were looked at: along a line the score is convex. Limits on sides may have ruled out an end.
inline bool hides_nothing(const TwoNode& node, const TwoNode::Low& low, const TwoBin& bin, double bar,
                          bool ends_count) {
  const double left = static_cast<double>(low.weight);
  const double one = static_cast<double>(low.one);
  const double zeros = bin.weight[0];
  const double ones = bin.weight[1];
  const bool corner = node.reaches(left + zeros, one, bar) | node.reaches(left + ones, one + ones, bar);
  return !(corner & (((zeros > 0) & (ones > 0)) | !ends_count));
}

inline bool hides_nothing(const NumberNode& node, const NumberNode::Low& low, const NumberBin& bin, double bar,
                          bool /*ends_count*/) {
  const double left = static_cast<double>(low.weight);
  const double sum = static_cast<double>(low.sum);
  const double weight = static_cast<double>(bin.weight[0] + bin.weight[1]);
  const double above = static_cast<double>(bin.sum[0]);
  const double below = static_cast<double>(bin.sum[1]);
  const double a = node.largest > 0 ? above / static_cast<double>(node.largest) : 0.0;
  const double b = node.smallest < 0 ? below / static_cast<double>(node.smallest) : 0.0;
  const bool corner = node.reaches(left + a, sum + above, bar) | node.reaches(left + weight - b, sum + above, bar) |
                      node.reaches(left + b, sum + below, bar) | node.reaches(left + weight - a, sum + below, bar);
  return !(corner & (weight > 1));
}

// The squared distance of the low side from its share of the node grows at most linearly plus quadratically inside the
// bin; near the ends of the range, where that is weak, what the bin could add if it were pure on both sides.
template <unsigned padded, class Low>
bool hides_nothing(const ManyNode<padded>& node, const Low& low, const ManyBin<padded>& bin, double bar,
                   bool /*ends_count*/) {
  const double n = node.n;
  const double left = static_cast<double>(low.weight);
  double weight = 0;
  double along = 0;
  double distance = 0;
  std::array<double, padded> d;
  std::array<double, padded> share;
  std::array<double, padded> c;
  for (unsigned k = 0; k < padded; ++k) {
    share[k] = static_cast<double>(low.total[k]) / n;
    c[k] = static_cast<double>(static_cast<std::int32_t>(bin.weight[k]));
    weight += c[k];
    d[k] = static_cast<double>(low.by_class[k]) - left * share[k];
    along += d[k] * share[k];
    distance += d[k] * d[k];
  }
  double linear = 0;
  double quadratic = 0;
  double squares = 0;
  double rest = 0;
  for (unsigned k = 0; k < padded; ++k) {
    linear += c[k] * std::max(0.0, d[k] - along);
    const double most = std::max(c[k], weight * share[k]);
    quadratic += most * most;
    const double l = static_cast<double>(low.by_class[k]);
    const double r = static_cast<double>(low.total[k]) - l - c[k];
    squares += l * l;
    rest += r * r;
  }
  const double right = n - left;
  const double nearest = std::min(left * right, (left + weight) * (right - weight));
  const double constant = static_cast<double>(node.squares) / n;
  const double gain = bar - constant;  // of the score that is to be reached
  const bool far = n * (distance + 2 * linear + quadratic) >= gain * nearest;
  const double pure = (left > 0 ? squares / left : 0.0) + (right - weight > 0 ? rest / (right - weight) : 0.0) + weight;
  return !(far & (pure >= bar) & (weight > 1));
}

// One drawn column in bins.
struct Binned {
  std::uint32_t draw = 0;
  std::uint32_t lowest = 0;
  std::uint32_t bins = 0;
  unsigned shift = 0;
  double top = -1;  // the best score of a cut between bins
  const std::uint32_t* key = nullptr;
};

template <class Node>
class BinSearch {
 public:
  using Bin = typename BinOf<Node>::type;
  using Low = typename Node::Low;
  using Contest = bough::forest::Contest<typename Node::Score>;

  explicit BinSearch(std::uint32_t columns) : bin_(std::size_t{columns} * kBins), hot_(kBins), cursor_(kBins) {}

  void begin() { column_.clear(); }

  // Counts a column and enters the cuts between its bins.
  void add(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t lowest,
           std::uint32_t highest, std::uint32_t draw, Contest& contest) {
    constexpr std::uint32_t kRowsPerBin = 4;
    const auto log = static_cast<unsigned>(std::bit_width(std::min(kBins, std::max(8U, rows.size / kRowsPerBin))) - 1);
    const auto bits = static_cast<unsigned>(std::bit_width(highest - lowest));
    Binned column;
    column.draw = draw;
    column.lowest = lowest;
    column.shift = bits > log ? bits - log : 0;
    column.bins = ((highest - lowest) >> column.shift) + 1;
    column.key = key;
    Bin* bin = at(column_.size());
    std::memset(static_cast<void*>(bin), 0, sizeof(Bin) * column.bins);
    const unsigned shift = column.shift;
    for (std::uint32_t i = 0; i < rows.size; ++i) {
      count(bin[(key[i] - lowest) >> shift], payload(rows.entry[i]), rows.value_at(i));
    }
    Low low = node.low();
    for (std::uint32_t b = 0; b + 1 < column.bins; ++b) {
      add_bin(low, bin[b]);
      if (!node.may_reach(low, column.top) || !contest.takes(low.weight)) continue;
      const double score = node.score_of(low);
      if (score < contest.bar() && !contest.constrained()) {
        column.top = std::max(column.top, score);
        continue;
      }
      Cut cut;
      cut.score = score;
      cut.draw = draw;
      cut.key = lowest + ((b + 1) << shift) - 1;
      node.fill(cut, low);
      if (!contest.allows(cut)) continue;  // and does not raise the bar
      column.top = std::max(column.top, score);
      contest.enter_allowed(cut);
    }
    column_.push_back(column);
  }

  // The bins that may hide a better cut, from the most promising column on.
  void refine(const Node& node, const Rows<Node>& rows, Contest& contest, SortScratch& scratch) {
    order_.resize(column_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
    std::sort(order_.begin(), order_.end(),
              [this](std::uint32_t a, std::uint32_t b) { return column_[a].top > column_[b].top; });
    for (const std::uint32_t i : order_) {
      if (column_[i].shift > 0) refine_column(node, rows, column_[i], at(i), contest, scratch);
    }
  }

 private:
  static constexpr std::uint32_t kBins = Node::kMany ? kMostBins / 4 : kMostBins;
  static constexpr double kMargin = 1e-10;  // more than bounds lose by rounding, as a share

  Bin* at(std::size_t column) { return bin_.data() + column * kBins; }

  void refine_column(const Node& node, const Rows<Node>& rows, const Binned& column, const Bin* bin, Contest& contest,
                     SortScratch& scratch) {
    const double bar = contest.bar() - std::abs(contest.bar()) * kMargin;
    const bool ends_count = contest.least_side() <= 1 && !contest.constrained();
    std::uint32_t hot = 0;
    Low low = node.low();
    for (std::uint32_t b = 0; b < column.bins; ++b) {
      hot_[hot] = static_cast<std::uint16_t>(b);
      hot += hides_nothing(node, low, bin[b], bar, ends_count) ? 0 : 1;
      add_bin(low, bin[b]);
    }
    if (hot == 0) return;
    collect(rows, column, hot, scratch);
    low = node.low();
    std::uint32_t next = 0;
    std::uint32_t begin = 0;
    for (std::uint32_t i = 0; i < hot; ++i) {
      for (; next < hot_[i]; ++next) add_bin(low, bin[next]);
      const std::uint32_t end = cursor_[hot_[i]];
      sort_few(scratch.sorted.data() + begin, end - begin);
      Cut cut;
      cut.draw = column.draw;
      // All rows of the bin are added to `low`, its cuts entered on the way.
      scan_sorted(node, rows, scratch.sorted.data() + begin, end - begin, cut, low, contest);
      ++next;
      begin = end;
    }
  }

  // The rows of the hot bins, bin by bin.
  void collect(const Rows<Node>& rows, const Binned& column, std::uint32_t hot, SortScratch& scratch) {
    const std::uint32_t first = hot_[0];
    const std::uint32_t last = hot_[hot - 1];
    std::array<std::uint8_t, kMostBins> is_hot;
    std::memset(is_hot.data() + first, 0, last - first + 1);
    for (std::uint32_t i = 0; i < hot; ++i) {
      is_hot[hot_[i]] = 1;
      cursor_[hot_[i]] = 0;
    }
    const std::uint32_t from = column.lowest + (first << column.shift);
    const auto reach = static_cast<std::uint32_t>((std::uint64_t{last - first + 1} << column.shift) - 1);
    if (found_.size() < rows.size) found_.resize(rows.size);
    std::uint32_t* into = found_.data();
    const auto take = [&](std::uint32_t i) {
      if (column.key[i] - from > reach) return;
      const std::uint32_t b = (column.key[i] - column.lowest) >> column.shift;
      if (is_hot[b] == 0) return;
      ++cursor_[b];
      *into++ = i;
    };
    std::uint32_t i = 0;
    for (; i + 8 <= rows.size; i += 8) {
      std::uint32_t any = 0;
      for (std::uint32_t lane = 0; lane < 8; ++lane) any |= column.key[i + lane] - from <= reach ? 1U : 0U;
      if (any == 0) continue;
      for (std::uint32_t lane = 0; lane < 8; ++lane) take(i + lane);
    }
    for (; i < rows.size; ++i) take(i);
    std::uint32_t sum = 0;
    for (std::uint32_t h = 0; h < hot; ++h) {
      sum += std::exchange(cursor_[hot_[h]], sum);
    }
    if (scratch.sorted.size() < sum) scratch.sorted.resize(sum);
    for (const std::uint32_t* found = found_.data(); found < into; ++found) {
      const std::uint32_t at = *found;
      const std::uint32_t low = Node::kNumbers ? at : payload(rows.entry[at]);
      scratch.sorted[cursor_[(column.key[at] - column.lowest) >> column.shift]++] =
          (std::uint64_t{column.key[at]} << 32U) | low;
    }
  }

  std::vector<Binned> column_;
  std::vector<Bin> bin_;
  std::vector<std::uint16_t> hot_;
  std::vector<std::uint32_t> cursor_;  // where the next row of a bin goes, at last the bin's end
  std::vector<std::uint32_t> found_;
  std::vector<std::uint32_t> order_;
};

}  // namespace bough::forest
