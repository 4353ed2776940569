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

// Order-preserving keys of the known values, and where they lie.
struct Keyed {
  std::vector<std::uint64_t> key;  // by row; undefined for rows that are not in `row`
  std::vector<std::uint32_t> row;  // the rows with a known value, ascending
  std::uint64_t smallest = ~std::uint64_t{0};
  std::uint64_t largest = 0;
  std::uint64_t below = 0;                   // the largest key of a negative number, or 0
  std::uint64_t above = ~std::uint64_t{0};   // the smallest other key
  std::uint64_t varying = 0;                 // bits in which keys differ from the first one

  void add(std::uint32_t at, std::uint64_t k) {
    key[at] = k;
    row.push_back(at);
    smallest = std::min(smallest, k);
    largest = std::max(largest, k);
    below = std::max(below, k < kSign ? k : 0);
    above = std::min(above, k < kSign ? ~std::uint64_t{0} : k);
    varying |= k ^ key[row.front()];
  }
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
    known.add(static_cast<std::uint32_t>(row), key_of(static_cast<Wide>(value)));
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

// Keys pressed together until they fit into 32 bits, or nearly so: without the bits at the end that never vary (half of
// them in doubles that once were floats) and without the gap around zero, which takes up nearly the whole range of keys
// of doubles of both signs. Keys that differ may agree afterwards, but their order never changes.
class Press {
 public:
  explicit Press(const Keyed& known) : smallest_(known.smallest), above_(known.above) {
    const bool both = known.below >= known.smallest && known.above <= known.largest;
    const int tail = known.varying != 0 ? std::countr_zero(known.varying) : 0;
    // The gap shrinks to a step of one varying bit, and stays a multiple of it: the bits behind remain the same in all.
    const std::uint64_t step = std::uint64_t{1} << tail;
    gap_ = both && known.above - known.below > step ? known.above - known.below - step : 0;
    const std::uint64_t range = known.largest - smallest_ - gap_;
    const int width = range != 0 ? 64 - std::countl_zero(range) : 0;
    drop_ = std::max(tail, width - 32);
    bits_ = std::max(0, width - drop_);
    exact_ = drop_ == tail;
  }
  [[nodiscard]] std::uint64_t operator()(std::uint64_t key) const {
    return (key - smallest_ - (key >= above_ ? gap_ : 0)) >> drop_;
  }
  [[nodiscard]] int bits() const { return bits_; }
  [[nodiscard]] bool exact() const { return exact_; }  // different keys stay different

 private:
  std::uint64_t smallest_;
  std::uint64_t above_;
  std::uint64_t gap_ = 0;
  int drop_ = 0;
  int bits_ = 0;
  bool exact_ = true;
};

// The rows of known values with their pressed keys (32 key bits above 32 row bits), sorted by key and then by row:
// three 11-bit radix passes at half the traffic of (key, row) pairs.
std::vector<std::uint64_t> sorted_entries(const Keyed& known, const Press& press) {
  constexpr std::array<int, 3> kDigit = {11, 11, 10};
  constexpr std::array<int, 3> kShift = {32, 43, 54};
  const std::size_t n = known.row.size();
  std::vector<std::uint64_t> entry(n);
  std::array<std::vector<std::uint32_t>, 3> count;
  for (std::size_t pass = 0; pass < 3; ++pass) count[pass].assign(std::size_t{1} << kDigit[pass], 0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t row = known.row[i];
    const std::uint64_t e = (press(known.key[row]) << 32) | row;
    entry[i] = e;
    for (std::size_t pass = 0; pass < 3; ++pass) ++count[pass][(e >> kShift[pass]) & (count[pass].size() - 1)];
  }
  std::vector<std::uint64_t> other(n);
  for (std::size_t pass = 0; pass < 3 && kShift[pass] - 32 < press.bits(); ++pass) {
    std::uint32_t offset = 0;
    for (std::uint32_t& c : count[pass]) offset += std::exchange(c, offset);
    for (const std::uint64_t e : entry) other[count[pass][(e >> kShift[pass]) & (count[pass].size() - 1)]++] = e;
    entry.swap(other);
  }
  return entry;
}

void set_bit(std::vector<std::uint64_t>& bits, std::size_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

RankedColumn rank_numeric(const ColumnView& column, std::size_t rows, const std::uint8_t* used) {
  RankedColumn ranked;
  ranked.view = column;
  const Keyed known = keys_of(column, rows, used);
  const Press press(known);
  std::vector<std::uint64_t> entry = sorted_entries(known, press);
  constexpr std::uint32_t kUnset = std::numeric_limits<std::uint32_t>::max();
  const std::size_t n = entry.size();
  ranked.has_missing = n < rows;
  if (ranked.has_missing) {
    ranked.rank.assign(rows, kUnset);
  } else {
    ranked.rank.resize(rows);
  }
  const auto row_of = [](std::uint64_t e) { return static_cast<std::uint32_t>(e); };
  ranked.shared.assign((rows + 63) / 64, 0);
  std::uint32_t next = 0;
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin + 1;
    while (end < n && (entry[end] >> 32) == (entry[begin] >> 32)) ++end;
    if (end - begin == 1) {
      ranked.rank[row_of(entry[begin++])] = next++;
      continue;
    }
    for (std::size_t i = begin; i < end; ++i) set_bit(ranked.shared, row_of(entry[i]));
    if (!press.exact()) {
      const auto key = [&](std::uint64_t e) { return known.key[row_of(e)]; };
      const auto from = entry.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto to = entry.begin() + static_cast<std::ptrdiff_t>(end);
      const bool same = std::all_of(from, to, [&](std::uint64_t e) { return key(e) == key(*from); });
      if (!same) std::sort(from, to, [&](std::uint64_t a, std::uint64_t b) { return key(a) < key(b); });
      for (std::size_t i = begin; i < end; ++i) {
        if (i > begin && key(entry[i]) != key(entry[i - 1])) ++next;
        ranked.rank[row_of(entry[i])] = next;
      }
    } else {
      for (std::size_t i = begin; i < end; ++i) ranked.rank[row_of(entry[i])] = next;
    }
    ++next;
    begin = end;
  }
  ranked.ranks = next;
  if (ranked.has_missing) {
    for (std::size_t row = 0; row < rows; ++row) {
      if (ranked.rank[row] != kUnset) continue;
      ranked.rank[row] = ranked.ranks;
      set_bit(ranked.shared, row);
    }
  }
  if (2 * static_cast<std::size_t>(ranked.ranks) < rows) ranked.shared = {};
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
