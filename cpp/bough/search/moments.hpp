// Moments of the terms of a node by groups of its rows: how many, their means, the scatter around the mean of all; and
// what follows from them: discriminants, ridge regression, and how far to shrink. Every sum runs over the rows in one
// order, whatever the number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bough/base/linear_algebra.hpp"
#include "bough/search/oblique.hpp"

namespace bough {

// sum counts_i (z_ij - centre_j) z_ik of the standardised terms, over all rows of the node.
[[nodiscard]] Symmetric weighted_products(const ObliqueNode& node, std::span<const std::size_t> use,
                                          std::span<const double> counts, std::span<const double> centre);

class GroupMoments {
 public:
  // The groups are the classes that the node holds; numbers: the rows up to their mean and those above.
  explicit GroupMoments(const ObliqueNode& node);

  [[nodiscard]] std::size_t groups() const { return weight_.size(); }
  [[nodiscard]] double weight(std::size_t group) const { return weight_[group]; }
  [[nodiscard]] const std::vector<std::uint32_t>& group_of() const { return group_; }
  // The mean of a term in a group.
  [[nodiscard]] double mean(std::size_t group, std::size_t term) const { return mean_[group * terms_ + term]; }
  // Whether directions follow the numbers themselves.
  [[nodiscard]] bool by_value() const { return by_value_; }

  // (W + r tr(W) / p I)^-1 (m_1 - m_2) for the groups with first[group] != 0 against the others: W is the scatter
  // within the two.
  [[nodiscard]] std::optional<std::vector<double>> discriminant(const std::vector<std::uint8_t>& first,
                                                                std::span<const std::size_t> use, double r) const;
  // The coefficients of the target on the terms, with the same penalty.
  [[nodiscard]] std::optional<std::vector<double>> ridge(std::span<const std::size_t> use, double r) const;
  // How far to shrink: from how much the scatter within the groups would vary from sample to sample.
  [[nodiscard]] double shrinkage(std::span<const std::size_t> use) const;

  // Of some terms, around the mean of all.
  [[nodiscard]] Symmetric scatter(std::span<const std::size_t> use) const;

 private:
  const ObliqueNode& node_;
  std::size_t terms_;
  bool by_value_;
  std::vector<std::uint32_t> group_;  // by position
  std::vector<double> counts_;        // by position: what a row counts
  std::vector<double> weight_;        // by group
  std::vector<double> mean_;          // by group and term
  std::vector<double> centre_;        // by term: the mean of all
  std::vector<double> with_value_;    // by term: what it goes with the numbers
  double all_ = 0.0;
  Symmetric total_;  // scatter around the mean of all
};

// What the terms sum up to with these weights, by position; NaN for rows that the search does not look at.
[[nodiscard]] std::vector<double> projected(const NodeTerms& terms, std::span<const std::size_t> use,
                                            std::span<const double> weights);

}  // namespace bough
