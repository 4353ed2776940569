// See description.hpp.
#include "bough/cover/description.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bough/cover/fuzzy.hpp"

namespace bough {
namespace {

// As JRip reckons it, because it is rounding that decides between descriptions of equal length.
double log_2(double x) { return std::log(x) / std::numbers::ln2; }

// Which `chosen` of `total` things, of which a share was expected. Where nothing is to be told, no bits are needed;
// JRip's length is undefined if the share is 1.
double subset(double total, double chosen, double share, bool jrip) {
  const double bits = fuzzy::above(share, 0.0) ? -chosen * log_2(share) : 0.0;
  const double others = total - chosen;
  if (jrip) return bits - others * log_2(1.0 - share);
  return fuzzy::above(others, 0.0) ? bits - others * log_2(std::max(1.0 - share, fuzzy::near)) : bits;
}

}  // namespace

double Description::theory(std::size_t conditions) const {
  if (conditions == 0) return 0.0;
  const auto k = static_cast<double>(conditions);
  const double all = jrip_ ? literals_ : std::max(literals_, k + 1.0);
  const double length = log_2(k) + (conditions > 1 ? 2.0 * log_2(log_2(k)) : 0.0);
  return 0.5 * (length + subset(all, k, k / all, jrip_));
}

double exception_bits(double expected, const ListCounts& list, bool jrip) {
  const double wrong = list.wrong + list.left_positive;
  const double bits = log_2(list.covered + list.left + 1.0);
  if (fuzzy::above(list.covered, list.left)) {
    const double left = fuzzy::above(list.left, 0.0)
                            ? subset(list.left, list.left_positive, list.left_positive / list.left, jrip)
                            : 0.0;
    return bits + subset(list.covered, list.wrong, expected * wrong / list.covered, jrip) + left;
  }
  const double covered =
      fuzzy::above(list.covered, 0.0) ? subset(list.covered, list.wrong, list.wrong / list.covered, jrip) : 0.0;
  return bits + covered + subset(list.left, list.left_positive, (1.0 - expected) * wrong / list.left, jrip);
}

std::optional<double> Description::saved(const Turn& rule, ListCounts& list) const {
  const ListCounts without = {list.covered - rule.covered, list.left + rule.covered, list.wrong - rule.wrong(),
                              list.left_positive + rule.covered_positive};
  const double saved = data(list) + theory(rule.conditions) - data(without);
  const bool errs = max_error_ <= 1.0 && fuzzy::at_least(rule.wrong() / rule.covered, max_error_);
  if (!fuzzy::at_least(saved, 0.0) && !errs) return std::nullopt;
  list = without;
  if (std::isnan(saved)) return std::nullopt;
  return saved;
}

double Description::shortest(ListCounts list, std::span<const Turn> last) const {
  double all = 0.0;
  for (const Turn& rule : last) all += saved(rule, list).value_or(0.0);
  return data(list) - all;
}

}  // namespace bough
