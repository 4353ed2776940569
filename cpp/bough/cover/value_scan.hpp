// The values of a column that the covered rows have, from the smallest up, with what the rows of each count. Where the
// values are few they are counted in a table; otherwise many rows are met by walking down the sorted column, and few
// are sorted: no step of growing a rule costs more than the rows it looks at.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bough/cover/count.hpp"
#include "bough/cover/data.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// Rows in rising order, with what each counts.
template <class Count>
struct CoveredRows {
  std::vector<std::uint32_t> row;
  std::vector<Count> count;
  Count sum;
};

// The rows of each column in the order of their values, those of one value in rising order; made when first asked for.
// The top bit of an entry says that its value differs from the one before.
class SortedColumns {
 public:
  explicit SortedColumns(const RankedTable& table) : table_(table), sorted_(table.columns.size()) {}

  static constexpr std::uint32_t is_new = std::uint32_t{1} << 31U;
  [[nodiscard]] bool fits() const { return table_.rows < is_new; }

  // Several threads may ask for different columns.
  const std::vector<std::uint32_t>& column(std::size_t c) {
    if (sorted_[c].empty()) sort(c);
    return sorted_[c];
  }

 private:
  void sort(std::size_t c) {
    const RankedColumn& column = table_.columns[c];
    std::vector<std::uint32_t> next(column.ranks + std::size_t{2}, 0);
    for (const std::uint32_t rank : column.rank) ++next[rank + 1];
    for (std::size_t r = 1; r < next.size(); ++r) next[r] += next[r - 1];
    std::vector<std::uint32_t> sorted(next[column.ranks]);
    std::vector<std::uint32_t> begin = next;
    for (std::size_t row = 0; row < column.rank.size(); ++row) {
      const std::uint32_t rank = column.rank[row];
      if (rank == column.ranks) continue;
      const bool first = next[rank] == begin[rank];
      sorted[next[rank]++] = static_cast<std::uint32_t>(row) | (first ? is_new : 0U);
    }
    sorted_[c] = std::move(sorted);
  }

  const RankedTable& table_;
  std::vector<std::vector<std::uint32_t>> sorted_;
};

template <class Count>
class ValueScan {
 public:
  ValueScan(const CoverData& data, SortedColumns& sorted) : data_(data), sorted_(sorted) {}

  // Turns to other rows, which must stay as they are until the next turn. One thread does this for all.
  void turn_to(const CoveredRows<Count>& rows) {
    rows_ = &rows;
    walks_ = sorted_.fits() && rows.row.size() >= data_.table->rows / walked_share;
    if (!walks_) return;
    const bool units = data_.weight.empty();
    kind_.assign(units ? data_.table->rows : 0, 0);
    by_row_.assign(units ? 0 : data_.table->rows, Count());
    for (std::size_t i = 0; i < rows.row.size(); ++i) {
      if (units) {
        kind_[rows.row[i]] = rows.count[i].pure() ? 2 : 1;
      } else {
        by_row_[rows.row[i]] = rows.count[i];
      }
    }
  }

  // The memory of one thread.
  struct Memory {
    std::vector<Count> by_rank;  // all empty between two columns
    std::vector<std::uint64_t> entry;
    std::vector<std::uint64_t> other;
    std::vector<std::uint32_t> rank;  // the values in order, the same one several times if it likes
    std::vector<Count> count;
    std::size_t size = 0;
  };

  // Counts the rows by rank; the last is of missing values. Whoever has read it clears it.
  void count_ranks(const RankedColumn& column, Memory& memory) const {
    if (memory.by_rank.size() <= column.ranks) memory.by_rank.resize(column.ranks + std::size_t{1});
    Count* count = memory.by_rank.data();
    const std::uint32_t* rank = column.rank.data();
    for (std::size_t i = 0; i < rows_->row.size(); ++i) count[rank[rows_->row[i]]] += rows_->count[i];
  }
  static void clear(const RankedColumn& column, Memory& memory) {
    std::fill_n(memory.by_rank.begin(), column.ranks + std::size_t{1}, Count());
  }

  // Puts the known values in order into the memory, and returns what the rows without one count.
  Count order(std::size_t c, Memory& memory) const {
    const RankedColumn& column = data_.table->columns[c];
    const std::size_t n = rows_->row.size();
    memory.rank.resize(std::max(data_.table->rows, std::size_t{column.ranks}) + 1);
    memory.count.resize(memory.rank.size());
    memory.size = 0;
    if (column.ranks <= counted_ranks && column.ranks <= 4 * n) return by_table(column, memory);
    if (!walks_) return by_sorting(column, memory);
    if (data_.weight.empty()) {
      const std::array<Count, 3> counts = {Count(), Count(1.0, false), Count(1.0, true)};
      const std::uint8_t* kind = kind_.data();
      walk(c, memory, [&](std::uint32_t row) { return counts[kind[row]]; });
    } else {
      const Count* by_row = by_row_.data();
      walk(c, memory, [&](std::uint32_t row) { return by_row[row]; });
    }
    Count known;
    for (std::size_t i = 0; i < memory.size; ++i) known += memory.count[i];
    return column.has_missing ? rows_->sum - known : Count();
  }

 private:
  static constexpr std::uint32_t counted_ranks = 1U << 15U;
  static constexpr std::size_t walked_share = 8;

  Count by_table(const RankedColumn& column, Memory& memory) const {
    count_ranks(column, memory);
    for (std::uint32_t r = 0; r < column.ranks; ++r) {
      memory.rank[memory.size] = r;
      memory.count[memory.size] = memory.by_rank[r];
      memory.size += memory.by_rank[r].empty() ? 0 : 1;
    }
    const Count missing = memory.by_rank[column.ranks];
    clear(column, memory);
    return missing;
  }

  // Without a condition: which rows are covered is what no processor can foresee.
  template <class CountOf>
  void walk(std::size_t c, Memory& memory, const CountOf& count_of) const {
    std::uint32_t rank = 0xffffffffU;
    std::size_t size = 0;
    for (const std::uint32_t entry : sorted_.column(c)) {
      rank += entry >> 31U;
      const Count count = count_of(entry & ~SortedColumns::is_new);
      memory.rank[size] = rank;
      memory.count[size] = count;
      size += count.empty() ? 0 : 1;
    }
    memory.size = size;
  }

  // A radix sort of (rank, number of the row among the covered ones).
  Count by_sorting(const RankedColumn& column, Memory& memory) const {
    Count missing;
    memory.entry.clear();
    for (std::size_t i = 0; i < rows_->row.size(); ++i) {
      const std::uint32_t rank = column.rank[rows_->row[i]];
      if (rank == column.ranks) {
        missing += rows_->count[i];
      } else {
        memory.entry.push_back((std::uint64_t{rank} << 32U) | i);
      }
    }
    constexpr unsigned digit = 11;
    constexpr std::size_t few = 200;
    if (memory.entry.size() < few) {
      std::ranges::sort(memory.entry);
    } else {
      memory.other.resize(memory.entry.size());
      std::array<std::uint32_t, std::size_t{1} << digit> place;
      const auto end = 32U + static_cast<unsigned>(std::bit_width(column.ranks));
      for (unsigned shift = 32; shift < end; shift += digit) {
        place.fill(0);
        const auto bucket = [&](std::uint64_t e) { return (e >> shift) & (place.size() - 1); };
        for (const std::uint64_t e : memory.entry) ++place[bucket(e)];
        std::uint32_t before = 0;
        for (std::uint32_t& p : place) before += std::exchange(p, before);
        for (const std::uint64_t e : memory.entry) memory.other[place[bucket(e)]++] = e;
        memory.entry.swap(memory.other);
      }
    }
    for (const std::uint64_t e : memory.entry) {
      memory.rank[memory.size] = static_cast<std::uint32_t>(e >> 32U);
      memory.count[memory.size++] = rows_->count[static_cast<std::uint32_t>(e)];
    }
    return missing;
  }

  const CoverData& data_;
  SortedColumns& sorted_;
  const CoveredRows<Count>* rows_ = nullptr;
  bool walks_ = false;
  std::vector<std::uint8_t> kind_;  // by row, without weights: 0 not covered, 1 negative, 2 positive
  std::vector<Count> by_row_;       // with weights
};

}  // namespace bough
