#include "bough/table/ranked.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "bough/base/error.hpp"

namespace bough {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

// Order-preserving unsigned keys; -0.0 becomes 0.0.
std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
std::uint64_t key_of(std::int64_t value) { return std::bit_cast<std::uint64_t>(value) ^ kSign; }
std::uint64_t key_of(std::uint64_t value) { return value; }

struct Keyed {
  std::vector<std::uint64_t> key;  // by row; undefined for rows that are not in `row`
  std::vector<std::uint32_t> row;  // the rows with a known value, ascending
};

template <class Value, class Wide>
Keyed known_keys(const ColumnView& column, std::size_t rows, const std::uint8_t* used) {
  Keyed known;
  known.key.resize(rows);
  known.row.reserve(rows);
  const auto* data = static_cast<const Value*>(column.data);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto at = static_cast<std::int64_t>(row);
    if (used != nullptr && used[row] == 0) continue;
    if (column.missing != nullptr && column.missing[at * column.missing_stride] != 0) continue;
    const Value value = data[at * column.stride];
    if constexpr (std::is_floating_point_v<Value>) {
      if (std::isnan(value)) continue;
    }
    known.key[row] = key_of(static_cast<Wide>(value));
    known.row.push_back(static_cast<std::uint32_t>(row));
  }
  return known;
}

Keyed keys_of(const ColumnView& column, std::size_t rows, const std::uint8_t* used) {
  switch (column.type) {
    case ColumnView::Type::f32:
      return known_keys<float, double>(column, rows, used);
    case ColumnView::Type::f64:
      return known_keys<double, double>(column, rows, used);
    case ColumnView::Type::i32:
      return known_keys<std::int32_t, std::int64_t>(column, rows, used);
    case ColumnView::Type::i64:
      return known_keys<std::int64_t, std::int64_t>(column, rows, used);
    case ColumnView::Type::u64:
      break;
  }
  return known_keys<std::uint64_t, std::uint64_t>(column, rows, used);
}

// Calls settle(first, last) for each run of rows that agree in the key bits an entry has room for, runs in ascending
// order. Entries of 8 bytes (32 key bits, 32 row bits) go through three 11-bit radix passes: half the traffic of
// (key, row) pairs, and the full key is looked at only inside a run.
template <class Settle>
void for_each_run(const Keyed& known, Settle settle) {
  constexpr int kRowBits = 32;
  constexpr std::array<int, 3> kDigit = {11, 11, 10};
  constexpr std::array<int, 3> kShift = {32, 43, 54};
  constexpr std::uint64_t kRow = (std::uint64_t{1} << kRowBits) - 1;
  const std::size_t n = known.row.size();
  std::uint64_t smallest = ~std::uint64_t{0};
  std::uint64_t largest = 0;
  for (const std::uint32_t row : known.row) {
    smallest = std::min(smallest, known.key[row]);
    largest = std::max(largest, known.key[row]);
  }
  const int width = n != 0 ? 64 - std::countl_zero(largest - smallest) : 0;
  const int drop = std::max(0, width - kRowBits);
  std::vector<std::uint64_t> entry(n);
  std::array<std::vector<std::uint32_t>, 3> count;
  for (std::size_t pass = 0; pass < 3; ++pass) count[pass].assign(std::size_t{1} << kDigit[pass], 0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t row = known.row[i];
    const std::uint64_t e = (((known.key[row] - smallest) >> drop) << kRowBits) | row;
    entry[i] = e;
    for (std::size_t pass = 0; pass < 3; ++pass) ++count[pass][(e >> kShift[pass]) & (count[pass].size() - 1)];
  }
  std::vector<std::uint64_t> other(n);
  for (std::size_t pass = 0; pass < 3 && kShift[pass] - kRowBits < width - drop; ++pass) {
    std::uint32_t offset = 0;
    for (std::uint32_t& c : count[pass]) offset += std::exchange(c, offset);
    for (const std::uint64_t e : entry) other[count[pass][(e >> kShift[pass]) & (count[pass].size() - 1)]++] = e;
    entry.swap(other);
  }
  other = {};
  std::vector<std::uint32_t> run;
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin;
    run.clear();
    for (; end < n && (entry[end] >> kRowBits) == (entry[begin] >> kRowBits); ++end) {
      run.push_back(static_cast<std::uint32_t>(entry[end] & kRow));
    }
    settle(run, drop > 0);
    begin = end;
  }
}

RankedColumn rank_numeric(const ColumnView& column, std::size_t rows, const std::uint8_t* used) {
  RankedColumn ranked;
  ranked.view = column;
  const Keyed known = keys_of(column, rows, used);
  constexpr std::uint32_t kUnset = std::numeric_limits<std::uint32_t>::max();
  ranked.rank.assign(rows, kUnset);
  std::uint32_t next = 0;
  for_each_run(known, [&](std::vector<std::uint32_t>& run, bool mixed) {
    if (mixed && run.size() > 1) {
      std::sort(run.begin(), run.end(), [&](std::uint32_t a, std::uint32_t b) { return known.key[a] < known.key[b]; });
      for (std::size_t i = 0; i < run.size(); ++i) {
        if (i > 0 && known.key[run[i]] != known.key[run[i - 1]]) ++next;
        ranked.rank[run[i]] = next;
      }
    } else {
      for (const std::uint32_t row : run) ranked.rank[row] = next;
    }
    ++next;
  });
  ranked.ranks = next;
  ranked.has_missing = known.row.size() < rows;
  if (ranked.has_missing) std::replace(ranked.rank.begin(), ranked.rank.end(), kUnset, ranked.ranks);
  return ranked;
}

RankedColumn rank_codes(const ColumnView& column, std::size_t rows, std::uint32_t levels, const std::uint8_t* used) {
  if (column.type != ColumnView::Type::i32) throw InvalidInput("column", "levels must come as int32 codes");
  RankedColumn ranked;
  ranked.view = column;
  ranked.ranks = levels;
  ranked.rank.resize(rows);
  const auto* codes = static_cast<const std::int32_t*>(column.data);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int32_t code = codes[static_cast<std::int64_t>(row) * column.stride];
    const bool known = code >= 0 && (used == nullptr || used[row] != 0);
    if (known && static_cast<std::uint32_t>(code) >= levels) {
      throw InvalidInput("column", "code " + std::to_string(code) + " but only " + std::to_string(levels) + " levels");
    }
    ranked.rank[row] = known ? static_cast<std::uint32_t>(code) : levels;
    ranked.has_missing = ranked.has_missing || !known;
  }
  return ranked;
}

template <class Value, class Wide>
std::uint64_t bits_at(const ColumnView& view, std::size_t row) {
  const auto value =
      static_cast<Wide>(static_cast<const Value*>(view.data)[static_cast<std::int64_t>(row) * view.stride]);
  if constexpr (std::is_same_v<Wide, double>) return std::bit_cast<std::uint64_t>(value + 0.0);
  return std::bit_cast<std::uint64_t>(value);
}

}  // namespace

std::uint64_t ColumnView::value_bits(std::size_t row) const {
  switch (type) {
    case Type::f32:
      return bits_at<float, double>(*this, row);
    case Type::f64:
      return bits_at<double, double>(*this, row);
    case Type::i32:
      return bits_at<std::int32_t, std::int64_t>(*this, row);
    case Type::i64:
      return bits_at<std::int64_t, std::int64_t>(*this, row);
    case Type::u64:
      break;
  }
  return bits_at<std::uint64_t, std::uint64_t>(*this, row);
}

ValueType ColumnView::value_type() const {
  if (type == Type::f32 || type == Type::f64) return ValueType::f64;
  return type == Type::u64 ? ValueType::u64 : ValueType::i64;
}

RankedColumn rank_column(const ColumnView& column, std::size_t rows, std::uint32_t levels, const std::uint8_t* used) {
  if (rows >= std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidInput("table", std::to_string(rows) + " rows; at most 4294967294 are supported");
  }
  RankedColumn ranked =
      column.kind == ColumnKind::numeric ? rank_numeric(column, rows, used) : rank_codes(column, rows, levels, used);
  if (ranked.ranks <= kTableRanks) {
    ranked.sample.assign(ranked.ranks + std::size_t{1}, 0);
    for (std::size_t row = rows; row-- > 0;) ranked.sample[ranked.rank[row]] = static_cast<std::uint32_t>(row);
  }
  return ranked;
}

}  // namespace bough
