// The feature "all of these properties hold", a property being column = level or any other level, column <= threshold
// or above it: a truth value, whose two branches are where it holds and where it does not. One rule, for growing,
// pruning and prediction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bough/feature/state.hpp"
#include "bough/feature/threshold.hpp"

namespace bough {

// One property. Of a threshold, `code` is kThreshold; negated, the value lies above.
struct Property {
  static constexpr std::int32_t kThreshold = -1;

  std::int32_t column = 0;
  std::int32_t code = 0;
  bool negated = false;
  Threshold threshold = {};

  [[nodiscard]] bool asks_level() const { return code >= 0; }
};

// List k has the properties begin[k] .. begin[k + 1].
struct PropertyLists {
  std::vector<std::int64_t> begin = {0};
  std::vector<std::int32_t> column;
  std::vector<std::int32_t> code;
  std::vector<std::uint8_t> negated;
  // By property: its threshold, 0 where it asks for a level; empty if all do.
  std::vector<ValueType> type = {};
  std::vector<Side> side = {};
  std::vector<std::uint64_t> bits = {};

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(begin.size()) - 1; }
  [[nodiscard]] Property at(std::int64_t t) const {
    Property found = {column[t], code[t], negated[t] != 0};
    if (!bits.empty()) found.threshold = {bits[t], type[t], side[t]};
    return found;
  }
  // Appends one to the list that `close` ends.
  void add(const Property& property) {
    const bool level = property.asks_level();
    if (!level || !bits.empty()) {
      const Threshold threshold = level ? Threshold{} : property.threshold;
      type.resize(column.size(), ValueType::f64);
      side.resize(column.size(), Side::le);
      bits.resize(column.size(), 0);
      type.push_back(threshold.type);
      side.push_back(threshold.side);
      bits.push_back(threshold.bits);
    }
    column.push_back(property.column);
    code.push_back(property.code);
    negated.push_back(property.negated ? 1 : 0);
  }
  void close() { begin.push_back(static_cast<std::int64_t>(column.size())); }
};

// 1 if all of them hold, 0 if a known one fails; else a state: what was never seen says more than what is missing.
template <class Row>
[[nodiscard]] std::int32_t all_of(const PropertyLists& lists, std::int64_t list, const Row& row) {
  std::int32_t unknown = State::known;
  for (std::int64_t t = lists.begin[list]; t < lists.begin[list + 1]; ++t) {
    const Property asked = lists.at(t);
    const std::int32_t state = row.state(asked.column, asked.asks_level());
    unknown = std::min(unknown, state);
    if (state != State::known) continue;
    const bool holds =
        asked.asks_level() ? row.code(asked.column) == asked.code : row.is_low(asked.column, asked.threshold);
    if (holds == asked.negated) return 0;
  }
  return unknown < 0 ? unknown : 1;
}

}  // namespace bough
