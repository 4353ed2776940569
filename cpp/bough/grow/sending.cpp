#include "bough/grow/sending.hpp"

#include <algorithm>

#include "bough/split/conjunction.hpp"
#include "bough/split/goes_low.hpp"

namespace bough {

TestReader::TestReader(const RankedTable& table, const Candidate& test)
    : table_(table), test_(test), column_(table.columns[static_cast<std::size_t>(test.column)]) {
  branches_ = std::max(branches_, test.missing + 1);
  if (test.levels != nullptr) {
    const LevelSet& levels = *test.levels;
    branches_ = std::max(branches_, levels.branches);
    level_branch_.assign(column_.ranks, -1);
    for (std::size_t i = 0; i < levels.code.size(); ++i)
      level_branch_[static_cast<std::size_t>(levels.code[i])] = levels.branch[i];
    return;
  }
  if (test.open == nullptr) {
    edge_ = {column_.rank[test.low_row]};
    interval_branch_ = {0, 1};
    return;
  }
  if (test.open->conjunction) return;
  interval_branch_ = test.open->branch;
  for (const std::int32_t branch : interval_branch_) branches_ = std::max(branches_, branch + 1);
  if (test.open->fixed.empty()) {
    for (const auto& [low_row, high_row] : test.open->edge_rows) edge_.push_back(column_.rank[low_row]);
  }
}

std::int32_t TestReader::by_terms(std::size_t row) const {
  const OpenTest& test = *test_.open;
  const Met found = all_met(std::size_t{0}, test.term_column.size(), [&](std::size_t i) {
    const RankedColumn& column = table_.columns[static_cast<std::size_t>(test.term_column[i])];
    if (column.is_missing(row)) return Met::unknown;
    return met(column.rank[row] == static_cast<std::uint32_t>(test.term_code[i]), test.term_negated[i] != 0);
  });
  if (found == Met::unknown) return -1;
  return found == Met::yes ? 0 : 1;
}

std::int32_t TestReader::operator()(std::size_t row) const {
  if (test_.open != nullptr && test_.open->conjunction) return by_terms(row);
  if (column_.is_missing(row)) return -1;
  const std::uint32_t rank = column_.rank[row];
  if (test_.levels != nullptr) return level_branch_[rank];
  if (test_.open != nullptr && !test_.open->fixed.empty()) {
    std::size_t interval = 0;
    while (interval < test_.open->fixed.size() && !goes_low(column_.view, row, test_.open->fixed[interval])) ++interval;
    return interval_branch_[interval];
  }
  const auto at = std::lower_bound(edge_.begin(), edge_.end(), rank);
  return interval_branch_[static_cast<std::size_t>(at - edge_.begin())];
}

Sent send_by_test(const Sender& sender, const Candidate& candidate, const Holding& held) {
  Sent sent;
  sent.branches = sender.test.branches();
  sent.branch.resize(held.size());
  sent.columns = {candidate.column};
  if (candidate.open != nullptr && candidate.open->conjunction) sent.columns = candidate.open->term_column;
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

SentRows Sender::send(const RankedTable& table, const Holding& held, const GrowOptions& options) const {
  SentRows rows;
  rows.child.resize(static_cast<std::size_t>(test.branches()));
  for (std::size_t b = 0; b < rows.child.size(); ++b) {
    const auto expected = static_cast<std::size_t>(share[b] * static_cast<double>(held.size()) * 1.1) + 8;
    rows.child[b].row.reserve(std::min(expected, held.size()));
    rows.child[b].weight.reserve(std::min(expected, held.size()));
  }
  Holding unknown;
  const bool asks = options.missing == MissingRule::surrogate;
  const bool stops = options.missing == MissingRule::stop || (asks && options.fallback == Otherwise::stop);
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::uint32_t row = held.row[i];
    std::int32_t branch = test(row);
    if (branch < 0) branch = missing;
    for (std::size_t s = 0; branch < 0 && asks && s < surrogates.size(); ++s)
      branch = branch_by_surrogate(table, surrogates[s], row);
    if (branch < 0 && options.missing == MissingRule::fractional) {
      unknown.add(row, held.weight[i]);
      continue;
    }
    if (branch < 0 && !stops) branch = majority;
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
