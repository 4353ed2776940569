#include "bough/search/choice.hpp"

#include <algorithm>
#include <cmath>

namespace bough {
namespace {

constexpr double kSlack = 1e-3;  // a gain that misses the average by this much is good enough

}  // namespace

void choose_above_average(Ranking& best, const std::vector<std::uint8_t>& no_average, const GainRule& rule,
                          bool zero_gain) {
  std::vector<Candidate> tests = best.release();
  std::sort(tests.begin(), tests.end(), [](const Candidate& a, const Candidate& b) { return a.column < b.column; });
  double sum = 0.0;
  std::size_t counted = 0;
  for (const Candidate& test : tests) {
    if (no_average[static_cast<std::size_t>(test.column)] != 0) continue;
    sum += test.gain;
    ++counted;
  }
  if (counted == 0 && !zero_gain) return;
  const double enough = counted == 0 ? -HUGE_VAL : sum / static_cast<double>(counted) - kSlack;
  std::size_t taken = tests.size();
  double most = 0.0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (tests[i].gain < enough) continue;
    const bool first = zero_gain && taken == tests.size();
    if (!first && !rule.greater(tests[i].worth, most)) continue;
    taken = i;
    most = tests[i].worth;
  }
  if (taken == tests.size() || (!zero_gain && rule.is_zero(most))) return;
  const auto place = tests.begin() + static_cast<std::ptrdiff_t>(taken);
  std::rotate(tests.begin(), place, place + 1);
  std::stable_sort(tests.begin() + 1, tests.end(), [&](const Candidate& a, const Candidate& b) {
    const bool a_eligible = a.gain >= enough;
    const bool b_eligible = b.gain >= enough;
    return a_eligible != b_eligible ? a_eligible : a.worth > b.worth;
  });
  // Tests without any gain have only served the average.
  while (tests.size() > 1 && rule.is_zero(tests.back().gain)) tests.pop_back();
  best.assign(std::move(tests));
}

std::vector<std::uint8_t> many_valued(const RankedTable& table, double share, const GainRule& rule) {
  std::vector<std::uint8_t> many(table.columns.size(), 0);
  if (!(share > 0.0)) return many;
  const double least = share * static_cast<double>(table.rows);
  std::transform(table.columns.begin(), table.columns.end(), many.begin(), [&](const RankedColumn& column) {
    return column.view.kind == ColumnKind::nominal && rule.at_least(column.ranks, least) ? 1 : 0;
  });
  if (std::find(many.begin(), many.end(), 0) == many.end()) many.assign(many.size(), 0);
  return many;
}

void choose_by_ratio_then_gain(Ranking& best, bool average) {
  std::vector<Candidate> tests = best.release();
  if (tests.empty()) return;
  std::sort(tests.begin(), tests.end(), [](const Candidate& a, const Candidate& b) { return a.column < b.column; });
  double sum = 0.0;
  for (const Candidate& test : tests) sum += test.gain;
  const double enough = average ? sum / static_cast<double>(tests.size()) - kSlack : 0.0;
  constexpr double kSame = 1e-6;  // ratios that differ by less are equal
  std::size_t taken = tests.size();
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (tests[i].gain < enough) continue;
    const bool first = taken == tests.size();
    const double ahead = first ? 1.0 : tests[i].worth - tests[taken].worth;
    const bool gains_more = !first && tests[i].gain > tests[taken].gain + 1e-9;
    if (ahead > kSame || (ahead > -kSame && gains_more)) taken = i;
  }
  const auto place = tests.begin() + static_cast<std::ptrdiff_t>(taken);
  std::rotate(tests.begin(), place, place + 1);
  std::stable_sort(tests.begin() + 1, tests.end(),
                   [](const Candidate& a, const Candidate& b) { return a.worth > b.worth; });
  best.assign(std::move(tests));
}

}  // namespace bough
