// How much a test may be: several searches compete at a node, in the order of their complexity, and a later one is
// taken only if it is significantly better on rows that it was not fitted to (Yildiz and Alpaydin 2001). They are
// judged by five times two halves of the node (Alpaydin 1999), or by rows that are kept back, where there are some.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/criterion/judge.hpp"
#include "bough/engine/open/search.hpp"
#include "bough/engine/options.hpp"
#include "bough/search/candidate.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

class Omnivariate {
 public:
  Omnivariate(const RankedTable& table, const Target& target, const GrowOptions& options, const Judge& judge,
              const GainRule& rule, Watch& watch, double centre);

  // The tests of the search that the node chooses; `kept_back` are rows that judge it, if any do.
  [[nodiscard]] std::vector<Candidate> search(const NodeView& node, const Holding& kept_back,
                                              const std::vector<std::uint8_t>& allowed, std::size_t& offered,
                                              NodeChoice& choice) const;

 private:
  struct Member {
    Member(const RankedTable& table, const Target& target, GrowOptions given, const Judge& judge, const GainRule& rule,
           Watch& watch)
        : options(std::move(given)), search(table, target, options, judge, rule, watch) {}
    GrowOptions options;
    OpenSearch search;
  };
  // What each row of `judges` loses by the best test that a search finds for `held`.
  [[nodiscard]] std::vector<double> losses(const Member& member, const Holding& held, const Holding& judges,
                                           std::uint64_t key, const std::vector<std::uint8_t>& allowed) const;
  [[nodiscard]] double loss(const NodeStats& answer, std::uint32_t row) const;
  void by_halves(const NodeView& node, const std::vector<std::uint8_t>& allowed, NodeChoice& choice) const;
  void by_kept_back(const NodeView& node, const Holding& kept_back, const std::vector<std::uint8_t>& allowed,
                    NodeChoice& choice) const;
  // One half of the node in a repetition, and the other: stratified by class.
  void part(const NodeView& node, int repetition, Holding (&half)[2]) const;

  const RankedTable& table_;
  const Target& target_;
  const GrowOptions& options_;
  const Judge& judge_;
  Watch& watch_;
  double centre_;
  std::vector<std::unique_ptr<Member>> whole_;  // for all rows of a node
  std::vector<std::unique_ptr<Member>> half_;  // for half of them, on one thread
};

// log P of at least so large a difference of two classifiers in 5x2 cross-validation: `apart` has the differences of
// the errors, two a repetition.
[[nodiscard]] double log_p_of_halves(const std::vector<double>& apart);
// McNemar's exact test: so many rows only one of two has right, so many only the other.
[[nodiscard]] double p_of_disagreement(std::size_t one, std::size_t other);

}  // namespace bough
