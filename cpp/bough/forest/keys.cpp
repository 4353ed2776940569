#include "bough/forest/keys.hpp"

#include <algorithm>
#include <utility>

#include "bough/base/parallel.hpp"
#include "bough/table/distinct.hpp"

namespace bough::forest {
namespace {

// Whether more than one in sixteen of some rising values are lost as floats, and none as doubles.
bool too_close(std::span<const double> values) {
  std::size_t lost = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!(values[i - 1] < values[i])) return false;
    lost += float_above(values[i - 1]) == float_above(values[i]) ? 1U : 0U;
  }
  return 16 * lost > values.size();
}

}  // namespace

Keys::Keys(const RankedTable& table, bool values, std::vector<std::vector<std::uint32_t>> places, int threads)
    : column_(table.columns.size()),
      key_(table.columns.size()),
      value_(table.columns.size()),
      place_(std::move(places)) {
  place_.resize(column_.size());
  parallel_for(column_.size(), threads, [&](std::size_t c, int /*worker*/) {
    const RankedColumn& ranked = table.columns[c];
    KeyColumn& column = column_[c];
    column.key = ranked.rank.data();
    if (ranked.view.kind == ColumnKind::nominal) {
      column.missing = ranked.ranks;
      column.levels = ranked.ranks + 1;
      if (place_[c].empty()) return;
      column.place = place_[c].data();
      if (values) column.missing = kMissingKey;
      key_[c].resize(table.rows);
      for (std::size_t row = 0; row < table.rows; ++row) {
        const std::uint32_t place = ranked.is_missing(row) ? 0 : place_[c][ranked.rank[row]];
        const std::uint32_t key = values ? float_key(static_cast<float>(place)) : place;
        key_[c][row] = ranked.is_missing(row) ? column.missing : key;
      }
      column.key = key_[c].data();
      return;
    }
    if (ranked.has_missing) column.missing = ranked.ranks;
    const bool codes = ranked.view.kind == ColumnKind::ordered;
    const auto at = [&](std::size_t row) {
      return codes ? static_cast<double>(ranked.rank[row]) : value_as_double(ranked.view, row);
    };
    if (!values || !codes) {
      value_[c].resize(ranked.ranks);
      for (std::size_t row = 0; row < table.rows; ++row) {
        if (!ranked.is_missing(row)) value_[c][ranked.rank[row]] = at(row);
      }
      for (std::size_t code = 0; codes && code < value_[c].size(); ++code) value_[c][code] = static_cast<double>(code);
      const bool close = values && too_close(value_[c]);
      if (close) column.drawn_from = value_[c];
      if (!values || close) return;
      value_[c] = {};
    }
    key_[c].resize(table.rows);
    for (std::size_t row = 0; row < table.rows; ++row) {
      key_[c][row] = ranked.is_missing(row) ? kMissingKey : float_key(float_above(at(row)));
    }
    column.key = key_[c].data();
    if (ranked.has_missing) column.missing = kMissingKey;
  });
  constexpr std::size_t kNear = std::size_t{1} << 18U;  // keys that lie in a near cache
  const std::size_t columns = column_.size();
  if (table.rows * columns <= kNear) return;
  by_row_.resize(table.rows * columns);
  constexpr std::size_t kTile = 64;
  parallel_for((table.rows + kTile - 1) / kTile, threads, [&](std::size_t tile, int /*worker*/) {
    const std::size_t end = std::min(table.rows, (tile + 1) * kTile);
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t row = tile * kTile; row < end; ++row) by_row_[row * columns + c] = column_[c].key[row];
    }
  });
}

}  // namespace bough::forest
