// Prediction for many rows: the node in which each row ends, and the way there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bough/predict/compile.hpp"
#include "bough/predict/keys.hpp"
#include "bough/predict/route.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// Made once for a tree and a table, which must outlive it; then run over ranges of rows.
class Applier {
 public:
  Applier(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows);

  // Writes the node of row `begin + i` to out[i]. The same result for any number of threads; an error is that of the
  // first row that has one.
  void run(std::int64_t begin, std::span<std::int32_t> out, std::int32_t n_threads) const;

 private:
  void walk(const HotTree& hot, std::int64_t begin, std::span<std::int32_t> out) const;

  const Tree& tree_;
  Router router_;
  std::optional<HotTree> hot_;  // none if there are too few rows to pay for compiling
};

[[nodiscard]] std::vector<std::int32_t> apply(const Tree& tree, std::span<const ColumnView> columns,
                                              std::int64_t n_rows, std::int32_t n_threads);

// Row i passes the nodes indices[indptr[i] .. indptr[i + 1]), from the root to nodes[i].
struct Paths {
  std::vector<std::int64_t> indptr;
  std::vector<std::int32_t> indices;
};
[[nodiscard]] Paths paths_to(const Tree& tree, std::span<const std::int32_t> nodes);

}  // namespace bough
