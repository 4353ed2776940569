// See description_length.hpp.
#include "bough/pruning/description_length.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/base/log_gamma.hpp"
#include "bough/pruning/least_sum.hpp"
#include "bough/pruning/tolerance.hpp"
#include "bough/tree/require_cells.hpp"

namespace bough {
namespace {

constexpr double stayed_share = 1e-9;  // what children lack of their parent's weight by rounding alone

double bits_of(double choices) { return choices > 1.0 ? std::log2(choices) : 0.0; }

class Coder {
 public:
  Coder(const Tree& tree, std::span<const std::int64_t> values, const DescriptionOptions& options)
      : tree_(tree), values_(values), options_(options), counts_(tree.class_scale.size(), 0.0) {}

  // A node that is a leaf: one bit and the classes of its rows.
  [[nodiscard]] double leaf(std::int32_t node) { return options_.tree_weight + exceptions(node); }
  // What an inner node says itself, beside its children.
  [[nodiscard]] double inner(std::int32_t node) { return options_.tree_weight * (1.0 + test(node)) + stayed(node); }

  [[nodiscard]] double exceptions(std::int32_t node) {
    if (!(tree_.weight[node] > 0.0)) return 0.0;
    std::fill(counts_.begin(), counts_.end(), 0.0);
    add(node, 1.0);
    return classes();
  }
  [[nodiscard]] double test(std::int32_t node) const;

  // The classes of the rows that go to no child.
  [[nodiscard]] double stayed(std::int32_t node) {
    std::fill(counts_.begin(), counts_.end(), 0.0);
    add(node, 1.0);
    double rest = tree_.weight[node];
    for (std::int32_t c = tree_.child_begin[node]; c < tree_.child_begin[node + 1]; ++c) {
      const std::int32_t child = tree_.children[c];
      if (!(tree_.weight[child] > 0.0)) continue;
      add(child, -1.0);
      rest -= tree_.weight[child];
    }
    if (!(rest > stayed_share * tree_.weight[node])) return 0.0;
    for (double& count : counts_) count = count > stayed_share * tree_.weight[node] ? count : 0.0;
    return classes();
  }

 private:
  void add(std::int32_t node, double sign) {
    for (std::int64_t k = tree_.count_begin[node]; k < tree_.count_begin[node + 1]; ++k) {
      counts_[tree_.count_class[k]] += sign * tree_.count_weight[k];
    }
  }
  [[nodiscard]] double classes() const;
  [[nodiscard]] double levels(std::int64_t s, double branches) const;
  [[nodiscard]] double terms(std::int64_t s) const;

  const Tree& tree_;
  std::span<const std::int64_t> values_;
  const DescriptionOptions& options_;
  std::vector<double> counts_;  // by class: of the rows to be written
};

double Coder::classes() const {
  const auto k = static_cast<double>(counts_.size());
  double n = 0.0;
  for (const double count : counts_) n += count;
  if (!(n > 0.0)) return 0.0;
  double bits = 0.0;
  if (options_.exceptions == ExceptionCode::counts) {
    bits = log2_choose(n + k - 1.0, k - 1.0) + log2_factorial(n);
    for (const double count : counts_) bits -= log2_factorial(count);
  } else {
    for (const double count : counts_) {
      if (count > 0.0) bits += count * std::log2(n / count);
    }
    bits += 0.5 * (k - 1.0) * std::log2(0.5 * n) + 0.5 * k * std::log2(std::numbers::pi) -
            log_gamma(0.5 * k) / std::numbers::ln2;
  }
  return std::max(bits, 0.0);
}

double Coder::levels(std::int64_t s, double branches) const {
  const std::uint64_t set = tree_.splits.payload[s];
  const auto all = static_cast<double>(tree_.splits.set_begin[set + 1] - tree_.splits.set_begin[set]);
  if (options_.one_level) return bits_of(all);
  if (all <= branches) return 0.0;
  if (branches == 2.0) return all > 50.0 ? all - 1.0 : bits_of(std::exp2(all - 1.0) - 1.0);
  return all * std::log2(branches) - log2_factorial(branches);
}

double Coder::terms(std::int64_t s) const {
  const SplitPool& pool = tree_.splits;
  const std::uint64_t list = pool.payload[s];
  double bits = 0.0;
  for (std::int64_t t = pool.terms.begin[list]; t < pool.terms.begin[list + 1]; ++t) {
    bits += 1.0 + bits_of(static_cast<double>(values_[pool.terms.column[t]]));
    if (t > pool.terms.begin[list]) bits += bits_of(static_cast<double>(values_.size()));
  }
  return bits;
}

double Coder::test(std::int32_t node) const {
  const SplitPool& pool = tree_.splits;
  const std::int64_t s = tree_.split_begin[node];
  const double places = std::max(0.0, static_cast<double>(values_[pool.column[s]]) - 1.0);
  const auto branches = static_cast<double>(tree_.child_begin[node + 1] - tree_.child_begin[node]);
  double bits = bits_of(static_cast<double>(values_.size()));
  switch (pool.kind[s]) {
    case SplitKind::threshold:
      bits += bits_of(places);
      break;
    case SplitKind::levels: {
      // A branch for missing values alone takes no level.
      const std::int32_t last = tree_.child_begin[node + 1] - tree_.child_begin[node] - 1;
      const std::uint64_t set = pool.payload[s];
      const bool own =
          pool.missing_branch(s) == last &&
          std::find(pool.set_branch.begin() + pool.set_begin[set], pool.set_branch.begin() + pool.set_begin[set + 1],
                    last) == pool.set_branch.begin() + pool.set_begin[set + 1];
      bits += levels(s, branches - (own ? 1.0 : 0.0));
      break;
    }
    case SplitKind::intervals: {
      const std::uint64_t list = pool.payload[s];
      const auto edges = static_cast<double>(pool.edge_begin[list + 1] - pool.edge_begin[list]);
      if (edges <= places) bits += std::max(0.0, log2_choose(places, edges));
      break;
    }
    case SplitKind::holds:
      bits += terms(s);
      break;
  }
  return bits + (pool.missing_branch(s) >= 0 ? bits_of(branches) : 0.0);
}

void check(const Tree& tree, std::span<const std::int64_t> values, const DescriptionOptions& options) {
  if (!tree.is_classifier()) {
    throw InvalidInput("tree", "a description length counts bits of classes: numbers have none without a precision");
  }
  if (!std::isfinite(options.tree_weight) || options.tree_weight < 0.0) {
    throw InvalidInput("tree_weight", "expected a finite number of at least 0");
  }
  require_cells(tree, "a description length counts the tests that a column allows");
  const auto fits = [&](std::int32_t column) { return column < static_cast<std::int64_t>(values.size()); };
  if (!std::all_of(tree.splits.column.begin(), tree.splits.column.end(), fits) ||
      !std::all_of(tree.splits.terms.column.begin(), tree.splits.terms.column.end(), fits)) {
    throw InvalidInput("values", "one number for each column is needed, found " + std::to_string(values.size()));
  }
  for (const std::int64_t number : values) {
    if (number < 0) throw InvalidInput("values", "expected numbers of at least 0");
  }
}

}  // namespace

PrunedTree prune_description_length(const Tree& tree, std::span<const std::int64_t> values,
                                    const DescriptionOptions& options) {
  check(tree, values, options);
  Coder coder(tree, values, options);
  const auto relative = [](double as_leaf, double as_tree) {
    return Tolerance{relative_tie * std::max(as_leaf, as_tree)};
  };
  return prune_to_least_sum(tree, coder, relative);
}

DescriptionLength description_length(const Tree& tree, std::span<const std::int64_t> values,
                                     const DescriptionOptions& options) {
  check(tree, values, options);
  Coder coder(tree, values, options);
  DescriptionLength sum;
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    sum.tree += options.tree_weight * (tree.is_leaf(node) ? 1.0 : 1.0 + coder.test(node));
    sum.exceptions += tree.is_leaf(node) ? coder.exceptions(node) : coder.stayed(node);
  }
  return sum;
}

}  // namespace bough
