// Parting a node into any number of branches, with rows of unknown branch sent to all of them in shares (fractional
// cases), to the largest, or to none.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/engine/options.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/search/candidate.hpp"
#include "bough/stats/node_stats.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

struct PartedMany {
  std::vector<NodeStats> child;       // with all that a branch gets
  std::vector<std::size_t> known;     // rows that go to one branch, by branch
  std::vector<double> share;          // of every row that goes to all of them, by branch
  std::size_t unknown = 0;            // rows that go to all branches
  std::int32_t majority = 0;

  [[nodiscard]] std::uint32_t branches() const { return static_cast<std::uint32_t>(child.size()); }
};

// Writes the branch of every row of the node into cohort.branch: branches() for rows that go to all of them, one more
// for rows that stay.
template <class Entry>
PartedMany part_many(const RankedTable& table, const Target& target, const GrowOptions& options, Cohort<Entry>& cohort,
                     const Stretch& node, const NodeStats& stats, const Candidate& primary);

}  // namespace bough
