#include "bough/engine/sorted/part_many.hpp"

#include <algorithm>
#include <span>

namespace bough {
namespace {

// Writes the branches of the rows whose value is known, `unknown` for the others.
template <class Entry>
void send_known(const RankedTable& table, Cohort<Entry>& cohort, const Stretch& node, const Candidate& primary,
                std::uint32_t unknown) {
  const auto index = static_cast<std::size_t>(primary.column);
  const auto& column = cohort.columns[index];
  const RankedColumn& ranked = table.columns[index];
  const auto branch_of = [&](const LevelSet& levels, std::size_t v) {
    if (levels.branch.empty()) return levels.low[v] != 0 ? 0U : 1U;
    return static_cast<std::uint32_t>(levels.branch[v]);
  };
  if (column.layout == Layout::table) {
    std::uint32_t branch[kTableRanks + 1];
    std::fill(std::begin(branch), std::end(branch), unknown);
    if (primary.levels == nullptr) {
      for (std::uint32_t rank = 0; rank < ranked.ranks; ++rank)
        branch[rank] = rank <= ranked.rank[primary.low_row] ? 0 : 1;
    } else {
      const LevelSet& levels = *primary.levels;
      for (std::size_t v = 0; v < levels.code.size(); ++v) branch[levels.code[v]] = branch_of(levels, v);
    }
    for (std::size_t i = node.begin; i < node.end; ++i) {
      const std::uint32_t id = cohort.list[i].id();
      cohort.branch[id] = branch[column.code[id]];
    }
    return;
  }
  const std::size_t known = node.begin + cohort.known_in(column, node.begin, node.end);
  std::size_t level = 0;
  for (std::size_t i = node.begin; i < node.end; ++i) {
    const std::uint32_t id = column.order[i].id();
    if (i >= known) {
      cohort.branch[id] = unknown;
    } else if (primary.levels == nullptr) {
      cohort.branch[id] = i < node.begin + primary.position ? 0 : 1;
    } else {
      const LevelSet& levels = *primary.levels;
      const auto code = static_cast<std::int32_t>(ranked.rank[cohort.row_of(id)]);
      while (levels.code[level] < code) ++level;
      cohort.branch[id] = branch_of(levels, level);
    }
  }
}

void add(NodeStats& stats, std::uint32_t label, double weight) {
  ++stats.rows;
  stats.weight += weight;
  stats.counts[label] += weight;
}

}  // namespace

template <class Entry>
PartedMany part_many(const RankedTable& table, const Target& target, const GrowOptions& options, Cohort<Entry>& cohort,
                     const Stretch& node, const NodeStats& stats, const Candidate& primary) {
  PartedMany parted;
  const std::uint32_t branches = primary.levels == nullptr ? 2U : static_cast<std::uint32_t>(primary.levels->branches);
  if (cohort.branch.size() < cohort.ids) cohort.branch.resize(cohort.ids);
  send_known(table, cohort, node, primary, branches);
  NodeStats none;
  none.counts.assign(target.classes, 0.0);
  parted.child.assign(branches, none);
  parted.share.assign(branches, 0.0);
  NodeStats unknown = none;
  const auto index = static_cast<std::size_t>(primary.column);
  const std::vector<Entry>& order =
      cohort.columns[index].layout == Layout::order ? cohort.columns[index].order : cohort.list;
  const std::span<const Entry> entries(order.data() + node.begin, node.size());
  for (const Entry entry : entries) {
    const std::uint32_t branch = cohort.branch[entry.id()];
    add(branch < branches ? parted.child[branch] : unknown, entry.label(), cohort.weight_of(entry.id()));
  }
  double known = 0.0;
  for (std::uint32_t b = 0; b < branches; ++b) {
    parted.known.push_back(parted.child[b].rows);
    known += parted.child[b].weight;
    if (parted.child[b].weight > parted.child[parted.majority].weight * (1.0 + options.tie))
      parted.majority = static_cast<std::int32_t>(b);
  }
  if (unknown.rows > 0 && options.missing != MissingRule::fractional) {
    const bool sent = options.missing == MissingRule::majority;
    for (const Entry entry : entries) {
      std::uint32_t& branch = cohort.branch[entry.id()];
      if (branch < branches) continue;
      branch = sent ? static_cast<std::uint32_t>(parted.majority) : branches + 1;
      if (!sent) continue;
      ++parted.known[branch];
      add(parted.child[branch], entry.label(), cohort.weight_of(entry.id()));
    }
  } else if (unknown.rows > 0) {
    parted.unknown = unknown.rows;
    for (std::uint32_t b = 0; b < branches; ++b) {
      NodeStats& child = parted.child[b];
      const double share = child.weight / known;
      if (!(share > options.gain.epsilon)) continue;
      parted.share[b] = share;
      child.rows += unknown.rows;
      child.weight += share * unknown.weight;
      for (std::size_t k = 0; k < target.classes; ++k) child.counts[k] += share * unknown.counts[k];
    }
  }
  for (NodeStats& child : parted.child) {
    if (child.weight > options.gain.epsilon) {
      settle_classes(child, target, options.criterion);
      continue;
    }
    // A branch without rows answers as the node does.
    child = stats;
    child.rows = 0;
    child.weight = child.effective = child.risk = 0.0;
    child.pure = true;
  }
  return parted;
}

template PartedMany part_many(const RankedTable&, const Target&, const GrowOptions&, Cohort<EntryOf<std::uint32_t>>&,
                              const Stretch&, const NodeStats&, const Candidate&);
template PartedMany part_many(const RankedTable&, const Target&, const GrowOptions&, Cohort<EntryOf<std::uint64_t>>&,
                              const Stretch&, const NodeStats&, const Candidate&);

}  // namespace bough
