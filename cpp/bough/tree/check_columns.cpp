// See validate.hpp: what only the schema knows of the splits.
#include <bit>
#include <cstddef>
#include <string>

#include "bough/base/error.hpp"
#include "bough/tree/check_terms.hpp"
#include "bough/tree/checks.hpp"
#include "bough/tree/validate.hpp"

namespace bough {
namespace {

class ColumnCheck {
 public:
  ColumnCheck(const SplitPool& pool, std::span<const std::int32_t> kinds, std::span<const std::int64_t> n_levels)
      : pool_(pool), kinds_(kinds), n_levels_(n_levels) {}

  void split(std::size_t s) const {
    if (!pool_.has_cells(static_cast<std::int64_t>(s))) return;  // its terms are checked as such
    const std::size_t c = column("split_column", s, pool_.column[s]);
    const bool asks_levels = pool_.kind[s] == SplitKind::levels;
    if (pool_.kind[s] != SplitKind::holds && asks_levels != (kinds_[c] == kNominalKind)) {
      fail("split_kind", s,
           asks_levels ? "level sets need a nominal column" : "a nominal column has no thresholds or intervals");
    }
    const std::uint64_t payload = pool_.payload[s];
    switch (pool_.kind[s]) {
      case SplitKind::threshold:
        if (kinds_[c] != kNumericKind) ordered("split_value_type", "split_payload", s, pool_.value_type[s], payload, c);
        return;
      case SplitKind::levels:
        level("set_code", pool_.set_begin[payload + 1] - 1, pool_.set_code[pool_.set_begin[payload + 1] - 1], c);
        return;
      case SplitKind::intervals:
        if (kinds_[c] == kNumericKind) return;
        for (std::int64_t e = pool_.edge_begin[payload]; e < pool_.edge_begin[payload + 1]; ++e) {
          ordered("edge_type", "edge_bits", e, pool_.edge_type[e], pool_.edge_bits[e], c);
        }
        return;
      case SplitKind::holds:
        for (std::int64_t t = pool_.terms.begin[payload]; t < pool_.terms.begin[payload + 1]; ++t) {
          const std::size_t own = column("term_column", t, pool_.terms.column[t]);
          const Property asked = pool_.terms.at(t);
          if (asked.asks_level() != (kinds_[own] == kNominalKind)) {
            fail("term_column", t,
                 asked.asks_level() ? "a term that asks for a level needs a nominal column"
                                    : "a nominal column has no thresholds");
          }
          if (asked.asks_level()) {
            level("term_code", t, asked.code, own);
          } else if (kinds_[own] != kNumericKind) {
            ordered("term_type", "term_bits", t, asked.threshold.type, asked.threshold.bits, own);
          }
        }
        return;
    }
  }

 private:
  [[nodiscard]] std::size_t column(const char* field, std::size_t i, std::int32_t c) const {
    if (static_cast<std::size_t>(c) < kinds_.size()) return static_cast<std::size_t>(c);
    fail(field, i, "expected a column below " + std::to_string(kinds_.size()) + ", found " + std::to_string(c));
  }
  void level(const char* field, std::size_t i, std::int64_t code, std::size_t c) const {
    if (code >= 0 && code < n_levels_[c]) return;
    fail(field, i, "the column has " + std::to_string(n_levels_[c]) + " levels, found code " + std::to_string(code));
  }
  void ordered(const char* type_field, const char* field, std::size_t i, ValueType type, std::uint64_t bits,
               std::size_t c) const {
    if (type != ValueType::i64) fail(type_field, i, "an ordered column has integer codes");
    level(field, i, std::bit_cast<std::int64_t>(bits), c);
  }

  const SplitPool& pool_;
  std::span<const std::int32_t> kinds_;
  std::span<const std::int64_t> n_levels_;
};

}  // namespace

void check_columns(const Tree& tree, std::span<const std::int32_t> kinds, std::span<const std::int64_t> n_levels) {
  if (kinds.size() != n_levels.size()) throw InvalidInput("columns", "as many kinds as numbers of levels");
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    if (kinds[c] < kNumericKind || kinds[c] > kNominalKind)
      fail("kinds", c, "unknown code " + std::to_string(kinds[c]));
  }
  const ColumnCheck check(tree.splits, kinds, n_levels);
  for (std::size_t s = 0; s < tree.splits.column.size(); ++s) check.split(s);
  check_term_columns(tree.splits.sums, test_terms, kinds, n_levels);
  check_term_columns(tree.models.terms, model_terms, kinds, n_levels);
}

}  // namespace bough
