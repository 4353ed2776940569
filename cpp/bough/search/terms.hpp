// The terms of a node: what a weighted sum may be made of. Numbers, codes of ordered levels, and for a nominal column
// an indicator of each level that the node holds but the most frequent one; curved tests ask products of numbers. A
// term that does not vary is none.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bough/engine/open/cells.hpp"
#include "bough/feature/linear.hpp"
#include "bough/search/oblique_options.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// Integers that a double cannot hold are counted from the first one of the node.
[[nodiscard]] std::int64_t origin_of(const RankedColumn& column, const Holding& held);

// Terms with factors.
using TermSum = std::vector<std::pair<std::size_t, double>>;

class NodeTerms {
 public:
  // Two factors of a product, by the numbers of their terms, and what is subtracted from each first.
  struct Pair {
    std::size_t first;
    std::size_t second;
    double centre;
    double other_centre;
  };

  // Of the columns with allowed[column] != 0 (empty: of all).
  NodeTerms(const RankedTable& table, const NodeView& node, const std::vector<std::uint8_t>& allowed,
            const ObliqueOptions& options, int threads);

  [[nodiscard]] std::size_t count() const { return terms_.size(); }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  // By position in the node: with mean 0 and standard deviation 1, missing values 0.
  [[nodiscard]] std::span<const double> column(std::size_t t) const { return terms_[t].standard; }
  // Of the rows that a search looks at: 0 where no term, or with `whole` not every term, has a value.
  [[nodiscard]] const std::vector<double>& weights() const { return looked_at_; }
  // Positions of the rows that a search looks at, or of those that lack no value.
  [[nodiscard]] std::vector<std::uint32_t> positions(bool complete) const;
  // What it asks, with the mean as its fill and the standard deviation as its scale.
  [[nodiscard]] const LinearTerm& term(std::size_t t) const { return terms_[t].stored; }
  [[nodiscard]] std::int32_t column_of(std::size_t t) const { return terms_[t].stored.column; }

  // The terms as they are stored, for the weights of standardised ones: their squares sum up to 1 and the first is
  // positive. Empty if fewer than two have a weight.
  [[nodiscard]] std::vector<LinearTerm> stored(std::span<const std::size_t> use, std::span<const double> u) const;
  // The same for the numbers of a layer of standardised terms; `layer`, which has its units, gets those as stored.
  [[nodiscard]] std::vector<LinearTerm> stored(std::span<const std::size_t> use, std::span<const double> numbers,
                                               Layer& layer) const;
  // These terms, or none of them, and products of some.
  [[nodiscard]] NodeTerms with_products(std::span<const Pair> pairs, bool and_terms) const;
  // These terms and one more that is searched with and never stored, with these values by position.
  [[nodiscard]] NodeTerms with_values(std::vector<double> values) const;
  // The number of a term that asks the same; count() if there is none.
  [[nodiscard]] std::size_t find(const LinearTerm& term) const;
  // What the stored terms sum up to, or feed a layer to, by position, exactly as a prediction does; NaN where that is
  // missing.
  [[nodiscard]] std::vector<double> sums(std::span<const LinearTerm> stored, const Layer& layer = {}) const;
  // Sums of the terms in the place of terms, of the same rows: to search among them, not to be stored. Each sum has the
  // standard deviation 1 or 0; the factors follow.
  [[nodiscard]] NodeTerms combined(std::vector<TermSum>& sums) const;

 private:
  struct Term {
    LinearTerm stored;  // without a weight
    std::vector<double> value;  // as predictions read it, missing values filled
    std::vector<double> standard;
  };
  NodeTerms() = default;
  void add_column(const RankedTable& table, const Holding& held, std::size_t column, const ObliqueOptions& options,
                  std::vector<Term>& into, std::vector<std::uint8_t>& known) const;
  [[nodiscard]] std::vector<std::uint8_t> gaps(std::span<const LinearTerm> stored) const;
  [[nodiscard]] std::vector<std::uint8_t> known_of(const LinearTerm& term) const;
  // Their values as predictions read them.
  [[nodiscard]] std::vector<const double*> values(std::span<const LinearTerm> stored) const;
  [[nodiscard]] bool settle(Term& term, std::span<const std::uint8_t> known) const;

  std::size_t rows_ = 0;
  bool whole_ = false;
  const std::vector<double>* weight_ = nullptr;
  std::vector<double> looked_at_;
  std::vector<Term> terms_;  // in the order column, level, second column
  std::vector<std::vector<std::uint8_t>> known_;  // by column of the table: whether a row has a value; empty: all have
};

}  // namespace bough
