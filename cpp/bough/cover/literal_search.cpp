// See literal_search.hpp. A column is counted by rank where that touches not much more than sorting would, and
// otherwise its covered rows are sorted; one scan from below then meets every cut, from both sides.
#include "bough/cover/literal_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "bough/base/parallel.hpp"

namespace bough {
namespace {

constexpr std::size_t enough_for_threads = 200'000;  // cells below which starting threads costs more than it saves

// Judges literals of one column and keeps the best.
template <class Count>
class Contest {
 public:
  // Positive weight below `least` is what rounding leaves of none.
  Contest(const CoverOptions& options, const Logs& logs, Count all, double least, double min_total, std::size_t column)
      : options_(options),
        logs_(logs),
        all_{static_cast<double>(all.positive()), static_cast<double>(all.total())},
        laplace_(options.gain == RuleGain::laplace ? 1 : 0),
        jrip_(options.jrip),
        base_(logs_(all.positive() + laplace_) - logs_(all.total() + laplace_)),
        log_of_all_(jrip_ ? log_of_share(all) : 0.0),
        least_(least),
        min_total_(min_total),
        column_(static_cast<std::int32_t>(column)) {}

  void enter(Form form, Count covered, std::uint32_t low, std::uint32_t high) {
    const auto p = static_cast<double>(covered.positive());
    const auto t = static_cast<double>(covered.total());
    if (p <= least_ || t < min_total_) return;
    if (options_.written.gain) {
      covered_.push_back({p, t});
      waiting_.push_back({0.0, p, column_, form, low, high, {}});
      return;
    }
    double gain = p * (logs_(covered.positive() + laplace_) - logs_(covered.total() + laplace_) - base_);
    if (jrip_ && gain > best_.gain - close) gain = p * (log_of_share(covered) - log_of_all_);
    if (gain > best_.gain) best_ = {gain, p, column_, form, low, high, {}};
  }
  // The first of those that gain most; a gain that the caller writes is asked for all of them at once.
  FoundLiteral best() {
    if (waiting_.empty()) return best_;
    const std::vector<double> gains = options_.written.gain(covered_, all_);
    const auto most = std::ranges::max_element(gains);
    if (!(*most > 0.0)) return {};
    FoundLiteral& found = waiting_[static_cast<std::size_t>(most - gains.begin())];
    found.gain = *most;
    return found;
  }

 private:
  using Number = decltype(Count().positive());
  static constexpr double close = 1e-6;  // more than rounding leaves between two ways to reckon a gain

  // As JRip reckons it, because it is rounding that decides between literals of equal gain.
  [[nodiscard]] double log_of_share(Count covered) const {
    const auto share =
        static_cast<double>(covered.positive() + laplace_) / static_cast<double>(covered.total() + laplace_);
    return std::log(share) / std::numbers::ln2;
  }

  const CoverOptions& options_;
  const Logs& logs_;
  Weights all_;
  Number laplace_;
  bool jrip_;
  double base_;
  double log_of_all_;
  double least_;
  double min_total_;
  std::int32_t column_;
  FoundLiteral best_;
  std::vector<Weights> covered_;  // by those that wait to be judged
  std::vector<FoundLiteral> waiting_;
};

// The cuts of a column, told the counts of its values from below.
template <class Count>
class LiteralScan {
 public:
  LiteralScan(Contest<Count>& contest, const CoverOptions& options, Count known, std::uint32_t last, bool up, bool down,
              bool all)
      : contest_(contest), jrip_(options.jrip), known_(known), last_(last), up_(up), down_(down), all_(all) {}

  // A value that is worse than its neighbour for sure is not judged: a larger p at the same cost always gains.
  void step(std::uint32_t rank, Count own) {
    if (is_first_) {
      if (jrip_ && up_) contest_.enter(Form::above, known_, rank, rank);
    } else {
      const bool le_ends = own.pure() && (rank != last_ || jrip_);
      if (down_ && (all_ || (before_.positive() != 0 && !le_ends)))
        contest_.enter(Form::at_most, below_, before_rank_, rank);
      const bool ge_ends = before_.pure() && (!before_is_first_ || jrip_);
      if (up_ && (all_ || (own.positive() != 0 && !ge_ends))) {
        contest_.enter(Form::above, known_ - below_, before_rank_, rank);
      }
    }
    below_ += own;
    before_ = own;
    before_rank_ = rank;
    before_is_first_ = is_first_;
    is_first_ = false;
  }
  void finish() {
    if (jrip_ && down_ && !is_first_) contest_.enter(Form::at_most, below_, before_rank_, before_rank_);
  }

 private:
  Contest<Count>& contest_;
  bool jrip_;
  Count known_;
  std::uint32_t last_;
  bool up_;
  bool down_;
  bool all_;
  Count below_;
  Count before_;
  std::uint32_t before_rank_ = 0;
  bool is_first_ = true;
  bool before_is_first_ = false;
};

// Single levels, all but one, and sets: levels in the order of their share of positive rows, as many of the first as
// `low` says. Returns this order, empty where sets are not allowed.
template <class Count>
std::vector<std::uint32_t> judge_levels(std::vector<Count>& by_code, std::uint32_t levels,
                                        const AllowedLiterals& allowed, Contest<Count>& contest) {
  Count known;
  for (std::uint32_t code = 0; code < levels; ++code) known += by_code[code];
  if (allowed.equal) {
    for (std::uint32_t code = 0; code < levels; ++code) contest.enter(Form::equal, by_code[code], code, code);
  }
  if (allowed.unequal) {
    for (std::uint32_t code = 0; code < levels; ++code) {
      if (!by_code[code].empty()) contest.enter(Form::unequal, known - by_code[code], code, code);
    }
  }
  std::vector<std::uint32_t> order;
  if (!allowed.one_of) return order;
  for (std::uint32_t code = 0; code < levels; ++code) {
    if (!by_code[code].empty()) order.push_back(code);
  }
  const auto share = [&](std::uint32_t code) {
    return static_cast<double>(by_code[code].positive()) / static_cast<double>(by_code[code].total());
  };
  std::ranges::stable_sort(order, std::greater<>(), share);
  Count inside;
  for (std::size_t k = 0; k + 1 < order.size(); ++k) {
    inside += by_code[order[k]];
    contest.enter(Form::one_of, inside, static_cast<std::uint32_t>(k) + 1, 0);
  }
  return order;
}

}  // namespace

template <class Count>
LiteralSearch<Count>::LiteralSearch(const CoverData& data, const CoverOptions& options, const Logs& logs,
                                    SortedColumns& sorted, std::vector<std::uint8_t> up, std::vector<std::uint8_t> down,
                                    double min_total)
    : data_(data),
      options_(options),
      logs_(logs),
      up_(std::move(up)),
      down_(std::move(down)),
      min_total_(min_total),
      values_(data, sorted),
      memory_(static_cast<std::size_t>(std::max(options.threads, 1))) {}

template <class Count>
FoundLiteral LiteralSearch<Count>::of_column(std::size_t column, const CoveredRows<Count>& rows, Memory& memory) const {
  const RankedColumn& ranked = data_.table->columns[column];
  const double least = 1e-12 * static_cast<double>(rows.sum.positive());
  Contest<Count> contest(options_, logs_, rows.sum, least, min_total_, column);
  Count missing;
  std::vector<std::uint32_t> levels;
  if (ranked.view.kind == ColumnKind::nominal) {
    values_.count_ranks(ranked, memory);
    missing = memory.by_rank[ranked.ranks];
    levels = judge_levels(memory.by_rank, ranked.ranks, options_.allowed, contest);
    values_.clear(ranked, memory);
  } else {
    missing = values_.order(column, memory);
    if (memory.size > 0) {
      LiteralScan<Count> scan(contest, options_, rows.sum - missing, memory.rank[memory.size - 1], up_[column] != 0,
                              down_[column] != 0, min_total_ > 0.0 || options_.written.gain);
      for (std::size_t i = 0; i < memory.size;) {
        const std::uint32_t rank = memory.rank[i];
        Count own = memory.count[i];
        for (++i; i < memory.size && memory.rank[i] == rank; ++i) own += memory.count[i];
        scan.step(rank, own);
      }
      scan.finish();
    }
  }
  if (options_.allowed.missing && !missing.empty()) contest.enter(Form::missing, missing, ranked.ranks, ranked.ranks);
  FoundLiteral found = contest.best();
  if (found.column >= 0 && found.form == Form::one_of) {
    found.codes.assign(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(found.low));
    std::ranges::sort(found.codes);
  }
  return found;
}

template <class Count>
FoundLiteral LiteralSearch<Count>::best(const CoveredRows<Count>& rows, const std::vector<Condition>& rule,
                                        Watch& watch) {
  std::vector<std::size_t> asked;
  const bool wants_more = !asks_all(rule, options_.required);
  for (std::size_t c = 0; c < data_.table->columns.size(); ++c) {
    if (!options_.forbidden.empty() && options_.forbidden[c] != 0) continue;
    const auto is_own = [c](const Condition& own) { return own.column == static_cast<std::int32_t>(c); };
    // A column of which the rule wants one level, or no value, has nothing left to ask.
    const bool settled = std::ranges::any_of(rule, [&](const Condition& own) {
      return is_own(own) && (own.form == Form::equal || own.form == Form::missing);
    });
    if (settled) continue;
    if (wants_more && (options_.required[c] == 0 || std::ranges::any_of(rule, is_own))) continue;  // not its turn
    asked.push_back(c);
  }
  values_.turn_to(rows);
  std::vector<FoundLiteral> found(asked.size());
  const bool many = rows.row.size() * asked.size() >= enough_for_threads && !options_.written.gain;
  parallel_for(
      asked.size(), many ? options_.threads : 1, [&] { watch.ask(); },
      [&](std::size_t k, int worker) {
        watch.poll(rows.row.size());
        found[k] = of_column(asked[k], rows, memory_[static_cast<std::size_t>(worker)]);
      });
  FoundLiteral best;
  for (FoundLiteral& one : found) {
    if (one.column >= 0 && one.gain > best.gain) best = std::move(one);
  }
  return best;
}

template class LiteralSearch<WholeCount>;
template class LiteralSearch<RealCount>;

}  // namespace bough
