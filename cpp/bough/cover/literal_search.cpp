// See literal_search.hpp. A column is counted by rank where that touches not much more than sorting would, and
// otherwise its covered rows are sorted; one scan from below then meets every cut, from both sides.
#include "bough/cover/literal_search.hpp"

#include <algorithm>
#include <bit>
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
  Contest(const CoverOptions& options, const Logs& logs, double base, double least, double min_total,
          std::size_t column)
      : logs_(logs),
        laplace_(options.gain == RuleGain::laplace ? 1 : 0),
        base_(base),
        least_(least),
        min_total_(min_total),
        column_(static_cast<std::int32_t>(column)) {}

  // Whether the literal is the best so far.
  bool enter(Form form, Count covered, std::uint32_t low, std::uint32_t high) {
    const auto p = static_cast<double>(covered.positive());
    if (p <= least_ || static_cast<double>(covered.total()) < min_total_) return false;
    const double gain = p * (logs_(covered.positive() + laplace_) - logs_(covered.total() + laplace_) - base_);
    if (!(gain > best_.gain)) return false;
    best_.gain = gain;
    best_.positive = p;
    best_.column = column_;
    best_.form = form;
    best_.low = low;
    best_.high = high;
    return true;
  }
  FoundLiteral& best() { return best_; }

 private:
  using Number = decltype(Count().positive());
  const Logs& logs_;
  Number laplace_;
  double base_;
  double least_;
  double min_total_;
  std::int32_t column_;
  FoundLiteral best_;
};

// The cuts of a column, told the counts of its values from below.
template <class Count>
class CutScan {
 public:
  CutScan(Contest<Count>& contest, const CoverOptions& options, Count known, std::uint32_t last, bool up, bool down,
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

// Single levels, all but one, and the best set: levels in the order of their share of positive rows, as many of the
// first as gain most.
template <class Count>
void judge_levels(std::vector<Count>& by_code, std::uint32_t levels, const AllowedLiterals& allowed,
                  Contest<Count>& contest) {
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
  if (!allowed.one_of) return;
  std::vector<std::uint32_t> order;
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
    if (!contest.enter(Form::one_of, inside, 0, 0)) continue;
    contest.best().codes.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    std::ranges::sort(contest.best().codes);
  }
}

}  // namespace

template <class Count>
LiteralSearch<Count>::LiteralSearch(const CoverData& data, const CoverOptions& options, const Logs& logs,
                                    std::vector<std::uint8_t> up, std::vector<std::uint8_t> down, double min_total)
    : data_(data),
      options_(options),
      logs_(logs),
      up_(std::move(up)),
      down_(std::move(down)),
      min_total_(min_total),
      memory_(static_cast<std::size_t>(std::max(options.threads, 1))) {}

template <class Count>
FoundLiteral LiteralSearch<Count>::of_column(std::size_t column, const CoveredRows<Count>& rows, double base,
                                             Memory& memory) const {
  const RankedColumn& ranked = data_.table->columns[column];
  const std::uint32_t* rank = ranked.rank.data();
  const std::uint32_t ranks = ranked.ranks;
  const std::size_t n = rows.row.size();
  const double least = 1e-12 * static_cast<double>(rows.sum.positive());
  Contest<Count> contest(options_, logs_, base, least, min_total_, column);
  Count missing;
  const bool is_nominal = ranked.view.kind == ColumnKind::nominal;
  const bool cuts = !is_nominal && (up_[column] != 0 || down_[column] != 0);
  const auto scan_of = [&](std::uint32_t last) {
    return CutScan<Count>(contest, options_, rows.sum - missing, last, up_[column] != 0, down_[column] != 0,
                          min_total_ > 0.0);
  };
  if (is_nominal || ranks <= n * static_cast<std::size_t>(std::bit_width(n))) {
    std::vector<Count>& count = memory.by_rank;
    if (count.size() <= ranks) count.resize(ranks + std::size_t{1});
    for (std::size_t i = 0; i < n; ++i) count[rank[rows.row[i]]] += rows.count[i];
    missing = count[ranks];
    if (is_nominal) {
      judge_levels(count, ranks, options_.allowed, contest);
    } else if (cuts) {
      std::uint32_t last = ranks;
      while (last > 0 && count[last - 1].empty()) --last;
      CutScan<Count> scan = scan_of(last - 1);
      for (std::uint32_t r = 0; r < last; ++r) {
        if (!count[r].empty()) scan.step(r, count[r]);
      }
      scan.finish();
    }
    std::fill_n(count.begin(), ranks + std::size_t{1}, Count());
  } else {
    auto& sorted = memory.sorted;
    sorted.clear();
    for (std::size_t i = 0; i < n; ++i) {
      if (rank[rows.row[i]] == ranks) {
        missing += rows.count[i];
      } else {
        sorted.emplace_back(rank[rows.row[i]], rows.count[i]);
      }
    }
    if (cuts && !sorted.empty()) {
      std::ranges::stable_sort(sorted, {}, [](const auto& entry) { return entry.first; });
      CutScan<Count> scan = scan_of(sorted.back().first);
      for (std::size_t i = 0; i < sorted.size();) {
        Count own;
        const std::uint32_t r = sorted[i].first;
        for (; i < sorted.size() && sorted[i].first == r; ++i) own += sorted[i].second;
        scan.step(r, own);
      }
      scan.finish();
    }
  }
  if (options_.allowed.missing && !missing.empty()) contest.enter(Form::missing, missing, ranks, ranks);
  return std::move(contest.best());
}

template <class Count>
FoundLiteral LiteralSearch<Count>::best(const CoveredRows<Count>& rows, const std::vector<Condition>& rule,
                                        Watch& watch) {
  using Number = decltype(Count().positive());
  const Number add = options_.gain == RuleGain::laplace ? 1 : 0;
  const double base = logs_(rows.sum.positive() + add) - logs_(rows.sum.total() + add);
  std::vector<std::size_t> asked;
  for (std::size_t c = 0; c < data_.table->columns.size(); ++c) {
    if (!options_.forbidden.empty() && options_.forbidden[c] != 0) continue;
    // A column of which the rule wants one level, or no value, has nothing left to ask.
    const bool settled = std::ranges::any_of(rule, [&](const Condition& own) {
      return own.column == static_cast<std::int32_t>(c) && (own.form == Form::equal || own.form == Form::missing);
    });
    if (!settled) asked.push_back(c);
  }
  std::vector<FoundLiteral> found(asked.size());
  const bool many = rows.row.size() * asked.size() >= enough_for_threads;
  parallel_for(
      asked.size(), many ? options_.threads : 1, [&] { watch.ask(); },
      [&](std::size_t k, int worker) {
        watch.poll(rows.row.size());
        found[k] = of_column(asked[k], rows, base, memory_[static_cast<std::size_t>(worker)]);
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
