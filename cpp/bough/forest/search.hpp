// The search of a node: columns are drawn one after the other, their keys gathered, and each is searched in the way
// that its kind and the node's size ask for; all ways give the same cut.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "bough/forest/bins.hpp"
#include "bough/forest/blocks.hpp"
#include "bough/forest/draw.hpp"
#include "bough/forest/keys.hpp"
#include "bough/forest/known.hpp"
#include "bough/forest/levels.hpp"
#include "bough/forest/options.hpp"
#include "bough/forest/random_cut.hpp"
#include "bough/forest/small.hpp"
#include "bough/forest/sorted_scan.hpp"

namespace bough::forest {

struct NoBins {
  explicit NoBins(std::uint32_t /*columns*/) {}
};
// Bins where a node of this form can have them.
template <class Node, bool binned = Node::kBinned>
struct BinsFor {
  using type = BinSearch<Node>;
};
template <class Node>
struct BinsFor<Node, false> {
  using type = NoBins;
};

template <class Node>
class NodeSearch {
 public:
  using Score = typename Node::Score;

  NodeSearch(const std::vector<KeyColumn>& keys, const ForestOptions& options)
      : keys_(keys),
        options_(options),
        draw_(static_cast<std::uint32_t>(keys.size())),
        bins_(std::min(kBatch, options.max_features)) {
    column_keys_.resize(std::min(kBatch, options.max_features));
  }

  // Before a tree is grown.
  void begin(std::uint64_t tree_seed) {
    if (!options_.draw_once) return;
    draw_.use_all(static_cast<std::uint32_t>(keys_.size()));
    draw_.use_some(columns_seed(tree_seed), options_.max_features);
  }

  // The best cut of the columns that the node draws; false if there is none.
  bool search(const Node& node, const Rows<Node>& rows, const Block& block, std::uint64_t seed, const Bounds& bounds) {
    contest_.begin(node, options_.min_leaf);
    if (!options_.monotone.empty()) contest_.constrain(bounds, keys_.size());
    draw_.begin(seed);
    seed_ = seed;
    best_key_ = nullptr;
    if (options_.random_cuts) {
      look_randomly(node, rows, block);
    } else if (rows.size <= kSmall && options_.way == SearchWay::automatic) {
      look_small(node, rows, block);
    } else {
      look_large(node, rows, block);
    }
    return contest_.any();
  }

  [[nodiscard]] const Cut& best() const { return contest_.best(); }
  [[nodiscard]] std::uint32_t column() const { return best_column_; }
  [[nodiscard]] const std::uint32_t* key() const { return best_key_; }  // of its column, by row of the node
  [[nodiscard]] const LevelSearch<Node>& levels() const { return levels_; }

 private:
  static constexpr std::uint32_t kBatch = 32;         // columns that are binned before any is refined
  static constexpr std::uint32_t kSortedRows = 4096;  // below, nodes of many classes are sorted
  static constexpr std::uint32_t kNoRank = ~0U;

  // Whether both sides of the best cut are pure: what is drawn later cannot be better.
  bool perfect(const Node& node) const {
    const Cut& cut = contest_.best();
    if (cut.base != 0) return false;  // not for the rows that were left out
    if constexpr (Node::kMany) {
      const std::int64_t other = static_cast<std::int64_t>(node.n) - cut.weight;
      return contest_.any() && cut.sum == cut.weight * cut.weight && cut.rest == other * other;
    } else if constexpr (Node::kNumbers) {
      return false;
    } else {
      const auto ones = static_cast<std::int64_t>(node.ones);
      return contest_.any() && ((cut.sum == 0 && ones == static_cast<std::int64_t>(node.n) - cut.weight) ||
                                (cut.sum == cut.weight && cut.sum == ones));
    }
  }

  struct Extent {
    std::uint32_t lowest;
    std::uint32_t highest;
  };
  Extent gather(const Rows<Node>& rows, const std::uint32_t* source, std::uint32_t* into) const {
    std::uint32_t lowest = ~0U;
    std::uint32_t highest = 0;
    for (std::uint32_t i = 0; i < rows.size; ++i) {
      const std::uint32_t key = source[local_row(rows.entry[i])];
      into[i] = key;
      lowest = std::min(lowest, key);
      highest = std::max(highest, key);
    }
    return {lowest, highest};
  }

  static std::uint32_t highest_known(const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t missing) {
    std::uint32_t highest = 0;
    for (std::uint32_t i = 0; i < rows.size; ++i) highest = std::max(highest, key[i] == missing ? 0U : key[i]);
    return highest;
  }

  // Draws a column that is not constant and gathers its keys; false if none is left.
  bool next_column(const Rows<Node>& rows, const Block& block, std::uint32_t* into, std::uint32_t& looked,
                   std::uint32_t& column, Extent& extent) {
    while (looked < options_.max_features && draw_.any_left()) {
      column = draw_.next();
      extent = gather(rows, block.column[column], into);
      if (extent.lowest != extent.highest && !is_left_out(rows, into, column, extent)) {
        if (contest_.constrained()) contest_.set_sign(looked, options_.monotone[column]);
        return true;
      }
      looked += options_.constants_count ? 1U : 0U;
    }
    return false;
  }

  // Whether all but rows without a value, which are left out, have the same value.
  bool is_left_out(const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t column, const Extent& extent) const {
    const std::uint32_t missing = keys_[column].missing;
    return (options_.missing == Missing::majority || options_.missing == Missing::random) &&
           extent.highest == missing && highest_known(rows, key, missing) == extent.lowest;
  }

  // A nominal column, or one with missing values in the node; false if it is neither.
  bool look_special(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, std::uint32_t column,
                    const Extent& extent, std::uint32_t draw) {
    const KeyColumn& of = keys_[column];
    const bool without = extent.highest == of.missing;
    if (without && options_.missing != Missing::learned) {
      look_at_known(node, rows, key, of, extent.lowest, draw);
      return true;
    }
    if (of.by_sets()) {
      levels_.search(node, rows, key, of.levels, nullptr, draw, contest_);
      return true;
    }
    if (!without) return false;
    search_sorted(node, rows, key, extent.lowest, highest_known(rows, key, of.missing), of.missing, draw, contest_,
                  sort_);
    return true;
  }

  void look_at_known(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, const KeyColumn& of,
                     std::uint32_t lowest, std::uint32_t draw) {
    const std::uint32_t highest = highest_known(rows, key, of.missing);
    if (lowest == highest) {
      enter_apart(node, rows, key, highest, of.missing, draw, contest_);
      return;
    }
    known_.begin(node, rows, key, of.missing, options_.missing, seed_);
    if (options_.random_cuts && of.by_sets()) {
      levels_.draw_set(node, rows, key, of.levels, &known_, draw, draw_.words(), contest_);
    } else if (options_.random_cuts) {
      enter_random_cut(node, rows, key, lowest, highest, of, true, &known_, draw, draw_.words(), contest_);
    } else if (of.by_sets()) {
      levels_.search(node, rows, key, of.levels, &known_, draw, contest_);
    } else {
      search_known(known_, rows, key, lowest, highest, of.missing, draw, contest_, sort_);
    }
  }

  void look_small(const Node& node, const Rows<Node>& rows, const Block& block) {
    alignas(32) SmallKeys key;
    alignas(32) SmallKeys weight;
    bool lanes = false;
    if constexpr (!Node::kMany && !Node::kNumbers) {
      lanes = node.n <= kSmallWeight && contest_.least_side() <= 1 && !contest_.constrained();
      if (lanes) small_weights(rows, weight);
    }
    std::uint32_t looked = 0;
    std::uint32_t column = 0;
    Extent extent{};
    auto* keys = reinterpret_cast<std::uint32_t*>(key.data());
    while (next_column(rows, block, keys, looked, column, extent)) {
      for (std::uint32_t i = rows.size; i < kSmall; ++i) key[i] = std::numeric_limits<std::int32_t>::max();
      if (!look_special(node, rows, keys, column, extent, looked)) {
        if (extent.highest >= kPlacedKey) {
          search_sorted(node, rows, keys, extent.lowest, extent.highest, kNoRank, looked, contest_, sort_);
        } else if constexpr (!Node::kMany && !Node::kNumbers) {
          if (lanes) {
            search_small(node, rows.size, key, weight, looked, contest_);
          } else {
            search_placed(node, rows, key, looked, contest_);
          }
        } else {
          search_placed(node, rows, key, looked, contest_);
        }
      }
      if (contest_.best().draw == looked) keep_best(keys, rows.size, column);
      ++looked;
      if (perfect(node)) return;
    }
  }

  void look_large(const Node& node, const Rows<Node>& rows, const Block& block) {
    const bool sorted = options_.way == SearchWay::sorted ||
                        (Node::kMany && rows.size <= kSortedRows && options_.way == SearchWay::automatic);
    std::uint32_t looked = 0;
    Extent extent{};
    bool more = true;
    while (more) {
      const std::uint32_t first = looked;
      std::uint32_t slot = 0;
      if constexpr (Node::kBinned) bins_.begin();
      while (slot < column_keys_.size()) {
        auto& [key, column] = column_keys_[slot];
        if (key.size() < rows.size) key.resize(rows.size);
        more = next_column(rows, block, key.data(), looked, column, extent);
        if (!more) break;
        if (!look_special(node, rows, key.data(), column, extent, looked)) {
          look_plain(node, rows, key.data(), extent, looked, sorted);
        }
        ++looked;
        // Columns that count as looked at without being so have a place among the draws, but no keys.
        draw_of_slot_[slot++] = looked - 1;
      }
      if constexpr (Node::kBinned) bins_.refine(node, rows, contest_, sort_);
      const std::uint32_t best = contest_.best().draw;
      if (!contest_.any() || best < first) continue;
      for (std::uint32_t s = 0; s < slot; ++s) {
        if (draw_of_slot_[s] != best) continue;
        if (more) {
          keep_best(column_keys_[s].key.data(), rows.size, column_keys_[s].column);
        } else {
          best_key_ = column_keys_[s].key.data();
          best_column_ = column_keys_[s].column;
        }
      }
    }
  }

  void look_plain(const Node& node, const Rows<Node>& rows, const std::uint32_t* key, const Extent& extent,
                  std::uint32_t draw, bool sorted) {
    if constexpr (Node::kBinned) {
      if (!sorted) {
        bins_.add(node, rows, key, extent.lowest, extent.highest, draw, contest_);
        return;
      }
    }
    search_sorted(node, rows, key, extent.lowest, extent.highest, kNoRank, draw, contest_, sort_);
  }

  void look_randomly(const Node& node, const Rows<Node>& rows, const Block& block) {
    auto& [key, column] = column_keys_[0];
    if (key.size() < rows.size) key.resize(rows.size);
    std::uint32_t looked = 0;
    Extent extent{};
    while (next_column(rows, block, key.data(), looked, column, extent)) {
      const KeyColumn& of = keys_[column];
      const bool without = extent.highest == of.missing;
      if (without && options_.missing != Missing::learned) {
        look_at_known(node, rows, key.data(), of, extent.lowest, looked);
      } else if (of.by_sets()) {
        levels_.draw_set(node, rows, key.data(), of.levels, nullptr, looked, draw_.words(), contest_);
      } else {
        const std::uint32_t highest = without ? highest_known(rows, key.data(), of.missing) : extent.highest;
        enter_random_cut(node, rows, key.data(), extent.lowest, highest, of, without, nullptr, looked, draw_.words(),
                         contest_);
      }
      if (contest_.best().draw == looked) {
        kept_.swap(key);
        best_key_ = kept_.data();
        best_column_ = column;
        if (key.size() < rows.size) key.resize(rows.size);
      }
      ++looked;
    }
  }

  void keep_best(const std::uint32_t* key, std::uint32_t rows, std::uint32_t column) {
    if (kept_.size() < rows) kept_.resize(rows);
    std::copy_n(key, rows, kept_.begin());
    best_key_ = kept_.data();
    best_column_ = column;
  }

  const std::vector<KeyColumn>& keys_;
  const ForestOptions& options_;
  ColumnDraw draw_;
  typename BinsFor<Node>::type bins_;
  LevelSearch<Node> levels_;
  KnownRows<Node> known_;
  Contest<Score> contest_;
  SortScratch sort_;
  struct Drawn {
    std::vector<std::uint32_t> key;
    std::uint32_t column = 0;
  };
  std::vector<Drawn> column_keys_;
  std::array<std::uint32_t, kBatch> draw_of_slot_{};
  std::vector<std::uint32_t> kept_;  // keys of the best column so far
  const std::uint32_t* best_key_ = nullptr;
  std::uint32_t best_column_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace bough::forest
