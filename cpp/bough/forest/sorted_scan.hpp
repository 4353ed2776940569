// A column searched by sorting: rows into more buckets than there are rows, each bucket sorted, one pass over all
// cuts. What other ways of searching must agree with; and the quick way for three and more classes in nodes of some
// thousand rows. Rows without a value are left out of the order and tried on either side of every cut.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "bough/forest/node.hpp"

namespace bough::forest {

inline constexpr std::uint32_t kFew = 24;

// Ascending, quick where no item is far from its place.
inline void sort_near(std::uint64_t* item, std::size_t n) {
  for (std::size_t i = 1; i < n; ++i) {
    const std::uint64_t moved = item[i];
    if (item[i - 1] <= moved) continue;
    item[i] = item[i - 1];
    std::size_t to = i - 1;
    for (; to > 0 && item[to - 1] > moved; --to) item[to] = item[to - 1];
    item[to] = moved;
  }
}

// Ascending, quick for the handful of items that a bucket holds.
inline void sort_few(std::uint64_t* item, std::size_t n) {
  if (n > kFew) {
    std::sort(item, item + n);
  } else {
    sort_near(item, n);
  }
}

struct SortScratch {
  std::vector<std::uint32_t> end;     // of each bucket
  std::vector<std::uint64_t> sorted;  // key above; below the payload, of numbers the place in the node
};

// Sorts the rows by key, those with the key `missing` left out; gives how many there are.
template <class Node>
std::uint32_t sort_rows(const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t lowest, std::uint32_t highest,
                        std::uint32_t missing, SortScratch& scratch) {
  const std::uint32_t n = rows.size;
  const auto log = static_cast<unsigned>(std::bit_width(n));
  const auto bits = static_cast<unsigned>(std::bit_width(highest - lowest));
  const unsigned shift = bits > log ? bits - log : 0;
  const std::uint32_t buckets = ((highest - lowest) >> shift) + 1;
  scratch.end.assign(buckets, 0);
  if (scratch.sorted.size() < n) scratch.sorted.resize(n);
  std::uint32_t* end = scratch.end.data();
  for (std::uint32_t i = 0; i < n; ++i) {
    if (key[i] != missing) ++end[(key[i] - lowest) >> shift];
  }
  std::uint32_t sum = 0;
  std::uint32_t fullest = 0;
  for (std::uint32_t b = 0; b < buckets; ++b) {
    const std::uint32_t count = end[b];
    fullest = std::max(fullest, count);
    end[b] = sum;
    sum += count;
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    if (key[i] == missing) continue;
    const std::uint32_t low = Node::kNumbers ? i : payload(rows.entry[i]);
    scratch.sorted[end[(key[i] - lowest) >> shift]++] = (std::uint64_t{key[i]} << 32U) | low;
  }
  if (shift > 0 && fullest <= kFew) {
    sort_near(scratch.sorted.data(), sum);  // all buckets in one go: none has an item far from its place
  } else if (shift > 0) {
    std::uint32_t begin = 0;
    for (std::uint32_t b = 0; b < buckets; ++b) {
      sort_few(scratch.sorted.data() + begin, end[b] - begin);
      begin = end[b];
    }
  }
  return sum;
}

// Enters all cuts of the sorted items, on top of what `low` holds already. `last` tells whether the end of the items is
// a cut as well.
template <class Node>
void scan_sorted(const Node& node, const Rows<Node>& rows, const std::uint64_t* item, std::uint32_t n, Cut cut,
                 typename Node::Low& low, Contest<typename Node::Score>& contest, bool last = false) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto below = static_cast<std::uint32_t>(item[i]);
    if constexpr (Node::kNumbers) {
      Node::add(low, payload(rows.entry[below]), rows.value_at(below));
    } else {
      Node::add(low, below, 0);
    }
    if (i + 1 == n ? !last : (item[i] >> 32U) == (item[i + 1] >> 32U)) continue;
    if (!node.may_reach(low, contest.bar())) continue;
    cut.score = node.score_of(low);
    cut.key = static_cast<std::uint32_t>(item[i] >> 32U);
    cut.apart = i + 1 == n ? 1 : 0;
    node.fill(cut, low);
    contest.enter(cut);
  }
}

// The whole column. `missing` is the key of rows without a value; `highest` is the largest of the others.
template <class Node>
void search_sorted(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t lowest,
                   std::uint32_t highest, std::uint32_t missing, std::uint32_t draw,
                   Contest<typename Node::Score>& contest, SortScratch& scratch) {
  const std::uint32_t known = sort_rows(rows, key, lowest, highest, missing, scratch);
  Cut cut;
  cut.draw = draw;
  cut.missing_high = 1;
  auto low = node.low();
  // With all missing rows on the high side, the last known row is followed by a cut too: known against missing.
  scan_sorted(node, rows, scratch.sorted.data(), known, cut, low, contest, known < rows.size);
  if (known == rows.size) return;
  low = node.low();
  for (std::uint32_t i = 0; i < rows.size; ++i) {
    if (key[i] == missing) Node::add(low, payload(rows.entry[i]), rows.value_at(i));
  }
  cut.missing_high = 0;
  scan_sorted(node, rows, scratch.sorted.data(), known, cut, low, contest);
}

}  // namespace bough::forest
