#include "bough/missing/surrogates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bough/feature/row.hpp"
#include "bough/split/branch_of.hpp"

namespace bough {
namespace {

// Weights and rows of joint cases (both values known), by branch of the primary.
struct Tally {
  std::array<double, 2> weight{};
  std::array<double, 2> rows{};

  void add(std::uint8_t branch, double w) {
    if (branch == kStays) return;
    weight[branch] += w;
    rows[branch] += 1.0;
  }
  void add(const Tally& other) {
    for (std::size_t b = 0; b < 2; ++b) {
      weight[b] += other.weight[b];
      rows[b] += other.rows[b];
    }
  }
  [[nodiscard]] double all_weight() const { return weight[0] + weight[1]; }
  [[nodiscard]] double all_rows() const { return rows[0] + rows[1]; }
};

// One distinct value of a column in the node, in ascending order, with a row that holds it.
struct Value {
  std::uint32_t code = 0;
  std::uint32_t row = 0;
  Tally joint;
};

template <class Entry>
std::vector<Value> values_in_node(const RankedTable& table, const Cohort<Entry>& cohort, std::size_t c,
                                  std::size_t begin, std::size_t end) {
  const auto& column = cohort.columns[c];
  std::vector<Value> values;
  if (column.layout == Layout::table) {
    const std::uint32_t missing = column.missing_rank;
    std::array<bool, kTableRanks + 1> seen{};
    std::vector<Tally> by_code(static_cast<std::size_t>(missing) + 1);
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t id = cohort.list[i].id();
      const std::uint8_t code = column.code[id];
      seen[code] = true;
      by_code[code].add(cohort.side[id], cohort.weight_of(id));
    }
    for (std::uint32_t code = 0; code < missing; ++code) {
      if (seen[code]) values.push_back({code, table.columns[c].sample[code], by_code[code]});
    }
    return values;
  }
  const std::size_t known = cohort.known_in(column, begin, end);
  const std::vector<std::uint32_t>& rank = table.columns[c].rank;
  for (std::size_t i = begin; i < begin + known; ++i) {
    const std::uint32_t id = column.order[i].id();
    const std::uint32_t row = cohort.row_of(id);
    if (values.empty() || values.back().code != rank[row]) values.push_back({rank[row], row, {}});
    values.back().joint.add(cohort.side[id], cohort.weight_of(id));
  }
  return values;
}

struct Found2 {
  Surrogate surrogate;
  double agreement = 0.0;  // weight
  bool any = false;
};

// Which branch low values of a surrogate may take: bit 0 branch 0, bit 1 branch 1.
// A surrogate on a constrained column must not undo the constraint: its own answers would move with it. Below a split
// that is constrained itself the lower answers are all in one branch, which low or high values must then take; below
// any other split the two branches are not ordered.
unsigned directions(std::size_t column, std::size_t primary, int low, const GrowOptions& options) {
  unsigned allowed = 3U;
  if (options.surrogates.keep_direction && low >= 0) allowed = 1U << static_cast<unsigned>(low);
  if (options.monotone.empty() || options.monotone[column] == 0 || options.missing != MissingRule::surrogate)
    return allowed;
  if (options.monotone[primary] == 0) return 0U;
  const bool along = options.monotone[column] == options.monotone[primary];
  return allowed & (1U << static_cast<unsigned>(along ? low : 1 - low));
}

Found2 best_cut(const std::vector<Value>& values, const Tally& joint, unsigned allowed, const GrowOptions& options) {
  const SurrogateOptions& wanted = options.surrogates;
  Found2 best;
  best.agreement = wanted.beyond_majority ? std::max(joint.weight[0], joint.weight[1]) : -1.0;
  const double slack = options.tie * joint.all_weight();
  const auto size = [&](const Tally& tally) { return options.count_rows ? tally.all_rows() : tally.all_weight(); };
  Tally below;
  for (std::size_t v = 0; v + 1 < values.size(); ++v) {
    below.add(values[v].joint);
    if (size(below) < wanted.least || size(joint) - size(below) < wanted.least) continue;
    const double crossed = below.weight[1] + (joint.weight[0] - below.weight[0]);   // low values take branch 1
    const double straight = below.weight[0] + (joint.weight[1] - below.weight[1]);  // low values take branch 0
    for (const std::uint8_t branch : {std::uint8_t{1}, std::uint8_t{0}}) {
      const double agreement = branch == 1 ? crossed : straight;
      if ((allowed >> branch & 1U) == 0 || !(agreement > best.agreement + slack)) continue;
      best.any = true;
      best.agreement = agreement;
      best.surrogate.low = branch;
      best.surrogate.low_row = values[v].row;
      best.surrogate.high_row = values[v + 1].row;
      best.surrogate.low_share = below.all_weight() / joint.all_weight();
    }
  }
  return best;
}

Found2 best_levels(const std::vector<Value>& values, const Tally& joint, const GrowOptions& options) {
  Found2 best;
  double agree = 0.0;
  double disagree = 0.0;
  const auto size = [&](const Tally& tally, int branch) {
    return options.count_rows ? tally.rows[branch] : tally.weight[branch];
  };
  const double equal = options.ties == TieRule::rounding ? 0.0 : options.tie * joint.all_weight();
  const std::uint8_t larger = joint.weight[0] > joint.weight[1] + equal ? 0 : 1;
  for (const Value& value : values) {
    const Tally& tally = value.joint;
    if (!(tally.all_weight() > 0.0)) continue;
    std::uint8_t branch = tally.weight[1] > tally.weight[0] ? 1 : 0;
    if (std::abs(tally.weight[0] - tally.weight[1]) <= equal) branch = larger;
    best.surrogate.code.push_back(static_cast<std::int32_t>(value.code));
    best.surrogate.branch.push_back(branch);
    best.agreement += tally.weight[branch];
    agree += size(tally, branch);
    disagree += size(tally, 1 - branch);
  }
  const auto& branch = best.surrogate.branch;
  const bool both = std::find(branch.begin(), branch.end(), 0) != branch.end() &&
                    std::find(branch.begin(), branch.end(), 1) != branch.end();
  best.any = both;
  if (options.surrogates.two_disagree) best.any = best.any && agree >= 2.0 && disagree >= 2.0;
  return best;
}

}  // namespace

template <class Entry>
std::vector<Surrogate> find_surrogates(const RankedTable& table, const Cohort<Entry>& cohort, std::size_t begin,
                                       std::size_t end, std::size_t primary, int low, const GrowOptions& options,
                                       Watch& watch) {
  const auto& any_order = cohort.list.empty() ? cohort.columns[primary].order : cohort.list;
  Tally sent;
  for (std::size_t i = begin; i < end; ++i)
    sent.add(cohort.side[any_order[i].id()], cohort.weight_of(any_order[i].id()));
  std::vector<Surrogate> best;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (c == primary) continue;
    watch.poll(end - begin);
    const std::vector<Value> values = values_in_node(table, cohort, c, begin, end);
    Tally joint;
    for (const Value& value : values) joint.add(value.joint);
    if (!(joint.all_weight() > 0.0)) continue;
    const bool levels = table.columns[c].view.kind == ColumnKind::nominal;
    const unsigned allowed = levels ? 3U : directions(c, primary, low, options);
    if (allowed == 0) continue;
    Found2 found = levels ? best_levels(values, joint, options) : best_cut(values, joint, allowed, options);
    if (!found.any) continue;
    const Tally& base = options.surrogates.joint_base ? joint : sent;
    const double majority = std::max(base.weight[0], base.weight[1]) / base.all_weight();
    Surrogate& surrogate = found.surrogate;
    surrogate.column = static_cast<std::int32_t>(c);
    surrogate.agreement = found.agreement / base.all_weight();
    surrogate.adjusted = majority < 1.0 ? (surrogate.agreement - majority) / (1.0 - majority) : 0.0;
    if (options.surrogates.beyond_majority && !(surrogate.adjusted > 1e-10)) continue;
    std::size_t place = best.size();
    while (place > 0 && surrogate.agreement > best[place - 1].agreement * (1.0 + options.tie)) --place;
    if (place >= static_cast<std::size_t>(options.surrogates.most)) continue;
    best.insert(best.begin() + static_cast<std::ptrdiff_t>(place), std::move(surrogate));
    if (best.size() > static_cast<std::size_t>(options.surrogates.most)) best.pop_back();
  }
  return best;
}

std::int32_t branch_by_surrogate(const RankedTable& table, const Surrogate& surrogate, std::size_t row) {
  const RankRow ranks(table, row);
  const std::int32_t state = ranks.state(surrogate.column, !surrogate.code.empty());
  if (state != State::known) return state;
  const std::int32_t rank = ranks.code(surrogate.column);
  if (!surrogate.code.empty()) return branch_of_level(surrogate.code, surrogate.branch, rank);
  if (rank <= RankRow(table, surrogate.low_row).code(surrogate.column)) return surrogate.low;
  return surrogate.high >= 0 ? surrogate.high : 1 - surrogate.low;
}

template std::vector<Surrogate> find_surrogates(const RankedTable&, const Cohort<EntryOf<std::uint32_t>>&, std::size_t,
                                                std::size_t, std::size_t, int, const GrowOptions&, Watch&);
template std::vector<Surrogate> find_surrogates(const RankedTable&, const Cohort<EntryOf<std::uint64_t>>&, std::size_t,
                                                std::size_t, std::size_t, int, const GrowOptions&, Watch&);

}  // namespace bough
