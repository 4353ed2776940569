// Tests of two properties at once: "a and b", "a and not b", ... of two levels of different nominal columns, which with
// the branches exchanged are also all the "or" tests. Rows that lack one of the two values are left out of the score.
#include <algorithm>
#include <cmath>
#include <deque>

#include "bough/base/error.hpp"
#include "bough/engine/open/contest.hpp"
#include "bough/engine/open/search.hpp"

namespace bough {
namespace {

// The four sides of two properties: which terms are negated.
constexpr std::uint8_t kNegated[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
constexpr std::size_t kMostJoint = std::size_t{1} << 24;

// Statistics by the cells of two columns, over the rows that have both.
struct Joint {
  std::size_t width = 0;
  std::size_t across = 0;
  std::vector<double> cell;  // rows of the first column x columns of the second x (statistics, weight, rows)
  std::vector<double> first;  // margins
  std::vector<double> second;
  std::vector<double> whole;
};

void add(double* into, const double* from, std::size_t n, double sign = 1.0) {
  for (std::size_t k = 0; k < n; ++k) into[k] += sign * from[k];
}

// Class amounts and weights are not negative; what is left of a difference of equal ones is rounding. (Sums of values,
// which may be negative, are none of these: `signed_at` is their place.)
void clear_rounding(std::vector<double>& sums, const std::vector<double>& whole, std::size_t signed_at) {
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (k != signed_at && sums[k] < 1e-12 * whole[k]) sums[k] = 0.0;
  }
}

Joint joint_of(const OpenColumn& a, const OpenColumn& b) {
  Joint joint;
  const std::size_t width = a.cells.table.width;
  joint.width = width + 2;
  joint.across = b.cells.size();
  if (a.cells.size() * joint.across * joint.width > kMostJoint)
    throw InvalidInput("search", "two columns have too many levels together for pairs");
  joint.cell.assign(a.cells.size() * joint.across * joint.width, 0.0);
  joint.first.assign(a.cells.size() * joint.width, 0.0);
  joint.second.assign(joint.across * joint.width, 0.0);
  joint.whole.assign(joint.width, 0.0);
  const Holding& held = *a.node.held;
  std::vector<std::int64_t> cell_b(held.size(), -1);
  for (std::size_t v = 0; v < b.cells.size(); ++v) {
    for (std::uint32_t i = b.cells.begin[v]; i < b.cells.begin[v + 1]; ++i)
      cell_b[b.cells.order[i]] = static_cast<std::int64_t>(v);
  }
  std::vector<double> one(joint.width);
  for (std::size_t v = 0; v < a.cells.size(); ++v) {
    for (std::uint32_t i = a.cells.begin[v]; i < a.cells.begin[v + 1]; ++i) {
      const std::uint32_t at = a.cells.order[i];
      if (cell_b[at] < 0) continue;
      const auto u = static_cast<std::size_t>(cell_b[at]);
      std::fill(one.begin(), one.end(), 0.0);
      const double w = held.weight[at];
      if (a.target.classes > 0) {
        const std::uint32_t label = a.target.label[held.row[at]];
        one[label] = w * a.target.growth_scale[label];
      } else {
        one[0] = w;
        one[1] = w * a.node.value[at];
        one[2] = one[1] * a.node.value[at];
      }
      one[width] = w;
      one[width + 1] = 1.0;
      add(joint.cell.data() + (v * joint.across + u) * joint.width, one.data(), joint.width);
      add(joint.first.data() + v * joint.width, one.data(), joint.width);
      add(joint.second.data() + u * joint.width, one.data(), joint.width);
      add(joint.whole.data(), one.data(), joint.width);
    }
  }
  return joint;
}

}  // namespace

Candidate best_pair(const RankedTable& table, const Target& target, const GrowOptions& options, const NodeView& node,
                    const std::vector<std::uint8_t>& allowed, const Judge& judge, Watch& watch) {
  std::deque<OpenColumn> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].view.kind != ColumnKind::nominal || (!allowed.empty() && allowed[c] == 0)) continue;
    columns.emplace_back(table, target, options, node, judge, watch, c);
  }
  Candidate best;
  std::vector<double> held_true;
  std::vector<double> held_false;
  for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
    for (std::size_t j = i + 1; j < columns.size(); ++j) {
      const OpenColumn& a = columns[i];
      const OpenColumn& b = columns[j];
      if (a.cells.size() < 2 || b.cells.size() < 2) continue;
      watch.poll(node.held->size());
      const Joint joint = joint_of(a, b);
      const std::size_t width = a.cells.table.width;
      CellSum parent;
      parent.stat.assign(joint.whole.begin(), joint.whole.begin() + static_cast<std::ptrdiff_t>(width));
      parent.weight = joint.whole[width];
      parent.rows = joint.whole[width + 1];
      if (!(parent.weight > 0.0)) continue;
      Amounts amounts{parent.weight, node.stats->effective};
      if (target.classes > 0) {
        amounts.known = 0.0;
        for (const double amount : parent.stat) amounts.known += amount;
      }
      Contest contest(judge, std::move(parent), amounts, a.limits(), false, watch);
      contest.start(2);
      for (std::size_t v = 0; v < a.cells.size(); ++v) {
        for (std::size_t u = 0; u < joint.across; ++u) {
          for (std::size_t way = 0; way < 4; ++way) {
            // Of two levels one is the negation of the other.
            if ((kNegated[way][0] != 0 && a.cells.size() == 2) || (kNegated[way][1] != 0 && joint.across == 2))
              continue;
            const double* both = joint.cell.data() + (v * joint.across + u) * joint.width;
            held_true.assign(joint.width, 0.0);
            const bool not_a = kNegated[way][0] != 0;
            const bool not_b = kNegated[way][1] != 0;
            if (not_a && not_b) add(held_true.data(), joint.whole.data(), joint.width);
            if (not_b) add(held_true.data(), joint.first.data() + v * joint.width, joint.width, not_a ? -1.0 : 1.0);
            if (not_a) add(held_true.data(), joint.second.data() + u * joint.width, joint.width, not_b ? -1.0 : 1.0);
            add(held_true.data(), both, joint.width, not_a == not_b ? 1.0 : -1.0);
            held_false = joint.whole;
            add(held_false.data(), held_true.data(), joint.width, -1.0);
            const std::size_t signed_at = target.classes > 0 ? joint.width : 1;
            clear_rounding(held_true, joint.whole, signed_at);
            clear_rounding(held_false, joint.whole, signed_at);
            const std::size_t test = contest.add((v * joint.across + u) * 4 + way, -1);
            contest.fill(test, 0, held_true.data(), held_true[width], held_true[width + 1]);
            contest.fill(test, 1, held_false.data(), held_false[width], held_false[width + 1]);
          }
        }
      }
      contest.settle();
      if (!contest.any()) continue;
      const double worth = contest.best().ratio;
      if (best.column >= 0 && !(worth > best.worth + options.tie * std::abs(best.worth))) continue;
      best = Candidate{};
      best.column = static_cast<std::int32_t>(a.column);
      best.gain = contest.best().gain;
      best.worth = worth;
      best.open = std::make_unique<OpenTest>();
      best.open->conjunction = true;
      const std::size_t way = contest.tag() % 4;
      const std::size_t cell = contest.tag() / 4;
      best.open->term_column = {static_cast<std::int32_t>(a.column), static_cast<std::int32_t>(b.column)};
      best.open->term_code = {static_cast<std::int32_t>(a.cells.table.code[cell / joint.across]),
                              static_cast<std::int32_t>(b.cells.table.code[cell % joint.across])};
      best.open->term_negated = {kNegated[way][0], kNegated[way][1]};
    }
  }
  return best;
}

}  // namespace bough
