#include "bough/engine/open/surrogates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace bough {
namespace {

// Weights and rows of the joint cases of one value, by branch.
struct Value {
  std::uint32_t code = 0;
  std::uint32_t row = 0;
  std::vector<double> weight;
  std::vector<double> rows;
};

double total(const std::vector<double>& amounts) { return std::accumulate(amounts.begin(), amounts.end(), 0.0); }

std::size_t largest(const std::vector<double>& amounts) {
  return static_cast<std::size_t>(std::max_element(amounts.begin(), amounts.end()) - amounts.begin());
}

std::vector<Value> values_of(const RankedColumn& column, const Holding& held, const Sent& sent) {
  std::vector<Value> values;
  const auto branches = static_cast<std::size_t>(sent.branches);
  for (const std::uint32_t position : positions_by_rank(column, held)) {
    const std::uint32_t row = held.row[position];
    if (column.is_missing(row)) break;
    const std::uint32_t code = column.rank[row];
    if (values.empty() || values.back().code != code)
      values.push_back({code, row, std::vector<double>(branches, 0.0), std::vector<double>(branches, 0.0)});
    if (sent.branch[position] < 0) continue;
    const auto branch = static_cast<std::size_t>(sent.branch[position]);
    values.back().weight[branch] += held.weight[position];
    values.back().rows[branch] += 1.0;
  }
  return values;
}

Imitation best_cut(const std::vector<Value>& values, const std::vector<double>& joint,
                   const std::vector<double>& joint_rows, const Sent& sent, const GrowOptions& options) {
  Imitation best;
  const double all = total(joint);
  best.agreement = options.surrogates.beyond_majority ? *std::max_element(joint.begin(), joint.end()) : -1.0;
  const double slack = options.tie * all;
  std::vector<double> below(joint.size(), 0.0);
  std::vector<double> above = joint;
  double size_below = 0.0;
  const double size_all = options.count_rows ? total(joint_rows) : all;
  for (std::size_t v = 0; v + 1 < values.size(); ++v) {
    for (std::size_t b = 0; b < joint.size(); ++b) {
      below[b] += values[v].weight[b];
      above[b] -= values[v].weight[b];
      size_below += options.count_rows ? values[v].rows[b] : values[v].weight[b];
    }
    if (size_below < options.surrogates.least || size_all - size_below < options.surrogates.least) continue;
    const auto consider = [&](std::size_t low, std::size_t high) {
      const double agreement = below[low] + above[high];
      if (!(agreement > best.agreement + slack)) return;
      best.any = true;
      best.agreement = agreement;
      best.surrogate.low = static_cast<std::int32_t>(low);
      best.surrogate.high = sent.branches == 2 ? -1 : static_cast<std::int32_t>(high);
      best.surrogate.low_row = values[v].row;
      best.surrogate.high_row = values[v + 1].row;
      best.surrogate.low_share = total(below) / all;
    };
    if (sent.branches == 2) {
      const bool keep = options.surrogates.keep_direction && sent.low >= 0;
      if (!keep || sent.low == 1) consider(1, 0);
      if (!keep || sent.low == 0) consider(0, 1);
    } else {
      const std::size_t low = largest(below);
      const std::size_t high = largest(above);
      if (low != high) consider(low, high);
    }
  }
  return best;
}

Imitation best_levels(const std::vector<Value>& values, const std::vector<double>& joint, const GrowOptions& options) {
  Imitation best;
  const double equal = options.tie * total(joint);
  // A level that two branches share equally goes to the larger branch; as with cuts, the later of two equal ones.
  std::size_t larger = 0;
  for (std::size_t b = 1; b < joint.size(); ++b) {
    if (joint[b] >= joint[larger] - equal) larger = b;
  }
  bool several = false;
  for (const Value& value : values) {
    if (!(total(value.weight) > 0.0)) continue;
    std::size_t branch = largest(value.weight);
    if (value.weight[larger] >= value.weight[branch] - equal) branch = larger;
    best.surrogate.code.push_back(static_cast<std::int32_t>(value.code));
    best.surrogate.branch.push_back(static_cast<std::int32_t>(branch));
    best.agreement += value.weight[branch];
    several = several || best.surrogate.branch.back() != best.surrogate.branch.front();
  }
  best.any = several;
  return best;
}

}  // namespace

std::vector<Surrogate> find_surrogates(const RankedTable& table, const Holding& held, const Sent& sent,
                                       const std::vector<std::uint8_t>& allowed, const GrowOptions& options,
                                       Watch& watch) {
  std::vector<double> known(static_cast<std::size_t>(sent.branches), 0.0);
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (sent.branch[i] >= 0) known[static_cast<std::size_t>(sent.branch[i])] += held.weight[i];
  }
  SurrogateList best(options);
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!allowed.empty() && allowed[c] == 0) continue;
    if (std::find(sent.columns.begin(), sent.columns.end(), static_cast<std::int32_t>(c)) != sent.columns.end())
      continue;
    watch.poll(held.size());
    const RankedColumn& column = table.columns[c];
    const std::vector<Value> values = values_of(column, held, sent);
    std::vector<double> joint(known.size(), 0.0);
    std::vector<double> joint_rows(known.size(), 0.0);
    for (const Value& value : values) {
      for (std::size_t b = 0; b < joint.size(); ++b) {
        joint[b] += value.weight[b];
        joint_rows[b] += value.rows[b];
      }
    }
    if (!(total(joint) > 0.0)) continue;
    Imitation found = column.view.kind == ColumnKind::nominal ? best_levels(values, joint, options)
                                                              : best_cut(values, joint, joint_rows, sent, options);
    const std::vector<double>& base = options.surrogates.joint_base ? joint : known;
    best.offer(c, std::move(found), {total(base), *std::max_element(base.begin(), base.end())});
  }
  return std::move(best).take();
}

}  // namespace bough
