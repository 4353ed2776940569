// A cohort is a block of rows with their classes or values, their weights, and for each column an order: the rows
// sorted by the column's rank, missing last. A node is a range [begin, end), the same range in every order; splitting
// a node is a stable partition of its range in each order, so nothing is ever sorted again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bough/engine/options.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// Nodes with at most this many rows are copied into a block of their own, where all arrays stay in the near caches.
inline constexpr std::size_t kBlockRows = std::size_t{1} << 14;

// The branch of a row while a node is split. Rows that stay take part in neither child.
inline constexpr std::uint8_t kStays = 2;

// An entry of an order: the id of a row in its block and, in classification, its class, so that a scan reads one
// stream and gathers nothing. 32 bits serve ids below 2^24 and at most 256 classes, 64 bits the rest.
template <class Word>
struct EntryOf {
  static constexpr int kIdBits = sizeof(Word) == 4 ? 24 : 32;
  static constexpr Word kIdMask = (Word{1} << kIdBits) - 1;
  Word word;

  static EntryOf make(std::size_t id, std::uint32_t label) {
    return {static_cast<Word>(static_cast<Word>(id) | (static_cast<Word>(label) << kIdBits))};
  }
  [[nodiscard]] std::uint32_t id() const { return static_cast<std::uint32_t>(word & kIdMask); }
  [[nodiscard]] std::uint32_t label() const { return static_cast<std::uint32_t>(word >> kIdBits); }
  static bool fits(std::size_t ids, std::uint32_t classes) {
    return ids <= (std::size_t{1} << kIdBits) && (sizeof(Word) == 8 || classes <= 256);
  }
};

// A row of two classes with a small whole weight, in one byte: the weight, and the sign bit for class 1. So a scan
// gathers once, from an array that stays in the near caches.
using WholeTag = std::int8_t;
inline constexpr std::int32_t kTagWeight = 127;
// Whether weights are whole numbers so small that the products of two sums of them are exact.
bool exact_in_products(const std::vector<double>& weight);

// How the search reads a column, the same in every block: by an order of its own, or, with at most kTableRanks ranks,
// from bytes that are counted in a table.
enum class Layout : std::uint8_t { order, table };

// Whether two rows of a column have the same value. The answer is nearly always no, and the bits say so without a look
// at the ranks, which are too many for the near caches.
struct Ties {
  const std::uint32_t* rank = nullptr;    // by id; null: all differ and none is missing
  const std::uint64_t* shared = nullptr;  // a bit an id: set where the rank may occur twice; null: anywhere

  [[nodiscard]] bool may_share(std::uint32_t id) const {
    return shared == nullptr || ((shared[id / 64] >> (id % 64)) & 1) != 0;
  }
  [[nodiscard]] bool operator()(std::uint32_t a, std::uint32_t b) const {
    return rank != nullptr && may_share(a) && may_share(b) && rank[a] == rank[b];
  }
};

template <class Entry>
struct Cohort {
  struct Column {
    Layout layout = Layout::order;
    std::vector<Entry> order;               // layout order
    Ties ties;                              // layout order
    std::vector<std::uint32_t> own_rank;    // what `ties` reads in blocks where two rows share a rank
    std::vector<std::uint64_t> own_shared;
    std::vector<std::uint8_t> code;         // layout table: the rank by id, `missing_code` if missing
    std::uint32_t missing_rank = 0;         // the rank of missing values
    bool has_missing = false;
  };

  std::size_t ids = 0;                   // ids are 0 .. ids - 1
  std::vector<std::uint32_t> row;        // by id: the row of the table; empty: the id is the row
  std::vector<std::uint32_t> label;      // by id
  std::vector<double> value;             // by id, centred at the mean of the root
  std::vector<double> weight;            // by id; empty: all 1
  std::vector<WholeTag> tag;             // by id; empty: no weights, or they do not fit
  std::vector<Column> columns;
  std::vector<Entry> list;               // the rows of each node, ascending ids: what table columns walk
  std::vector<Entry> value_order;        // sorted by value: only for criteria of absolute error
  std::vector<std::uint32_t> value_rank; // by id: position among the values of its node
  std::vector<std::uint8_t> side;        // by id: the branch while a node is split in two
  std::vector<std::uint32_t> branch;     // by id: the same for any number of branches; empty until it is needed

  [[nodiscard]] std::uint32_t row_of(std::uint32_t id) const { return row.empty() ? id : row[id]; }
  [[nodiscard]] double weight_of(std::uint32_t id) const { return weight.empty() ? 1.0 : weight[id]; }

  // How many entries of a range have a known value; missing ones stand at its end.
  [[nodiscard]] std::size_t known_in(const Column& column, std::size_t begin, std::size_t end) const {
    if (!column.has_missing) return end - begin;
    std::size_t low = begin;
    std::size_t high = end;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (column.ties.rank[column.order[middle].id()] == column.missing_rank) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low - begin;
  }
};

// What of a split node is carried on: the numbers of rows in its two branches, and whether each will be searched.
struct Parting {
  std::size_t rows[2] = {0, 0};
  bool open[2] = {true, true};
  bool stays = false;  // some rows stay in the node
};

// Moves the entries of one order of a node into its open branches: branch 0 first, then branch 1, both in their
// former order; entries of closed branches and of rows that stay are dropped. `scratch` holds as many entries.
template <class Entry>
void part_range(std::span<Entry> range, const std::uint8_t* side, const Parting& parting, Entry* scratch) {
  std::size_t kept = 0;
  std::size_t moved = 0;
  if (parting.open[0] && parting.open[1]) {
    if (!parting.stays) {
      for (const Entry entry : range) {
        const std::size_t high = side[entry.id()];
        range[kept] = entry;
        scratch[moved] = entry;
        kept += 1 - high;
        moved += high;
      }
    } else {
      for (const Entry entry : range) {
        const std::uint8_t branch = side[entry.id()];
        range[kept] = entry;
        scratch[moved] = entry;
        kept += static_cast<std::size_t>(branch == 0);
        moved += static_cast<std::size_t>(branch == 1);
      }
    }
    std::copy_n(scratch, moved, range.data() + kept);
  } else {
    const std::uint8_t open = parting.open[0] ? 0 : 1;
    for (const Entry entry : range) {
      range[kept] = entry;
      kept += static_cast<std::size_t>(side[entry.id()] == open);
    }
  }
}

// The same for any number of branches: start[b] is the place of branch b's first entry in the range, kClosed for
// entries that are dropped; `next` is scratch.
inline constexpr std::size_t kClosed = std::numeric_limits<std::size_t>::max();
template <class Entry>
void part_range_many(std::span<Entry> range, const std::uint32_t* branch, const std::vector<std::size_t>& start,
                     std::vector<std::size_t>& next, Entry* scratch) {
  next = start;
  std::size_t kept = 0;
  for (const Entry entry : range) {
    std::size_t& place = next[branch[entry.id()]];
    if (place == kClosed) continue;
    scratch[place++] = entry;
    ++kept;
  }
  std::copy_n(scratch, kept, range.data());
}

// The block of all rows that take part: ids are rows of the table.
template <class Entry>
Cohort<Entry> whole_cohort(const RankedTable& table, const Target& target, const std::vector<std::uint32_t>& rows,
                           double centre, bool tables_allowed, bool by_value, int threads);

// A block for the rows of one node of `from`; `new_id` is scratch by id of `from`, shared by blocks of disjoint nodes.
template <class Entry>
Cohort<Entry> block_of(const Cohort<Entry>& from, std::size_t begin, std::size_t end,
                       std::vector<std::uint32_t>& new_id);

// Entries of a block, the same places in every order.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

// A block for some rows of a node and, under fractional cases, for the rows of another block (null: none) with a share
// of their weight. Ranks stay those of the table, so that two orders can be merged; `shared` must be made here, too.
template <class Entry>
Cohort<Entry> merged_block(const Cohort<Entry>& from, const Stretch& part, const Cohort<Entry>* shared, double share,
                           std::vector<std::uint32_t>& new_id);

}  // namespace bough
