// See terms.hpp.
#include "bough/search/terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "bough/base/parallel.hpp"
#include "bough/criterion/side.hpp"
#include "bough/feature/row.hpp"

namespace bough {
std::int64_t origin_of(const RankedColumn& column, const Holding& held) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  const ColumnView& view = column.view;
  if (view.kind != ColumnKind::numeric || (view.type != ColumnView::Type::i64 && view.type != ColumnView::Type::u64))
    return 0;
  const auto beyond = [&](std::uint32_t row) {
    return !column.is_missing(row) && std::abs(number_at(view, row, 0)) > kExact;
  };
  if (std::ranges::none_of(held.row, beyond)) return 0;
  const auto first = std::ranges::find_if(held.row, [&](std::uint32_t row) { return !column.is_missing(row); });
  const std::uint64_t bits = view.value_bits(*first);
  if (view.type == ColumnView::Type::i64) return static_cast<std::int64_t>(bits);
  return static_cast<std::int64_t>(std::min<std::uint64_t>(bits, std::numeric_limits<std::int64_t>::max()));
}

namespace {

// The levels that get an indicator, ascending: those that the node holds but the most frequent one, at most so many.
std::vector<std::int32_t> indicated(const RankedColumn& column, const Holding& held, std::size_t most) {
  std::vector<double> weight(column.ranks, 0.0);
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (!column.is_missing(held.row[i])) weight[column.rank[held.row[i]]] += held.weight[i];
  }
  std::vector<std::int32_t> levels;
  for (std::size_t level = 0; level < weight.size(); ++level) {
    if (weight[level] > 0.0) levels.push_back(static_cast<std::int32_t>(level));
  }
  std::ranges::stable_sort(levels, [&](std::int32_t a, std::int32_t b) { return weight[a] > weight[b]; });
  if (levels.size() > most) levels.resize(most);
  if (!levels.empty()) levels.erase(levels.begin());
  std::ranges::sort(levels);
  return levels;
}

}  // namespace

NodeTerms::NodeTerms(const RankedTable& table, const NodeView& node, const std::vector<std::uint8_t>& allowed,
                     const ObliqueOptions& options, int threads)
    : rows_(node.held->size()), whole_(options.whole), weight_(&node.held->weight), known_(table.columns.size()) {
  std::vector<std::vector<Term>> found(table.columns.size());
  parallel_for(found.size(), threads, [&](std::size_t c, int) {
    if (allowed.empty() || allowed[c] != 0) add_column(table, *node.held, c, options, found[c], known_[c]);
  });
  for (std::vector<Term>& terms : found) std::ranges::move(terms, std::back_inserter(terms_));
  looked_at_ = *weight_;
  std::vector<LinearTerm> all;
  all.reserve(terms_.size());
  for (const Term& term : terms_) all.push_back(term.stored);
  if (std::ranges::all_of(known_, [](const auto& known) { return known.empty(); })) return;
  const std::vector<std::uint8_t> missing = gaps(all);
  for (std::size_t i = 0; i < rows_; ++i) {
    if (missing[i] != 0) looked_at_[i] = 0.0;
  }
}

std::vector<std::uint32_t> NodeTerms::positions(bool complete) const {
  std::vector<std::uint8_t> lacks(rows_, 0);
  for (std::size_t t = 0; complete && t < terms_.size(); ++t) {
    const std::vector<std::uint8_t>& known = known_[static_cast<std::size_t>(column_of(t))];
    for (std::size_t i = 0; i < known.size(); ++i) lacks[i] |= known[i] == 0 ? 1U : 0U;
  }
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < rows_; ++i) {
    if (looked_at_[i] > 0.0 && lacks[i] == 0) found.push_back(static_cast<std::uint32_t>(i));
  }
  return found;
}

// By position: whether a sum of these terms is missing.
std::vector<std::uint8_t> NodeTerms::gaps(std::span<const LinearTerm> stored) const {
  std::vector<std::uint32_t> unknown(rows_, 0);
  for (const LinearTerm& term : stored) {
    const std::vector<std::uint8_t> known = known_of(term);
    for (std::size_t i = 0; i < known.size(); ++i) unknown[i] += 1U - known[i];
  }
  const std::size_t most = whole_ ? 1 : stored.size();
  std::vector<std::uint8_t> found(rows_, 0);
  for (std::size_t i = 0; i < rows_; ++i) found[i] = unknown[i] >= most ? 1 : 0;
  return found;
}

// By position: whether a row has a value of a term; empty: all have.
std::vector<std::uint8_t> NodeTerms::known_of(const LinearTerm& term) const {
  std::vector<std::uint8_t> known = known_[static_cast<std::size_t>(term.column)];
  if (term.other < 0) return known;
  const std::vector<std::uint8_t>& second = known_[static_cast<std::size_t>(term.other)];
  if (known.empty()) return second;
  for (std::size_t i = 0; i < second.size(); ++i) known[i] &= second[i];
  return known;
}

NodeTerms NodeTerms::with_products(std::span<const Pair> pairs, bool and_terms) const {
  NodeTerms more = *this;
  if (!and_terms) more.terms_.clear();
  for (const auto& [first, second, centre, other_centre] : pairs) {
    const Term& a = terms_[first];
    const Term& b = terms_[second];
    Term term;
    term.stored = {.column = a.stored.column,
                   .code = a.stored.code,
                   .origin = a.stored.origin,
                   .other = b.stored.column,
                   .other_code = b.stored.code,
                   .other_origin = b.stored.origin,
                   .centre = centre,
                   .other_centre = other_centre};
    term.value.resize(rows_);
    for (std::size_t i = 0; i < rows_; ++i) term.value[i] = (a.value[i] - centre) * (b.value[i] - other_centre);
    if (more.settle(term, known_of(term.stored))) more.terms_.push_back(std::move(term));
  }
  std::ranges::stable_sort(more.terms_, [](const Term& one, const Term& two) {
    const auto place = [](const LinearTerm& t) { return std::tuple(t.column, t.code, t.other, t.other_code); };
    return place(one.stored) < place(two.stored);
  });
  return more;
}

NodeTerms NodeTerms::with_values(std::vector<double> values) const {
  NodeTerms more = *this;
  Term term;
  term.value = std::move(values);
  if (more.settle(term, {})) more.terms_.push_back(std::move(term));
  return more;
}

std::size_t NodeTerms::find(const LinearTerm& term) const {
  const auto at = std::ranges::find_if(terms_, [&](const Term& one) { return one.stored.asks_as(term); });
  return static_cast<std::size_t>(at - terms_.begin());
}

void NodeTerms::add_column(const RankedTable& table, const Holding& held, std::size_t column,
                           const ObliqueOptions& options, std::vector<Term>& into,
                           std::vector<std::uint8_t>& known) const {
  const RankedColumn& ranked = table.columns[column];
  const auto number = static_cast<std::int32_t>(column);
  if (ranked.has_missing) {
    known.resize(rows_);
    for (std::size_t i = 0; i < rows_; ++i) known[i] = ranked.is_missing(held.row[i]) ? 0 : 1;
    if (std::ranges::find(known, 0) == known.end()) known.clear();
  }
  const auto add = [&](std::int32_t code, std::int64_t origin, const auto& read) {
    Term term;
    term.stored = {.column = number, .code = code, .origin = origin};
    term.value.resize(rows_);
    for (std::size_t i = 0; i < rows_; ++i) term.value[i] = known.empty() || known[i] != 0 ? read(held.row[i]) : 0.0;
    if (settle(term, known)) into.push_back(std::move(term));
  };
  if (ranked.view.kind == ColumnKind::nominal) {
    for (const std::int32_t level : indicated(ranked, held, static_cast<std::size_t>(options.max_levels))) {
      add(level, 0,
          [&](std::uint32_t row) { return ranked.rank[row] == static_cast<std::uint32_t>(level) ? 1.0 : 0.0; });
    }
    return;
  }
  const std::int64_t origin = origin_of(ranked, held);
  if (ranked.view.kind == ColumnKind::numeric && ranked.view.type == ColumnView::Type::f64) {
    add(-1, 0, [&](std::uint32_t row) { return cell<double>(ranked.view, row); });
    return;
  }
  add(-1, origin, [&](std::uint32_t row) { return number_at(ranked.view, row, origin); });
}

// Mean, standard deviation and what follows from them; false if the term does not vary.
bool NodeTerms::settle(Term& term, std::span<const std::uint8_t> known) const {
  const std::vector<double>& weight = *weight_;
  const auto counts = [&](std::size_t i) { return known.empty() || known[i] != 0 ? weight[i] : 0.0; };
  double all = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    all += counts(i);
    sum += counts(i) * term.value[i];
  }
  const double mean = sum / all;
  // Squares of very large or small numbers are no numbers: distances from the mean are taken times a power of two,
  // which rounds nothing.
  double farthest = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    if (counts(i) > 0.0) farthest = std::max(farthest, std::abs(term.value[i] - mean));
  }
  const double unit = unit_for(farthest);
  double squares = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const double apart = (term.value[i] - mean) * unit;
    if (counts(i) > 0.0) squares += counts(i) * apart * apart;
  }
  const double sd = std::sqrt(squares / all) / unit;
  if (!std::isfinite(sd) || !(sd > 1e-12 * std::abs(mean)) || !std::isfinite(1.0 / sd)) return false;
  term.stored.fill = mean;
  term.stored.scale = sd;
  term.standard.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    const bool has = known.empty() || known[i] != 0;
    if (!has) term.value[i] = mean;
    term.standard[i] = has ? (term.value[i] - mean) / sd : 0.0;
  }
  return true;
}

std::vector<LinearTerm> NodeTerms::stored(std::span<const std::size_t> use, std::span<const double> u) const {
  double squares = 0.0;
  double first = 0.0;
  for (const double one : u) {
    squares += one * one;
    if (first == 0.0) first = one;
  }
  const double length = std::copysign(std::sqrt(squares), first);
  std::vector<LinearTerm> found;
  if (!std::isfinite(length) || length == 0.0) return found;
  for (std::size_t j = 0; j < use.size(); ++j) {
    LinearTerm term = terms_[use[j]].stored;
    term.weight = u[j] / length / term.scale;
    if (!std::isfinite(term.weight)) return {};
    if (term.weight != 0.0) found.push_back(term);
  }
  if (found.size() < 2) found.clear();
  return found;
}

std::vector<LinearTerm> NodeTerms::stored(std::span<const std::size_t> use, std::span<const double> numbers,
                                          Layer& layer) const {
  const auto h = static_cast<std::size_t>(layer.units);
  const std::size_t first = use.size() * h;  // of the constants
  if (layer.units > Layer::most || numbers.size() != Layer::size(std::ssize(use), layer.units)) return {};
  std::vector<double> constants(numbers.begin() + static_cast<std::ptrdiff_t>(first), numbers.end());
  std::vector<double> all;
  std::vector<LinearTerm> found;
  for (std::size_t j = 0; j < use.size(); ++j) {
    LinearTerm term = terms_[use[j]].stored;
    std::vector<double> own(numbers.begin() + static_cast<std::ptrdiff_t>(j * h),
                            numbers.begin() + static_cast<std::ptrdiff_t>((j + 1) * h));
    term.weight = 0.0;
    for (std::size_t u = 0; u < h; ++u) {
      own[u] /= term.scale;
      constants[u] -= own[u] * term.fill;
      term.weight += std::abs(own[u] * constants[h + u]);
    }
    if (!std::isfinite(term.weight)) return {};
    if (term.weight == 0.0) continue;
    found.push_back(term);
    all.insert(all.end(), own.begin(), own.end());
  }
  if (found.size() < 2) return {};
  all.insert(all.end(), constants.begin(), constants.end());
  if (!std::ranges::all_of(all, [](double number) { return std::isfinite(number); })) return {};
  layer.weight = std::move(all);
  return found;
}

NodeTerms NodeTerms::combined(std::vector<TermSum>& sums) const {
  NodeTerms found;
  found.rows_ = rows_;
  found.whole_ = whole_;
  found.weight_ = weight_;
  found.looked_at_ = looked_at_;
  for (TermSum& sum : sums) {
    std::vector<double>& value = found.terms_.emplace_back().standard;
    value.assign(rows_, 0.0);
    double squares = 0.0;
    double all = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) {
      for (const auto& [term, factor] : sum) value[i] += factor * terms_[term].standard[i];
      squares += (*weight_)[i] * value[i] * value[i];
      all += (*weight_)[i];
    }
    const double sd = std::sqrt(squares / all);
    if (!(sd > 0.0)) continue;
    for (double& one : value) one /= sd;
    for (auto& [term, factor] : sum) factor /= sd;
  }
  return found;
}

std::vector<const double*> NodeTerms::values(std::span<const LinearTerm> stored) const {
  std::vector<const double*> found;
  auto at = terms_.begin();
  for (const LinearTerm& one : stored) {
    at = std::find_if(at, terms_.end(), [&](const Term& term) { return term.stored.asks_as(one); });
    found.push_back(at->value.data());
  }
  return found;
}

std::vector<double> NodeTerms::sums(std::span<const LinearTerm> stored, const Layer& layer) const {
  std::vector<double> sum(rows_, 0.0);
  const std::vector<const double*> value = values(stored);
  if (layer.units > 0) {
    for (std::size_t i = 0; i < rows_; ++i) {
      Pass pass(layer.weight, layer.units);
      for (std::size_t j = 0; j < value.size(); ++j) pass.add(static_cast<std::int64_t>(j), value[j][i]);
      sum[i] = pass.number();
    }
  } else {
    for (std::size_t j = 0; j < value.size(); ++j) {
      for (std::size_t i = 0; i < rows_; ++i) sum[i] += stored[j].weight * value[j][i];
    }
  }
  const std::vector<std::uint8_t> missing = gaps(stored);
  for (std::size_t i = 0; i < rows_; ++i) {
    if (missing[i] != 0) sum[i] = std::numeric_limits<double>::quiet_NaN();
  }
  return sum;
}

}  // namespace bough
