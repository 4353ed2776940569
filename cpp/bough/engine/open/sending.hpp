// Sending rows down the branches of a test, in the open growth: by the test where it can tell, else by the rule for
// missing values.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/engine/open/cells.hpp"
#include "bough/engine/open/surrogates.hpp"
#include "bough/engine/options.hpp"
#include "bough/feature/row.hpp"
#include "bough/missing/policy.hpp"
#include "bough/search/candidate.hpp"
#include "bough/split/branch_of.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// The branch of a row under a test, looked up by rank.
class TestReader {
 public:
  TestReader(const RankedTable& table, const Candidate& test);

  [[nodiscard]] std::int32_t branches() const { return branches_; }
  // A State if the row's value does not tell.
  [[nodiscard]] std::int32_t operator()(std::size_t row) const {
    const std::uint32_t rank = rank_[row];
    if (plain_) return rank <= last_low_ ? 0 : (rank < missing_ ? 1 : State::missing);
    if (!level_branch_.empty()) return level_branch_[rank];
    return branch_of(test_, 0, RankRow(table_, row));
  }

 private:
  const RankedTable& table_;
  const std::vector<std::uint32_t>& rank_;
  SplitPool test_;  // the test as its only split, in ranks
  std::vector<std::int32_t> level_branch_;  // by code and for missing values, if it asks for levels
  std::int32_t branches_ = 2;
  // One cut, the most frequent test: low values take branch 0. What branch_of says, in two comparisons.
  bool plain_ = false;
  std::uint32_t last_low_ = 0;
  std::uint32_t missing_ = 0;  // the rank of missing values, above all others
};

// What became of the rows of a node.
struct SentRows {
  std::vector<Holding> child;
  std::shared_ptr<const Holding> shared;  // fractional: rows of which every branch gets a share
  std::vector<double> share;              // by branch
  Holding stay;
};

// How a node sends rows once its test is chosen: found from the rows of training, used for those of validation too.
struct Sender {
  TestReader test;
  std::int32_t missing;     // the test's own branch for missing values
  std::int32_t majority = 0;
  std::vector<double> share;  // of the known weight, by branch
  std::vector<Surrogate> surrogates;

  Sender(const RankedTable& table, const Candidate& candidate) : test(table, candidate), missing(candidate.missing) {}

  // The branch of a row, or a Way.
  [[nodiscard]] std::int32_t branch(const RankedTable& table, const Routing& routing, std::uint32_t row) const;
  [[nodiscard]] SentRows send(const RankedTable& table, const Holding& held, const GrowOptions& options) const;
};

// By position: what the test sends where, -1 where only the rule for missing values can.
[[nodiscard]] Sent send_by_test(const Sender& sender, const Candidate& candidate, const Holding& held);
// Settles majority, shares and surrogates from the rows of the node; columns with allowed[column] == 0 are no
// surrogates (empty: all may be).
void settle(Sender& sender, const RankedTable& table, const Sent& sent, const Holding& held,
            const std::vector<std::uint8_t>& allowed, const GrowOptions& options, Watch& watch);

}  // namespace bough
