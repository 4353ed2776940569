// See tile.hpp.
#include "bough/cover/tile.hpp"

#include <bit>

#include "bough/feature/row.hpp"

namespace bough {
namespace {

// A row as the terms of a sum read it: a level that no literal names is known to be none of theirs.
class TermRow {
 public:
  TermRow(std::span<const ColumnView> columns, std::int64_t row, Unseen unseen)
      : row_(columns, row, unseen == Unseen::missing) {}

  [[nodiscard]] std::int32_t state(std::int32_t column, bool nominal) const {
    const std::int32_t state = row_.state(column, nominal);
    if (state != State::unseen) return state;
    return nominal ? State::known : State::missing;  // an ordered level without a place has no number
  }
  [[nodiscard]] std::int32_t code(std::int32_t column) const { return row_.code(column); }
  [[nodiscard]] double number(std::int32_t column, std::int64_t origin) const { return row_.number(column, origin); }

 private:
  ValueRow row_;
};

}  // namespace

Tile::Tile(std::span<const ColumnView> columns, std::span<const std::int32_t> used, Unseen unseen)
    : columns_(columns),
      used_(used),
      unseen_(unseen),
      keys_(used.size() * lanes),
      known_(used.size()),
      other_(used.size()),
      read_(used.size(), -1) {}

void Tile::turn_to(std::int64_t begin, std::int64_t rows) {
  begin_ = begin;
  rows_ = rows;
  all_ = ~std::uint64_t{0} >> static_cast<unsigned>(lanes - rows);
}

Tile::Cells Tile::cells(std::uint32_t slot) const {
  if (read_[slot] != begin_) read(slot);
  return {keys_.data() + slot * lanes, known_[slot], other_[slot]};
}

Sum Tile::sum(const TermLists& sums, std::int64_t list, std::int64_t lane) const {
  return sum_of(sums, list, 0.0, TermRow(columns_, begin_ + lane, unseen_));
}

void Tile::read(std::uint32_t slot) const {
  const ColumnView& column = columns_[used_[slot]];
  std::int64_t* keys = keys_.data() + slot * lanes;
  fill_keys(column, begin_, rows_, keys);
  std::uint64_t known = 0;
  for (std::int64_t r = 0; r < rows_; ++r) {
    known |= static_cast<std::uint64_t>(keys[r] != unknown_key) << static_cast<unsigned>(r);
  }
  std::uint64_t other = 0;
  for (std::uint64_t rest = all_ & ~known; rest != 0; rest &= rest - 1) {
    const auto r = std::countr_zero(rest);
    const ValueRow row(columns_, begin_ + r, false);
    const std::int32_t state = row.state(used_[slot], column.kind == ColumnKind::nominal);
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(r);
    if (state == State::known) known |= bit;  // the one integer that has no key of its own
    if (state == State::unseen && unseen_ == Unseen::other) other |= bit;
  }
  known_[slot] = known;
  other_[slot] = other;
  read_[slot] = begin_;
}

}  // namespace bough
