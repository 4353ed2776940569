#include "bough/cover/beam.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "bough/base/parallel.hpp"
#include "bough/cover/asked.hpp"
#include "bough/cover/rows_by_rank.hpp"

namespace bough {

namespace {

// A number for each row, so that sets of rows have one: the exclusive or of theirs.
std::uint64_t mark(std::uint32_t row) {
  std::uint64_t x = (static_cast<std::uint64_t>(row) + 1) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

struct Member {
  std::vector<Asked> conditions;
  std::vector<std::uint32_t> rows;
  std::uint64_t mark = 0;
  CoverSums sums;
};

// A member with one condition more, or with another threshold.
struct Extension {
  double quality = 0.0;
  std::size_t size = 0;
  double preference = 0.0;
  std::size_t member = 0;
  Asked asked;
  std::uint64_t mark = 0;
  std::int32_t label = -1;

  // Whatever the order in which they are found.
  [[nodiscard]] bool better(const Extension& other) const { return merit() < other.merit(); }
  [[nodiscard]] bool before(const Extension& other) const {
    const auto place = [](const Extension& one) {
      return std::tuple(one.member, one.asked.column, one.asked.ask, one.asked.rank);
    };
    return better(other) || (merit() == other.merit() && place(*this) < place(other));
  }

 private:
  [[nodiscard]] std::tuple<double, std::size_t, double> merit() const { return {-quality, size, -preference}; }
};

// The best candidates, each of other rows than the rest, best first.
class Leaders {
 public:
  explicit Leaders(std::size_t most) : most_(most) {}

  [[nodiscard]] bool would_take(const Extension& one) const {
    return taken_.size() < most_ || one.before(taken_.back());
  }
  void offer(const Extension& one) {
    const auto same = std::ranges::find(taken_, one.mark, &Extension::mark);
    if (same != taken_.end()) {
      if (!one.before(*same)) return;
      taken_.erase(same);
    }
    taken_.insert(std::ranges::lower_bound(taken_, one, [](const auto& a, const auto& b) { return a.before(b); }), one);
    if (taken_.size() > most_) taken_.pop_back();
  }
  [[nodiscard]] const std::vector<Extension>& taken() const { return taken_; }

 private:
  std::size_t most_;
  std::vector<Extension> taken_;
};

// What the columns of the members of a beam offer: each column of each member is looked at on its own.
struct Offer {
  explicit Offer(std::size_t width) : leaders(width) {}
  Leaders leaders;
  Leaders best{1};  // that the judge admits, if it is better than the best so far
};

class Search {
 public:
  Search(const RankedTable& table, const RuleJudge& judge, const BeamOptions& options, Watch& watch)
      : table_(table), judge_(judge), options_(options), watch_(watch) {}

  std::optional<FoundRule> run(std::vector<std::uint32_t> rows) {
    std::vector<Member> beam(1);
    beam[0].rows = std::move(rows);
    weigh(beam[0]);
    for (std::size_t step = 0; step < options_.steps && !beam.empty(); ++step) {
      std::erase_if(beam, [this](const Member& one) { return !may_win(one); });
      beam = next(beam);
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool may_win(const Member& one) const {
    if (!best_) return true;
    Extension at_most;
    at_most.quality = judge_.bound(one.sums);
    at_most.size = one.conditions.size();
    at_most.preference = judge_.preference(one.sums);
    return at_most.better(*best_);
  }

  std::vector<Member> next(const std::vector<Member>& beam) {
    const std::size_t columns = table_.columns.size();
    std::vector<Offer> offers(beam.size() * columns, Offer(options_.width));
    parallel_for(
        offers.size(), options_.threads, [this] { watch_.ask(); },
        [&](std::size_t item, int) {
          look_at(beam, item / columns, item % columns, offers[item]);
          watch_.poll(beam[item / columns].rows.size());
        });
    Leaders leaders(options_.width);
    Leaders best(1);
    for (const Offer& offer : offers) {
      for (const Extension& one : offer.leaders.taken()) leaders.offer(one);
      for (const Extension& one : offer.best.taken()) best.offer(one);
    }
    for (const Extension& one : best.taken()) take(beam[one.member], one);
    std::vector<Member> members;
    for (const Extension& one : leaders.taken()) {
      members.push_back(longer(beam[one.member], one));
      seen_.insert(one.mark);
    }
    return members;
  }

  // The conditions of one column added to one member.
  struct Look {
    const Member& member;
    std::size_t number;
    std::int32_t column;
    Offer& into;
  };

  void look_at(const std::vector<Member>& beam, std::size_t number, std::size_t column, Offer& into) const {
    const RankedColumn& ranked = table_.columns[column];
    const Look look{beam[number], number, static_cast<std::int32_t>(column), into};
    const RowsByRank sorted(look.member.rows, ranked);
    if (ranked.view.kind == ColumnKind::nominal) {
      ask_levels(look, sorted);
    } else {
      ask_thresholds(look, sorted);
    }
    ask_missing(look, sorted);
  }

  void ask_levels(const Look& look, const RowsByRank& sorted) const {
    if (!may(Ask::equal) && !may(Ask::unequal)) return;
    CoverSums known = judge_.none();
    std::uint64_t known_mark = 0;
    if (may(Ask::unequal)) std::tie(known, known_mark) = added(sorted, 0, sorted.known());
    CoverSums level = judge_.none();
    CoverSums others = judge_.none();
    std::uint64_t level_mark = 0;
    for (std::size_t at = 0; at < sorted.known(); ++at) {
      judge_.add(level, sorted.row(at));
      level_mark ^= mark(sorted.row(at));
      if (!sorted.ends(at)) continue;
      const std::uint32_t code = sorted.rank(at);
      if (may(Ask::equal)) offer(look, {Ask::equal, look.column, code, 0, 0}, level, level_mark);
      if (may(Ask::unequal)) {
        judge_.subtract(known, level, others);
        offer(look, {Ask::unequal, look.column, code, 0, 0}, others, known_mark ^ level_mark);
      }
      judge_.clear(level);
      level_mark = 0;
    }
  }

  // One scan from below for <=, one from above for >.
  void ask_thresholds(const Look& look, const RowsByRank& sorted) const {
    CoverSums side = judge_.none();
    std::uint64_t side_mark = 0;
    for (std::size_t at = 0; may(Ask::at_most) && at + 1 < sorted.known(); ++at) {
      judge_.add(side, sorted.row(at));
      side_mark ^= mark(sorted.row(at));
      if (!sorted.ends(at)) continue;
      offer(look, {Ask::at_most, look.column, sorted.rank(at), sorted.row(at), sorted.row(at + 1)}, side, side_mark);
    }
    judge_.clear(side);
    side_mark = 0;
    for (std::size_t at = sorted.known(); may(Ask::above) && at-- > 1;) {
      judge_.add(side, sorted.row(at));
      side_mark ^= mark(sorted.row(at));
      if (!sorted.ends(at - 1)) continue;
      const std::uint32_t below = sorted.row(at - 1);
      offer(look, {Ask::above, look.column, sorted.rank(at - 1), below, sorted.row(at)}, side, side_mark);
    }
  }

  void ask_missing(const Look& look, const RowsByRank& sorted) const {
    const std::size_t known = sorted.known();
    if (known == sorted.size()) return;
    if (may(Ask::missing)) {
      const auto [sums, own_mark] = added(sorted, known, sorted.size());
      offer(look, {Ask::missing, look.column, 0, 0, 0}, sums, own_mark);
    }
    if (may(Ask::known)) {
      const auto [sums, own_mark] = added(sorted, 0, known);
      offer(look, {Ask::known, look.column, 0, 0, 0}, sums, own_mark);
    }
  }

  [[nodiscard]] std::pair<CoverSums, std::uint64_t> added(const RowsByRank& sorted, std::size_t from,
                                                          std::size_t to) const {
    std::pair<CoverSums, std::uint64_t> all{judge_.none(), 0};
    for (std::size_t at = from; at < to; ++at) {
      judge_.add(all.first, sorted.row(at));
      all.second ^= mark(sorted.row(at));
    }
    return all;
  }

  void offer(const Look& look, const Asked& asked, const CoverSums& sums, std::uint64_t rows_mark) const {
    if (sums.rows == 0 || sums.rows == look.member.rows.size() || sums.weight < options_.min_weight) return;
    const bool instead = replaced(look.member, asked) < look.member.conditions.size();
    const std::size_t size = look.member.conditions.size() + (instead ? 0 : 1);
    const Extension one{judge_.quality(sums), size, judge_.preference(sums), look.number, asked, rows_mark,
                        judge_.label_of(sums)};
    // Of equal ones the best of earlier steps stays: it was found before.
    if ((!best_ || one.better(*best_)) && look.into.best.would_take(one) && judge_.admits(sums, one.quality)) {
      look.into.best.offer(one);
    }
    if (look.into.leaders.would_take(one) && !seen_.contains(rows_mark)) look.into.leaders.offer(one);
  }

  // The threshold that a new one takes the place of; the number of conditions if there is none.
  [[nodiscard]] static std::size_t replaced(const Member& member, const Asked& asked) {
    if (asked.ask != Ask::at_most && asked.ask != Ask::above) return member.conditions.size();
    const auto same = [&](const Asked& one) { return one.column == asked.column && one.ask == asked.ask; };
    const auto place = std::ranges::find_if(member.conditions, same);
    return static_cast<std::size_t>(place - member.conditions.begin());
  }

  [[nodiscard]] Member longer(const Member& member, const Extension& one) const {
    Member made;
    made.conditions = member.conditions;
    const std::size_t place = replaced(member, one.asked);
    if (place < made.conditions.size()) {
      made.conditions[place] = one.asked;
    } else {
      made.conditions.push_back(one.asked);
    }
    const RankedColumn& column = table_.columns[static_cast<std::size_t>(one.asked.column)];
    for (const std::uint32_t row : member.rows) {
      if (one.asked.holds(column.rank[row], column.ranks)) made.rows.push_back(row);
    }
    weigh(made);
    return made;
  }

  void weigh(Member& member) const {
    member.sums = judge_.none();
    for (const std::uint32_t row : member.rows) {
      judge_.add(member.sums, row);
      member.mark ^= mark(row);
    }
  }

  void take(const Member& member, const Extension& one) {
    Member made = longer(member, one);
    best_ = one;
    found_ = FoundRule{written(made.conditions, table_), one.quality, one.label, std::move(made.rows)};
  }

  [[nodiscard]] bool may(Ask ask) const { return options_.asks[static_cast<std::size_t>(ask)] != 0; }

  const RankedTable& table_;
  const RuleJudge& judge_;
  const BeamOptions& options_;
  Watch& watch_;
  std::optional<Extension> best_;
  std::optional<FoundRule> found_;
  std::unordered_set<std::uint64_t> seen_;  // what earlier members covered
};

}  // namespace

std::optional<FoundRule> beam_search(const RankedTable& table, const RuleJudge& judge, std::vector<std::uint32_t> rows,
                                     const BeamOptions& options, Watch& watch) {
  return Search(table, judge, options, watch).run(std::move(rows));
}

}  // namespace bough
