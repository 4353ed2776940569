// Looking one level further: the best tests of a node are each followed by the best test of one column in every branch,
// and the one that gains most in both levels is taken.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/criterion/judge.hpp"
#include "bough/engine/open/search.hpp"
#include "bough/engine/options.hpp"
#include "bough/search/candidate.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

class LookingAhead {
 public:
  LookingAhead(const RankedTable& table, const Target& target, const GrowOptions& options, const Judge& judge,
               const GainRule& rule, Watch& watch);

  // The tests with the winner in front, the others in their order. `splits(stats)`: whether a branch would be split.
  void choose(std::vector<Candidate>& tests, const NodeView& node, double centre,
              const std::vector<std::uint8_t>& allowed, const std::function<bool(const NodeStats&)>& splits) const;

 private:
  // What the best tests of the branches gain, times the weight.
  [[nodiscard]] double below(const Candidate& test, const NodeView& node, double centre,
                             const std::vector<std::uint8_t>& allowed,
                             const std::function<bool(const NodeStats&)>& splits) const;

  const RankedTable& table_;
  const Target& target_;
  GrowOptions options_;  // one column, no runners-up, no surrogates
  const Judge& judge_;
  Watch& watch_;
  std::int64_t beam_;
  OpenSearch search_;
};

}  // namespace bough
