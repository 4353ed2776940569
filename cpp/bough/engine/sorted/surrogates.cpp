#include "bough/engine/sorted/surrogates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "bough/base/parallel.hpp"
#include "bough/engine/sorted/walk.hpp"
#include "bough/search/value_table.hpp"

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
  void remove_row(std::uint8_t branch) {
    if (branch == kStays) return;
    weight[branch] -= 1.0;
    rows[branch] -= 1.0;
  }
  void add(const Tally& other) {
    for (std::size_t b = 0; b < 2; ++b) {
      weight[b] += other.weight[b];
      rows[b] += other.rows[b];
    }
  }
  [[nodiscard]] double all_weight() const { return weight[0] + weight[1]; }
  [[nodiscard]] double all_rows() const { return rows[0] + rows[1]; }
  [[nodiscard]] ImitationBase base() const { return {all_weight(), std::max(weight[0], weight[1])}; }
};

// One distinct value of a column in the node, in ascending order, with a row that holds it.
struct Value {
  std::uint32_t code = 0;
  std::uint32_t row = 0;
  Tally joint;
};

// Kept from column to column.
struct Scratch {
  std::vector<Value> values;
  std::vector<Tally> by_code;  // empty tallies between two uses
};

// The search at one node, column by column.
template <class Entry>
class NodeSearch {
 public:
  NodeSearch(const RankedTable& table, const Cohort<Entry>& cohort, const Stretch& node, std::size_t primary, int low,
             const GrowOptions& options)
      : table_(table), cohort_(cohort), node_(node), primary_(primary), low_(low), options_(options) {
    const auto& any_order = cohort.list.empty() ? cohort.columns[primary].order : cohort.list;
    for (std::size_t i = node.begin; i < node.end; ++i)
      sent_.add(cohort.side[any_order[i].id()], cohort.weight_of(any_order[i].id()));
  }

  struct Result {
    Imitation found;
    ImitationBase base;
  };
  [[nodiscard]] Result search(std::size_t index, Scratch& scratch) const;

 private:
  using Column = typename Cohort<Entry>::Column;

  [[nodiscard]] unsigned directions(std::size_t column) const;
  [[nodiscard]] bool walks(const Column& column) const;
  [[nodiscard]] Tally joint_of(std::span<const Entry> missing) const;
  [[nodiscard]] Imitation walk(std::size_t index, std::span<const Entry> known, const Tally& joint,
                               unsigned allowed) const;
  void values_in_order(std::size_t index, std::vector<Value>& values) const;
  void values_by_code(std::size_t index, Scratch& scratch) const;
  [[nodiscard]] Imitation best_cut(const std::vector<Value>& values, const Tally& joint, unsigned allowed) const;
  [[nodiscard]] Imitation best_levels(const std::vector<Value>& values, const Tally& joint) const;
  // What a cut must agree with more than.
  [[nodiscard]] double bar(const Tally& joint) const {
    return options_.surrogates.beyond_majority ? std::max(joint.weight[0], joint.weight[1]) : -1.0;
  }
  [[nodiscard]] ImitationBase base_of(const Tally& joint) const {
    return options_.surrogates.joint_base ? joint.base() : sent_.base();
  }

  const RankedTable& table_;
  const Cohort<Entry>& cohort_;
  Stretch node_;
  std::size_t primary_;
  int low_;
  const GrowOptions& options_;
  Tally sent_;
};

// Which branch low values of a surrogate may take: bit 0 branch 0, bit 1 branch 1.
// A surrogate on a constrained column must not undo the constraint: its own answers would move with it. Below a split
// that is constrained itself the lower answers are all in one branch, which low or high values must then take; below
// any other split the two branches are not ordered.
template <class Entry>
unsigned NodeSearch<Entry>::directions(std::size_t column) const {
  unsigned allowed = 3U;
  if (options_.surrogates.keep_direction && low_ >= 0) allowed = 1U << static_cast<unsigned>(low_);
  if (options_.monotone.empty() || options_.monotone[column] == 0 || options_.missing != MissingRule::surrogate)
    return allowed;
  if (options_.monotone[primary_] == 0) return 0U;
  const bool along = options_.monotone[column] == options_.monotone[primary_];
  return allowed & (1U << static_cast<unsigned>(along ? low_ : 1 - low_));
}

// Whether cuts of a column are judged by whole rows, of which two numbers are equal or differ by more than a tie.
template <class Entry>
bool NodeSearch<Entry>::walks(const Column& column) const {
  return column.layout == Layout::order && cohort_.weight.empty() && options_.surrogates.least > 0.0 &&
         options_.tie * sent_.all_rows() < 1.0 && node_.size() < (std::size_t{1} << 31);
}

// The joint cases of a column, from the rows whose value in it is missing.
template <class Entry>
Tally NodeSearch<Entry>::joint_of(std::span<const Entry> missing) const {
  Tally joint = sent_;
  for (const Entry entry : missing) joint.remove_row(cohort_.side[entry.id()]);
  return joint;
}

template <class Entry>
Imitation NodeSearch<Entry>::walk(std::size_t index, std::span<const Entry> known, const Tally& joint,
                                  unsigned allowed) const {
  const Ties& ties = cohort_.columns[index].ties;
  const Joint rows = {static_cast<std::size_t>(joint.rows[0]), static_cast<std::size_t>(joint.rows[1])};
  const std::uint8_t* side = cohort_.side.data();
  const double least = options_.surrogates.least;
  const auto tied = [&](const WalkedCut& cut) { return ties(known[cut.position - 1].id(), known[cut.position].id()); };
  // Neighbours that share a value are rare in most columns: they are looked for where a cut would part them.
  WalkedCut cut = best_walked(known, side, rows, least, allowed, [](std::uint32_t, std::uint32_t) { return false; });
  if (cut.position > 0 && tied(cut)) cut = best_walked(known, side, rows, least, allowed, ties);
  Imitation best;
  if (cut.position == 0 || !(static_cast<double>(cut.agreement) > bar(joint))) return best;
  std::size_t below = cut.position - 1;  // the first row of the value below the cut
  while (below > 0 && ties(known[below - 1].id(), known[below].id())) --below;
  double low_rows = 0.0;
  for (std::size_t i = 0; i < cut.position; ++i) low_rows += side[known[i].id()] != kStays ? 1.0 : 0.0;
  best.any = true;
  best.agreement = static_cast<double>(cut.agreement);
  best.surrogate.low = cut.low;
  best.surrogate.low_row = cohort_.row_of(known[below].id());
  best.surrogate.high_row = cohort_.row_of(known[cut.position].id());
  best.surrogate.low_share = low_rows / joint.all_weight();
  return best;
}

template <class Entry>
void NodeSearch<Entry>::values_in_order(std::size_t index, std::vector<Value>& values) const {
  const auto& column = cohort_.columns[index];
  const std::size_t known = cohort_.known_in(column, node_.begin, node_.end);
  const std::vector<std::uint32_t>& rank = table_.columns[index].rank;
  for (std::size_t i = node_.begin; i < node_.begin + known; ++i) {
    const std::uint32_t id = column.order[i].id();
    const std::uint32_t row = cohort_.row_of(id);
    if (values.empty() || values.back().code != rank[row]) values.push_back({rank[row], row, {}});
    values.back().joint.add(cohort_.side[id], cohort_.weight_of(id));
  }
}

template <class Entry>
void NodeSearch<Entry>::values_by_code(std::size_t index, Scratch& scratch) const {
  const auto& column = cohort_.columns[index];
  const std::size_t missing = column.missing_rank;
  if (scratch.by_code.size() <= missing) scratch.by_code.resize(missing + 1);
  CodeSet present;
  for (std::size_t i = node_.begin; i < node_.end; ++i) {
    const std::uint32_t id = cohort_.list[i].id();
    const std::uint8_t code = column.code[id];
    present.add(code);
    scratch.by_code[code].add(cohort_.side[id], cohort_.weight_of(id));
  }
  present.for_each([&](std::size_t code) {
    const Tally joint = std::exchange(scratch.by_code[code], Tally{});
    if (code == missing) return;
    scratch.values.push_back({static_cast<std::uint32_t>(code), table_.columns[index].sample[code], joint});
  });
}

template <class Entry>
Imitation NodeSearch<Entry>::best_cut(const std::vector<Value>& values, const Tally& joint, unsigned allowed) const {
  const double least = options_.surrogates.least;
  Imitation best;
  best.agreement = bar(joint);
  const double slack = options_.tie * joint.all_weight();
  const auto size = [&](const Tally& tally) { return options_.count_rows ? tally.all_rows() : tally.all_weight(); };
  Tally below;
  for (std::size_t v = 0; v + 1 < values.size(); ++v) {
    below.add(values[v].joint);
    if (size(below) < least || size(joint) - size(below) < least) continue;
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

template <class Entry>
Imitation NodeSearch<Entry>::best_levels(const std::vector<Value>& values, const Tally& joint) const {
  Imitation best;
  double agree = 0.0;
  double disagree = 0.0;
  const auto size = [&](const Tally& tally, int branch) {
    return options_.count_rows ? tally.rows[branch] : tally.weight[branch];
  };
  const double equal = options_.ties == TieRule::rounding ? 0.0 : options_.tie * joint.all_weight();
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
  best.any = std::find(branch.begin(), branch.end(), 0) != branch.end() &&
             std::find(branch.begin(), branch.end(), 1) != branch.end();
  if (options_.surrogates.two_disagree) best.any = best.any && agree >= 2.0 && disagree >= 2.0;
  return best;
}

template <class Entry>
typename NodeSearch<Entry>::Result NodeSearch<Entry>::search(std::size_t index, Scratch& scratch) const {
  const Column& column = cohort_.columns[index];
  const bool levels = table_.columns[index].view.kind == ColumnKind::nominal;
  const unsigned allowed = levels ? 3U : directions(index);
  if (allowed == 0) return {};
  if (!levels && walks(column)) {
    const std::size_t known = cohort_.known_in(column, node_.begin, node_.end);
    const std::span<const Entry> entries(column.order.data() + node_.begin, node_.size());
    const Tally joint = joint_of(entries.subspan(known));
    if (!(joint.all_weight() > 0.0)) return {};
    return {walk(index, entries.first(known), joint, allowed), base_of(joint)};
  }
  scratch.values.clear();
  if (column.layout == Layout::table) {
    values_by_code(index, scratch);
  } else {
    values_in_order(index, scratch.values);
  }
  Tally joint;
  for (const Value& value : scratch.values) joint.add(value.joint);
  if (!(joint.all_weight() > 0.0)) return {};
  return {levels ? best_levels(scratch.values, joint) : best_cut(scratch.values, joint, allowed), base_of(joint)};
}

}  // namespace

template <class Entry>
std::vector<Surrogate> find_surrogates(const RankedTable& table, const Cohort<Entry>& cohort, const Stretch& node,
                                       std::size_t primary, int low, const GrowOptions& options, Watch& watch) {
  const NodeSearch<Entry> search(table, cohort, node, primary, low, options);
  SurrogateList best(options);
  const std::size_t columns = table.columns.size();
  const int threads = node.size() > kBlockRows ? options.threads : 1;
  if (threads <= 1) {
    Scratch scratch;
    for (std::size_t c = 0; c < columns; ++c) {
      if (c == primary) continue;
      watch.poll(node.size());
      auto [found, base] = search.search(c, scratch);
      best.offer(c, std::move(found), base);
    }
    return std::move(best).take();
  }
  std::vector<typename NodeSearch<Entry>::Result> by_column(columns);
  std::vector<Scratch> scratch(static_cast<std::size_t>(threads));
  parallel_for(
      columns, threads, [&] { watch.ask(); },
      [&](std::size_t c, int worker) {
        watch.poll(node.size());
        if (c != primary) by_column[c] = search.search(c, scratch[static_cast<std::size_t>(worker)]);
      });
  for (std::size_t c = 0; c < columns; ++c) best.offer(c, std::move(by_column[c].found), by_column[c].base);
  return std::move(best).take();
}

bool may_have_surrogates(const RankedTable& table, const Target& target, const GrowOptions& options, std::size_t rows) {
  if (!target.weight.empty() || static_cast<double>(rows) >= 2.0 * options.surrogates.least) return true;
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [](const RankedColumn& column) { return column.view.kind == ColumnKind::nominal; });
}

template std::vector<Surrogate> find_surrogates(const RankedTable&, const Cohort<EntryOf<std::uint32_t>>&,
                                                const Stretch&, std::size_t, int, const GrowOptions&, Watch&);
template std::vector<Surrogate> find_surrogates(const RankedTable&, const Cohort<EntryOf<std::uint64_t>>&,
                                                const Stretch&, std::size_t, int, const GrowOptions&, Watch&);

}  // namespace bough
