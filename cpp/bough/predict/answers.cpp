// See answers.hpp.
#include "bough/predict/answers.hpp"

#include <algorithm>
#include <string>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/feature/row.hpp"

namespace bough {
namespace {

constexpr std::size_t part_rows = 4096;

void expect_values(const Tree& tree) {
  if (tree.is_classifier()) throw InvalidInput("tree", "a classification tree has no values");
}

}  // namespace

ValueAnswers::ValueAnswers(const Tree& tree, std::span<const ColumnView> columns) : tree_(tree), columns_(columns) {
  for (std::int64_t k = 0; k < tree.models.terms.size(); ++k) check_fit(columns, tree.models.terms, k);
}

void spread_probabilities(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows,
                          const Smoothing& smoothing, std::int32_t n_threads, Watch& watch, std::span<double> out) {
  if (!tree.is_classifier()) throw InvalidInput("tree", "a regression tree has no probabilities");
  const std::size_t classes = tree.class_scale.size();
  const ClassShares answers(tree, smoothing, n_rows);
  std::fill(out.begin(), out.end(), 0.0);
  const auto tell = [&](std::int64_t begin, std::span<const std::int32_t> nodes, Spread& spread) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::int64_t row = begin + static_cast<std::int64_t>(i);
      const std::span<double> told = out.subspan(static_cast<std::size_t>(row) * classes, classes);
      if (nodes[i] >= 0) {
        answers.add(nodes[i], 1.0, told);
        continue;
      }
      spread.walk(row, ~nodes[i], watch, [&](std::int32_t node, double share, bool ends) {
        if (ends) answers.add(node, share, told);
      });
    }
  };
  Applier(tree, columns, n_rows).run(n_threads, watch, tell);
}

void answer_values(const Tree& tree, std::span<const ColumnView> columns, std::span<const std::int32_t> nodes,
                   std::int32_t n_threads, Watch& watch, std::span<double> out) {
  expect_values(tree);
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    if (nodes[r] >= 0 && nodes[r] < tree.size()) continue;
    throw InvalidInput("nodes[" + std::to_string(r) + "]",
                       "expected a node below " + std::to_string(tree.size()) + ", found " + std::to_string(nodes[r]));
  }
  const ValueAnswers answers(tree, columns);
  const std::size_t parts = (nodes.size() + part_rows - 1) / part_rows;
  parallel_for(
      parts, std::max(n_threads, 1), [&] { watch.ask(); },
      [&](std::size_t part, int) {
        const std::size_t end = std::min(nodes.size(), (part + 1) * part_rows);
        for (std::size_t r = part * part_rows; r < end; ++r) out[r] = answers(nodes[r], static_cast<std::int64_t>(r));
        watch.poll(part_rows);
      });
}

void spread_values(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows, std::int32_t n_threads,
                   Watch& watch, std::span<double> out) {
  expect_values(tree);
  const ValueAnswers answers(tree, columns);
  const auto tell = [&](std::int64_t begin, std::span<const std::int32_t> nodes, Spread& spread) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::int64_t row = begin + static_cast<std::int64_t>(i);
      if (nodes[i] >= 0) {
        out[row] = answers(nodes[i], row);
        continue;
      }
      // A running mean stays between the smallest and the largest value, however large they are.
      double mean = 0.0;
      double shares = 0.0;
      spread.walk(row, ~nodes[i], watch, [&](std::int32_t node, double share, bool ends) {
        if (!ends || !(share > 0.0)) return;
        shares += share;
        const double part = share / shares;
        mean = mean * (1.0 - part) + answers(node, row) * part;
      });
      out[row] = mean;
    }
  };
  Applier(tree, columns, n_rows).run(n_threads, watch, tell);
}

}  // namespace bough
