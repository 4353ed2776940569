#include "bough/engine/open/cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "bough/criterion/value_drop.hpp"

namespace bough {
namespace {

void start_stat(StatKind kind, double* stat, std::size_t width) {
  std::fill(stat, stat + width, 0.0);
  if (kind == StatKind::worst) {
    stat[2] = 1e308;
    stat[3] = -1e308;
  }
}

// Adds one row; statistics by order are not kept.
void add_row(StatKind kind, double* stat, const NodeView& node, const Target& target, std::uint32_t position) {
  const double w = node.held->weight[position];
  if (kind == StatKind::classes) {
    const std::uint32_t label = target.label[node.held->row[position]];
    stat[label] += w * target.growth_scale[label];
    return;
  }
  const double y = node.value[position];
  if (kind == StatKind::moments) {
    stat[0] += w;
    stat[1] += w * y;
    stat[2] += w * y * y;
  } else if (kind == StatKind::worst) {
    const double one[WorstDrop::kWidth] = {w, w * y, y, y};
    WorstDrop::merge(stat, one);
  }
}

void merge(StatKind kind, double* into, const double* stat, std::size_t width) {
  if (kind == StatKind::worst) {
    WorstDrop::merge(into, stat);
    return;
  }
  for (std::size_t k = 0; k < width; ++k) into[k] += stat[k];
}

}  // namespace

// Counting is quicker while ranks are not many more than rows.
std::vector<std::uint32_t> positions_by_rank(const RankedColumn& column, const Holding& held) {
  const std::size_t n = held.size();
  std::vector<std::uint32_t> order(n);
  const std::size_t ranks = static_cast<std::size_t>(column.ranks) + 1;
  if (ranks <= 4 * n + 64) {
    std::vector<std::uint32_t> next(ranks + 1, 0);
    for (const std::uint32_t row : held.row) ++next[column.rank[row] + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::size_t i = 0; i < n; ++i) order[next[column.rank[held.row[i]]]++] = static_cast<std::uint32_t>(i);
    return order;
  }
  std::vector<std::uint64_t> key(n);
  for (std::size_t i = 0; i < n; ++i) key[i] = (static_cast<std::uint64_t>(column.rank[held.row[i]]) << 32U) | i;
  std::sort(key.begin(), key.end());
  std::transform(key.begin(), key.end(), order.begin(), [](std::uint64_t k) { return static_cast<std::uint32_t>(k); });
  return order;
}

NodeView view_node(const Holding& held, const NodeStats& stats, const Target& target, StatKind kind, double centre) {
  NodeView node;
  node.held = &held;
  node.stats = &stats;
  if (target.classes > 0) {
    constexpr double kExact = 4503599627370496.0;  // 2^52
    const auto whole = [](double weight) { return weight == std::floor(weight); };
    node.label.reserve(held.size());
    for (const std::uint32_t row : held.row) node.label.push_back(target.label[row]);
    node.whole = stats.weight < kExact && std::ranges::all_of(held.weight, whole) &&
                 std::ranges::all_of(target.growth_scale, [](double scale) { return scale == 1.0; });
    return node;
  }
  node.value.resize(held.size());
  // Sums of squares are taken around the node's own mean, or values far from the root's would drown in rounding.
  const double mean = kind == StatKind::moments ? stats.sum / stats.weight : 0.0;
  for (std::size_t i = 0; i < held.size(); ++i) node.value[i] = target.value[held.row[i]] - centre - mean;
  if (kind != StatKind::absolute) return node;
  std::vector<std::uint32_t> order(held.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return node.value[a] < node.value[b]; });
  node.place.resize(held.size());
  for (std::size_t i = 0; i < order.size(); ++i) node.place[order[i]] = static_cast<std::uint32_t>(i);
  return node;
}

namespace {

// Gathers positions that are in the order of their ranks, those without a value last, where rank_at(position) is
// `missing`.
template <class RankAt>
Cells gather(std::vector<std::uint32_t> order, const RankAt& rank_at, std::uint32_t missing, std::size_t most,
             const NodeView& node, const Target& target, StatKind kind) {
  Cells cells;
  const Holding& held = *node.held;
  const std::size_t width = stat_width(target, kind);
  cells.table.clear(width);
  cells.order = std::move(order);
  cells.missing_stat.resize(width);
  start_stat(kind, cells.missing_stat.data(), width);
  ValueTable& table = cells.table;
  cells.begin.reserve(most + 1);
  cells.row.reserve(most);
  table.code.reserve(most);
  table.rows.reserve(most);
  table.weight.reserve(most);
  table.stat.reserve(most * width);
  for (std::size_t i = 0; i < cells.order.size(); ++i) {
    const std::uint32_t position = cells.order[i];
    const std::uint32_t rank = rank_at(position);
    if (rank == missing) {
      cells.missing_rows += 1.0;
      cells.missing_weight += held.weight[position];
      add_row(kind, cells.missing_stat.data(), node, target, position);
      continue;
    }
    if (table.code.empty() || table.code.back() != rank) {
      cells.begin.push_back(static_cast<std::uint32_t>(i));
      cells.row.push_back(held.row[position]);
      table.code.push_back(rank);
      table.rows.push_back(0.0);
      table.weight.push_back(0.0);
      table.stat.resize(table.stat.size() + width);
      start_stat(kind, table.stat.data() + (table.size() - 1) * width, width);
    }
    table.rows.back() += 1.0;
    table.weight.back() += held.weight[position];
    add_row(kind, table.stat.data() + (table.size() - 1) * width, node, target, position);
  }
  cells.begin.push_back(static_cast<std::uint32_t>(cells.order.size() - static_cast<std::size_t>(cells.missing_rows)));
  cells.last = cells.row;
  return cells;
}

}  // namespace

Cells make_cells(const RankedColumn& column, const NodeView& node, const Target& target, StatKind kind) {
  const Holding& held = *node.held;
  const auto rank_at = [&](std::uint32_t position) { return column.rank[held.row[position]]; };
  const std::size_t most = std::min<std::size_t>(column.ranks, held.size());
  return gather(positions_by_rank(column, held), rank_at, column.ranks, most, node, target, kind);
}

Cells make_cells(std::span<const double> value, const NodeView& node, const Target& target, StatKind kind) {
  const std::size_t n = value.size();
  std::vector<std::pair<double, std::uint32_t>> sorted;
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> without;
  sorted.reserve(n);
  order.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(value[i])) {
      without.push_back(static_cast<std::uint32_t>(i));
    } else {
      sorted.emplace_back(value[i], static_cast<std::uint32_t>(i));
    }
  }
  std::ranges::sort(sorted);
  std::vector<std::uint32_t> rank(n, std::numeric_limits<std::uint32_t>::max());
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && sorted[i].first > sorted[i - 1].first) ++last;
    rank[sorted[i].second] = last;
    order.push_back(sorted[i].second);
  }
  order.insert(order.end(), without.begin(), without.end());
  const auto rank_at = [&](std::uint32_t position) { return rank[position]; };
  return gather(std::move(order), rank_at, std::numeric_limits<std::uint32_t>::max(), n, node, target, kind);
}

Cells coarsened(Cells cells, std::size_t most, StatKind kind) {
  if (cells.size() <= most) return cells;
  const ValueTable fine = std::move(cells.table);
  const std::vector<std::uint32_t> begin = std::move(cells.begin);
  const std::vector<std::uint32_t> row = std::move(cells.row);
  cells.table.clear(fine.width);
  cells.begin.clear();
  cells.row.clear();
  cells.last.clear();
  const double total = std::accumulate(fine.weight.begin(), fine.weight.end(), 0.0);
  ValueTable& table = cells.table;
  double met = 0.0;
  for (std::size_t v = 0; v < fine.size(); ++v) {
    // A cell belongs where its middle lies, so that heavy ones do not drag others along; a middle on the very boundary
    // belongs above it, whatever rounding says.
    const double middle = met + 0.5 * fine.weight[v];
    const auto part = std::min(static_cast<std::uint32_t>(static_cast<double>(most) * middle / total + 1e-9),
                               static_cast<std::uint32_t>(most) - 1);
    met += fine.weight[v];
    if (table.code.empty() || part != table.code.back()) {
      cells.begin.push_back(begin[v]);
      cells.row.push_back(row[v]);
      cells.last.push_back(row[v]);
      table.code.push_back(part);
      table.rows.push_back(0.0);
      table.weight.push_back(0.0);
      table.stat.resize(table.stat.size() + table.width);
      start_stat(kind, table.stat.data() + (table.size() - 1) * table.width, table.width);
    }
    cells.last.back() = row[v];
    table.rows.back() += fine.rows[v];
    table.weight.back() += fine.weight[v];
    merge(kind, table.stat.data() + (table.size() - 1) * table.width, fine.at(v), table.width);
  }
  cells.begin.push_back(begin.back());
  return cells;
}

CellSums::CellSums(const Cells& cells, const NodeView& node, StatKind kind)
    : cells_(cells), kind_(kind), width_(cells.table.width), stat_(width_) {
  if (kind != StatKind::absolute) return;
  absolute_.emplace(node.held->size(), node.value.data(), node.place.data(), node.held->weight.data(),
                    node.stats->value);
}

void CellSums::begin(bool with_missing) {
  weight_ = rows_ = 0.0;
  if (absolute_) {
    absolute_->reset();
  } else {
    start_stat(kind_, stat_.data(), width_);
  }
  if (!with_missing || !cells_.has_missing()) return;
  weight_ += cells_.missing_weight;
  rows_ += cells_.missing_rows;
  if (absolute_) {
    for (std::size_t i = cells_.begin.back(); i < cells_.order.size(); ++i) absolute_->add(cells_.order[i]);
  } else {
    merge(kind_, stat_.data(), cells_.missing_stat.data(), width_);
  }
}

void CellSums::add(std::uint32_t cell) {
  weight_ += cells_.table.weight[cell];
  rows_ += cells_.table.rows[cell];
  if (absolute_) {
    for (std::uint32_t i = cells_.begin[cell]; i < cells_.begin[cell + 1]; ++i) absolute_->add(cells_.order[i]);
  } else {
    merge(kind_, stat_.data(), cells_.table.at(cell), width_);
  }
}

void CellSums::read(double* stat) const {
  if (absolute_) {
    stat[0] = weight_;
    stat[1] = weight_ > 0.0 ? absolute_->cost() : 0.0;
    return;
  }
  std::copy(stat_.begin(), stat_.end(), stat);
}

CellSum CellSums::of(std::span<const std::uint32_t> cells, bool with_missing) {
  begin(with_missing);
  for (const std::uint32_t cell : cells) add(cell);
  CellSum sum;
  sum.stat.resize(width_);
  read(sum.stat.data());
  sum.weight = weight_;
  sum.rows = rows_;
  return sum;
}

CellSum CellSums::all(bool with_missing) {
  std::vector<std::uint32_t> every(cells_.size());
  std::iota(every.begin(), every.end(), 0U);
  return of(every, with_missing);
}

CellSum CellSums::missing() { return of({}, true); }

CellRuns CellSums::runs(std::span<const std::uint32_t> order, bool with_missing) {
  CellRuns runs;
  runs.width = width_;
  runs.stat.resize(order.size() * width_);
  runs.weight.reserve(order.size());
  runs.rows.reserve(order.size());
  begin(with_missing);
  for (std::size_t i = 0; i < order.size(); ++i) {
    add(order[i]);
    read(runs.stat.data() + i * width_);
    runs.weight.push_back(weight_);
    runs.rows.push_back(rows_);
  }
  return runs;
}

}  // namespace bough
