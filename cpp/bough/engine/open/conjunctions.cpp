// Tests of two or three properties at once: "a and b", "a and not b", ... of different columns, which with the branches
// exchanged are also all the "or" tests. A property is a level or, of numbers and ordered levels, a side of a
// threshold. Rows that lack one of the values are left out of the score.
//
// The rows that have all values are counted once into the cells of the columns. Along one column after the other these
// cells become sums over properties, so that every test is a sum that is there already, whatever the number of rows.
#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <ranges>
#include <utility>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/engine/open/contest.hpp"
#include "bough/engine/open/search.hpp"

namespace bough {
namespace {

constexpr std::size_t kMostJoint = std::size_t{1} << 24;  // numbers in a table of cells
constexpr std::size_t kAlone = 4096;  // rows times combinations below which threads are not worth their start

// A column and its properties: numbers 0, 1, ... of bases (a level, or a threshold from below), each in one or two ways
// (as it is, negated). Of two levels one is the negation of the other.
struct Asked {
  OpenColumn column;
  Cells cells;  // levels, or the parts between thresholds
  std::vector<std::int32_t> cell;  // by position in the node, -1: no value

  Asked(const RankedTable& table, const Target& target, const GrowOptions& options, const NodeView& node,
        const Judge& judge, Watch& watch, std::size_t number)
      : column(table, target, options, node, judge, watch, number), cells(column.cells) {
    if (!column.nominal()) {
      const auto most = static_cast<std::size_t>(options.selection.thresholds) + 1;
      cells = coarsened(std::move(cells), most, stat_kind(target, options.criterion));
    }
    cell.assign(node.held->size(), -1);
    for (std::size_t v = 0; v < cells.size(); ++v) {
      for (std::uint32_t i = cells.begin[v]; i < cells.begin[v + 1]; ++i)
        cell[cells.order[i]] = static_cast<std::int32_t>(v);
    }
  }

  [[nodiscard]] std::size_t bases() const { return cells.size() - (column.nominal() ? 0 : 1); }
  [[nodiscard]] std::size_t ways() const { return column.nominal() && cells.size() == 2 ? 1 : 2; }

  // From the cells of this column, its first axis, to its properties: `rest` numbers for each.
  [[nodiscard]] std::vector<double> by_property(const double* from, std::size_t rest) const;
  [[nodiscard]] FoundProperty property(std::size_t base, bool negated) const;
};

void add(double* into, const double* from, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) into[k] += from[k];
}

std::vector<double> Asked::by_property(const double* from, std::size_t rest) const {
  std::vector<double> sums(bases() * ways() * rest, 0.0);
  const auto at = [&](std::size_t base, std::size_t way) { return sums.data() + (base * ways() + way) * rest; };
  std::vector<double> met(rest, 0.0);
  for (std::size_t v = 0; v < bases(); ++v) {
    const double* cell = from + v * rest;
    if (column.nominal() && ways() == 2) add(at(v, 1), met.data(), rest);  // the levels before it
    add(met.data(), cell, rest);
    add(at(v, 0), column.nominal() ? cell : met.data(), rest);
  }
  std::fill(met.begin(), met.end(), 0.0);
  for (std::size_t v = cells.size(); ways() == 2 && v-- > 1;) {
    add(met.data(), from + v * rest, rest);
    add(at(v - 1, 1), met.data(), rest);  // the levels behind it, or all above the threshold
  }
  return sums;
}

FoundProperty Asked::property(std::size_t base, bool negated) const {
  FoundProperty found;
  found.asked.column = static_cast<std::int32_t>(column.column);
  found.asked.negated = negated;
  if (column.nominal()) {
    found.asked.code = static_cast<std::int32_t>(cells.table.code[base]);
    return found;
  }
  found.asked.code = Property::kThreshold;
  found.low_row = cells.last[base];
  found.high_row = cells.row[base + 1];
  const std::vector<double>& weight = cells.table.weight;
  const auto middle = weight.begin() + static_cast<std::ptrdiff_t>(base) + 1;
  found.low_share = std::accumulate(weight.begin(), middle, 0.0) / std::accumulate(weight.begin(), weight.end(), 0.0);
  return found;
}

// Class amounts and weights are not negative; what is left of a difference of equal ones is rounding. (Sums of values,
// which may be negative, are none of these: `signed_at` is their place.)
void clear_rounding(std::vector<double>& sums, const std::vector<double>& whole, std::size_t signed_at) {
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (k != signed_at && sums[k] < 1e-12 * whole[k]) sums[k] = 0.0;
  }
}

// The conjunctions of one property of each of some columns.
class Combination {
 public:
  explicit Combination(std::vector<const Asked*> columns)
      : columns_(std::move(columns)), first_(columns_.front()->column) {
    width_ = first_.cells.table.width + 2;  // statistics, weight, rows
    std::size_t cells = width_;
    for (const Asked* asked : columns_) cells *= asked->cells.size();
    if (cells > kMostJoint) throw InvalidInput("search", "some columns have too many values together for conjunctions");
    joint_.assign(cells, 0.0);
    whole_.assign(width_, 0.0);
  }

  [[nodiscard]] Candidate best();

 private:
  // The sums of one column's properties, for what the properties of the columns before it leave of the others: one part
  // for each way to negate those.
  struct Level {
    std::vector<std::vector<double>> sums;
    std::size_t rest = 0;  // numbers of a property
    std::uint64_t place = 0;  // which properties came before
    std::size_t base = 0;  // which one is next
  };

  void count();
  // All tests, with the properties of the last column as the quickest.
  void enter_all(Contest& contest);
  [[nodiscard]] Level level(std::size_t axis, const std::vector<const double*>& parts, std::uint64_t place) const;
  // Enters a test for each way to negate its properties.
  void enter(Contest& contest, const std::vector<const double*>& parts, std::uint64_t place);

  std::vector<const Asked*> columns_;
  const OpenColumn& first_;
  std::size_t width_ = 0;
  std::vector<double> joint_;  // by cell of the first column, of the second, ...
  std::vector<double> whole_;
  std::vector<double> fails_;  // of the test at hand: what does not hold
};

void Combination::count() {
  const Holding& held = *first_.node.held;
  const Target& target = first_.target;
  const std::size_t width = width_ - 2;
  std::vector<double> one(width_);
  for (std::size_t i = 0; i < held.size(); ++i) {
    std::size_t place = 0;
    bool known = true;
    for (const Asked* asked : columns_) {
      known = known && asked->cell[i] >= 0;
      place = place * asked->cells.size() + static_cast<std::size_t>(std::max(asked->cell[i], 0));
    }
    if (!known) continue;
    std::fill(one.begin(), one.end(), 0.0);
    const double w = held.weight[i];
    if (target.classes > 0) {
      const std::uint32_t label = target.label[held.row[i]];
      one[label] = w * target.growth_scale[label];
    } else {
      const double y = first_.node.value[i];
      one[0] = w;
      one[1] = w * y;
      one[2] = w * y * y;
    }
    one[width] = w;
    one[width + 1] = 1.0;
    add(joint_.data() + place * width_, one.data(), width_);
    add(whole_.data(), one.data(), width_);
  }
}

Combination::Level Combination::level(std::size_t axis, const std::vector<const double*>& parts,
                                      std::uint64_t place) const {
  Level found;
  found.place = place;
  found.rest = width_;
  for (std::size_t other = axis + 1; other < columns_.size(); ++other) found.rest *= columns_[other]->cells.size();
  found.sums.reserve(parts.size());
  for (const double* part : parts) found.sums.push_back(columns_[axis]->by_property(part, found.rest));
  return found;
}

void Combination::enter_all(Contest& contest) {
  std::vector<Level> levels = {};
  levels.push_back(level(0, {joint_.data()}, 0));
  std::vector<const double*> parts;
  while (!levels.empty()) {
    Level& last = levels.back();
    const Asked& asked = *columns_[levels.size() - 1];
    if (last.base == asked.bases()) {
      levels.pop_back();
      continue;
    }
    parts.clear();
    for (const std::vector<double>& sums : last.sums) {
      for (std::size_t way = 0; way < asked.ways(); ++way)
        parts.push_back(sums.data() + (last.base * asked.ways() + way) * last.rest);
    }
    const std::uint64_t place = last.place * asked.bases() + last.base++;
    if (levels.size() < columns_.size()) {
      levels.push_back(level(levels.size(), parts, place));
    } else {
      enter(contest, parts, place);
    }
  }
}

void Combination::enter(Contest& contest, const std::vector<const double*>& parts, std::uint64_t place) {
  const std::size_t width = width_ - 2;
  const std::size_t signed_at = first_.target.classes > 0 ? width_ : 1;
  for (std::size_t way = 0; way < parts.size(); ++way) {
    const double* holds = parts[way];
    fails_ = whole_;
    for (std::size_t k = 0; k < width_; ++k) fails_[k] -= holds[k];
    clear_rounding(fails_, whole_, signed_at);
    const std::size_t test = contest.add(place * parts.size() + way, -1);
    contest.fill(test, 0, holds, holds[width], holds[width + 1]);
    contest.fill(test, 1, fails_.data(), fails_[width], fails_[width + 1]);
  }
}

Candidate Combination::best() {
  count();
  Candidate found;
  CellSum parent;
  parent.stat.assign(whole_.begin(), whole_.end() - 2);
  parent.weight = whole_[width_ - 2];
  parent.rows = whole_[width_ - 1];
  if (!(parent.weight > 0.0)) return found;
  const Amounts amounts = first_.amounts_of(parent);
  Contest contest(first_.judge, std::move(parent), amounts, first_.limits(), false, first_.watch);
  contest.start(2);
  enter_all(contest);
  contest.settle();
  if (!contest.any()) return found;
  found.column = static_cast<std::int32_t>(first_.column);
  found.gain = contest.best().gain;
  found.worth = contest.best().ratio;
  found.open = std::make_unique<OpenTest>();
  // The tag counts bases first and ways last, each with the last column as the quickest.
  std::size_t ways = 1;
  for (const Asked* asked : columns_) ways *= asked->ways();
  std::uint64_t way = contest.tag() % ways;
  std::uint64_t place = contest.tag() / ways;
  for (const Asked* asked : columns_ | std::views::reverse) {
    found.open->terms.push_back(asked->property(place % asked->bases(), way % asked->ways() == 1));
    place /= asked->bases();
    way /= asked->ways();
  }
  std::reverse(found.open->terms.begin(), found.open->terms.end());
  return found;
}

// Every choice of so many columns, in their order.
std::vector<std::vector<const Asked*>> choices(const std::deque<Asked>& columns, std::size_t size) {
  std::vector<std::vector<const Asked*>> found;
  std::vector<std::size_t> at(size);
  std::iota(at.begin(), at.end(), std::size_t{0});
  if (size > columns.size()) return found;
  while (true) {
    std::vector<const Asked*>& one = found.emplace_back();
    for (const std::size_t c : at) one.push_back(&columns[c]);
    std::size_t last = size;
    while (last > 0 && at[last - 1] == columns.size() - size + last - 1) --last;
    if (last == 0) return found;
    ++at[last - 1];
    for (std::size_t k = last; k < size; ++k) at[k] = at[k - 1] + 1;
  }
}

}  // namespace

Candidate best_conjunction(const RankedTable& table, const Target& target, const GrowOptions& options,
                           const NodeView& node, const std::vector<std::uint8_t>& allowed, const Judge& judge,
                           Watch& watch) {
  std::deque<Asked> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const bool nominal = table.columns[c].view.kind == ColumnKind::nominal;
    if ((!nominal && options.selection.thresholds == 0) || (!allowed.empty() && allowed[c] == 0)) continue;
    columns.emplace_back(table, target, options, node, judge, watch, c);
    if (columns.back().cells.size() < 2) columns.pop_back();
  }
  Candidate best;
  for (std::size_t size = 2; size <= static_cast<std::size_t>(options.selection.properties); ++size) {
    const std::vector<std::vector<const Asked*>> sets = choices(columns, size);
    std::vector<Candidate> found(sets.size());
    const bool shared = judge.parallel() && node.held->size() * sets.size() > kAlone;
    parallel_for(
        sets.size(), shared ? options.threads : 1, [&] { watch.ask(); },
        [&](std::size_t i, int) {
          watch.poll(node.held->size());
          found[i] = Combination(sets[i]).best();
        });
    for (Candidate& one : found) {
      if (one.column < 0) continue;
      if (best.column >= 0 && !(one.worth > best.worth + options.tie * std::abs(best.worth))) continue;
      best = std::move(one);
    }
  }
  return best;
}

}  // namespace bough
