#include "bough/forest/level_order.hpp"

#include <algorithm>
#include <numeric>

namespace bough::forest {

const std::vector<std::uint32_t>& LevelOrder::sort(const LevelSums& levels) {
  const std::size_t size = levels.code.size();
  order_.resize(size);
  std::iota(order_.begin(), order_.end(), 0U);
  if (levels.width > 2) {
    if (size < 3) return order_;
    table_.clear(levels.width);
    table_.code = levels.code;
    for (const std::int64_t w : levels.weight) table_.weight.push_back(static_cast<double>(w));
    table_.rows = table_.weight;
    for (const std::int64_t s : levels.sum) table_.stat.push_back(static_cast<double>(s));
    order_ = order_by_component(table_);
    return order_;
  }
  mean_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    mean_[i] = static_cast<double>(levels.sum[i]) / static_cast<double>(levels.weight[i]);
  }
  std::ranges::stable_sort(order_, {}, [this](std::uint32_t i) { return mean_[i]; });
  return order_;
}

namespace {

std::vector<std::uint32_t> places_of(const ForestData& data, const RankedColumn& column) {
  LevelSums all;
  all.width = data.classes > 2 ? data.classes : 1;
  const std::size_t width = all.width;
  std::vector<std::int64_t> weight(column.ranks, 0);
  std::vector<std::int64_t> sum(column.ranks * width, 0);
  for (std::size_t row = 0; row < data.table->rows; ++row) {
    if (column.is_missing(row)) continue;
    const std::size_t level = column.rank[row];
    const std::int64_t w = data.weight.empty() ? 1 : data.weight[row];
    weight[level] += w;
    if (data.classes == 0) {
      sum[level] += w * data.value[row];
    } else if (data.classes == 2) {
      sum[level] += data.label[row] != 0 ? w : 0;
    } else {
      sum[level * width + data.label[row]] += w;
    }
  }
  for (std::uint32_t level = 0; level < column.ranks; ++level) {
    if (weight[level] == 0) continue;
    all.code.push_back(level);
    all.weight.push_back(weight[level]);
    for (std::size_t k = 0; k < width; ++k) all.sum.push_back(sum[level * width + k]);
  }
  std::vector<std::uint32_t> place(column.ranks, kNoPlace);
  std::uint32_t next = 0;
  LevelOrder order;
  for (const std::uint32_t i : order.sort(all)) place[all.code[i]] = next++;
  return place;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> level_places(const ForestData& data) {
  std::vector<std::vector<std::uint32_t>> places;
  for (const RankedColumn& column : data.table->columns) {
    places.emplace_back();
    if (column.view.kind == ColumnKind::nominal) places.back() = places_of(data, column);
  }
  return places;
}

}  // namespace bough::forest
