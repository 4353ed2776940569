// The search of the open growth: the best test of every column in a node, whatever the branching, the criterion and the
// rule for missing values, and the choice among the columns.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/criterion/judge.hpp"
#include "bough/engine/open/cells.hpp"
#include "bough/engine/open/column.hpp"
#include "bough/engine/open/quick_cut.hpp"
#include "bough/engine/options.hpp"
#include "bough/search/candidate.hpp"
#include "bough/search/quest.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

class OpenSearch {
 public:
  OpenSearch(const RankedTable& table, const Target& target, const GrowOptions& options, const Judge& judge,
             const GainRule& rule, Watch& watch);

  // The best tests of the columns with allowed[column] != 0 (empty: of all), best first; `offered` becomes the number
  // of columns that had one.
  [[nodiscard]] std::vector<Candidate> search(const NodeView& node, const std::vector<std::uint8_t>& allowed,
                                              std::size_t& offered) const;

  // A test of two branches and more that is given, with what it gains here.
  [[nodiscard]] Candidate rated(const NodeView& node, Candidate test) const;

  // A test that an expert gives; throws InvalidInput if one of its branches would get no row.
  [[nodiscard]] Candidate forced(const NodeView& node, const ForcedSplit& split, const std::string& place) const;

 private:
  struct Offer {
    std::vector<Candidate> tests;  // of one column
    double log_p = 0.0;
    bool tested = false;
    Evidence evidence;
  };
  [[nodiscard]] Offer offer(const NodeView& node, std::size_t index) const;
  void choose_by_evidence(std::vector<Offer>& offers) const;
  [[nodiscard]] Candidate forced_conjunction(const NodeView& node, const ForcedSplit& split) const;
  [[nodiscard]] Candidate as_candidate(const OpenColumn& column, const ColumnTest& test) const;
  [[nodiscard]] Candidate as_candidate(const NodeView& node, std::size_t column, const QuickCut& cut) const;

  const RankedTable& table_;
  const Target& target_;
  const GrowOptions& options_;
  const Judge& judge_;
  const GainRule& rule_;
  Watch& watch_;
  GrowOptions any_test_;  // for a column that is given: every test counts
  GrowOptions as_given_;  // for a test that is given: values as they are, none joined
  std::vector<std::uint8_t> no_average_;
};

// By column: whether it has too many levels for its gain to count in the average.
[[nodiscard]] std::vector<std::uint8_t> columns_without_average(const RankedTable& table, const GrowOptions& options,
                                                                const GainRule& rule);

// The best logical combination of properties of different columns; column -1 if there is none.
[[nodiscard]] Candidate best_conjunction(const RankedTable& table, const Target& target, const GrowOptions& options,
                                         const NodeView& node, const std::vector<std::uint8_t>& allowed,
                                         const Judge& judge, Watch& watch);

}  // namespace bough
