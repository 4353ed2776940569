#include "bough/engine/open/sending.hpp"

#include <algorithm>
#include <numeric>

#include "bough/split/in_ranks.hpp"

namespace bough {
namespace {

// The test as the only split of a pool, in ranks.
SplitPool in_ranks(const RankedTable& table, const Candidate& test) {
  const std::vector<std::uint32_t>& rank = table.columns[static_cast<std::size_t>(test.column)].rank;
  SplitPool pool;
  pool.column = {test.column};
  pool.side = {Side::le};
  pool.low = {0};
  pool.payload = {0};
  pool.value_type = {ValueType::i64};
  if (test.levels != nullptr) {
    pool.kind = {SplitKind::levels};
    pool.set_code = test.levels->code;
    pool.set_branch = test.levels->branch;
    pool.set_begin.push_back(static_cast<std::int64_t>(pool.set_code.size()));
  } else if (test.open == nullptr) {
    pool.kind = {SplitKind::threshold};
    pool.payload = {at_rank(rank[test.low_row]).bits};
  } else if (!test.open->machine.empty()) {
    pool.kind = {SplitKind::levels};
    pool.set_code.resize(test.open->branch.size());
    std::iota(pool.set_code.begin(), pool.set_code.end(), 0);
    pool.set_branch = test.open->branch;
    pool.set_begin.push_back(static_cast<std::int64_t>(pool.set_code.size()));
    add_terms(pool.sums, test.open->sum, test.open->whole, {}, test.open->machine);
    pool.derived = {0};
  } else if (!test.open->sum.empty()) {
    pool.kind = {SplitKind::threshold};
    pool.value_type = {ValueType::f64};
    pool.side = {test.open->fixed.front().side};
    pool.payload = {test.open->fixed.front().bits};
    pool.low = {static_cast<std::uint8_t>(test.open->branch[0])};
    add_terms(pool.sums, test.open->sum, test.open->whole, test.open->layer);
    pool.derived = {0};
  } else if (test.open->conjunction()) {
    pool.kind = {SplitKind::holds};
    pool.low = {test.open->holds};
    RankCuts cuts(table);
    for (const FoundProperty& term : test.open->terms) {
      Property asked = term.asked;
      const RankedColumn& own = table.columns[static_cast<std::size_t>(asked.column)];
      if (!asked.asks_level()) {
        asked.threshold = term.given ? cuts.in_ranks(asked.column, asked.threshold) : at_rank(own.rank[term.low_row]);
      }
      pool.terms.add(asked);
    }
    pool.terms.close();
  } else {
    pool.kind = {SplitKind::intervals};
    if (!test.open->edge_rows.empty()) {
      for (const auto& [low_row, high_row] : test.open->edge_rows)
        pool.edge_bits.push_back(at_rank(rank[low_row]).bits);
    } else {
      RankCuts cuts(table);
      for (const Threshold& edge : test.open->fixed) pool.edge_bits.push_back(cuts.in_ranks(test.column, edge).bits);
    }
    pool.edge_type.assign(pool.edge_bits.size(), ValueType::i64);
    pool.edge_begin.push_back(static_cast<std::int64_t>(pool.edge_bits.size()));
    pool.interval_branch = test.open->branch;
  }
  return pool;
}

}  // namespace

TestReader::TestReader(const RankedTable& table, const Candidate& test)
    : table_(table), rank_(table.columns[static_cast<std::size_t>(test.column)].rank), test_(in_ranks(table, test)) {
  branches_ = std::max(branches_, test.missing + 1);
  for (const std::int32_t branch : test_.interval_branch) branches_ = std::max(branches_, branch + 1);
  for (const std::int32_t branch : test_.set_branch) branches_ = std::max(branches_, branch + 1);
  missing_ = table.columns[static_cast<std::size_t>(test.column)].ranks;
  plain_ = test_.kind[0] == SplitKind::threshold && test_.has_cells(0);
  if (plain_) last_low_ = static_cast<std::uint32_t>(test_.payload[0]);
  if (test.levels == nullptr) return;
  branches_ = std::max(branches_, test.levels->branches);
  for (std::uint32_t code = 0; code < missing_; ++code)
    level_branch_.push_back(by_level(test_, 0, static_cast<std::int32_t>(code)));
  level_branch_.push_back(State::missing);
}

Sent send_by_test(const Sender& sender, const Candidate& candidate, const Holding& held) {
  Sent sent;
  sent.branches = sender.test.branches();
  sent.branch.resize(held.size());
  sent.columns = {candidate.column};
  if (candidate.open != nullptr && candidate.open->conjunction()) {
    sent.columns.clear();
    for (const FoundProperty& term : candidate.open->terms) sent.columns.push_back(term.asked.column);
  }
  if (candidate.open != nullptr && !candidate.open->sum.empty()) {
    // Where one missing term makes the sum missing, the others may well stand in for it.
    sent.columns.clear();
    for (const LinearTerm& term : candidate.open->sum) {
      if (candidate.open->whole) continue;
      sent.columns.push_back(term.column);
      if (term.other >= 0) sent.columns.push_back(term.other);
    }
  }
  if (candidate.levels == nullptr && candidate.open == nullptr && sent.branches == 2) sent.low = 0;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::int32_t branch = sender.test(held.row[i]);
    sent.branch[i] = branch < 0 ? sender.missing : branch;
  }
  return sent;
}

void settle(Sender& sender, const RankedTable& table, const Sent& sent, const Holding& held,
            const std::vector<std::uint8_t>& allowed, const GrowOptions& options, Watch& watch) {
  std::vector<double> weight(static_cast<std::size_t>(sent.branches), 0.0);
  double all = 0.0;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (sent.branch[i] < 0) continue;
    weight[static_cast<std::size_t>(sent.branch[i])] += held.weight[i];
    all += held.weight[i];
  }
  sender.majority = 0;
  for (std::size_t b = 1; b < weight.size(); ++b) {
    if (weight[b] > weight[static_cast<std::size_t>(sender.majority)] + options.tie * all)
      sender.majority = static_cast<std::int32_t>(b);
  }
  for (double& one : weight) one /= all;
  sender.share = std::move(weight);
  if (options.surrogates.most > 0) sender.surrogates = find_surrogates(table, held, sent, allowed, options, watch);
}

std::int32_t Sender::branch(const RankedTable& table, const Routing& routing, std::uint32_t row) const {
  const std::int32_t told = test(row);
  if (told >= 0) return told;
  return route_missing(routing, missing, majority, [&] {
    for (const Surrogate& surrogate : surrogates) {
      const std::int32_t found = branch_by_surrogate(table, surrogate, row);
      if (found >= 0) return found;
    }
    return State::missing;
  });
}

SentRows Sender::send(const RankedTable& table, const Holding& held, const GrowOptions& options) const {
  SentRows rows;
  rows.child.resize(static_cast<std::size_t>(test.branches()));
  for (std::size_t b = 0; b < rows.child.size(); ++b) {
    const auto expected = static_cast<std::size_t>(share[b] * static_cast<double>(held.size()) * 1.1) + 8;
    rows.child[b].row.reserve(std::min(expected, held.size()));
    rows.child[b].weight.reserve(std::min(expected, held.size()));
  }
  Holding unknown;
  const Routing routing = routing_of(options);
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::uint32_t row = held.row[i];
    const std::int32_t branch = this->branch(table, routing, row);
    if (branch == Way::spreads) {
      unknown.add(row, held.weight[i]);
      continue;
    }
    (branch < 0 ? rows.stay : rows.child[static_cast<std::size_t>(branch)]).add(row, held.weight[i]);
  }
  if (unknown.size() > 0) {
    rows.shared = std::make_shared<const Holding>(std::move(unknown));
    rows.share = share;
    for (double& one : rows.share) one = one > options.gain.epsilon ? one : 0.0;
  }
  return rows;
}

}  // namespace bough
