// Prediction for many rows: the node in which each row ends, and the way there.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/predict/compile.hpp"
#include "bough/predict/route.hpp"
#include "bough/predict/spread.hpp"
#include "bough/table/keys.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// Made once for a tree and a table, which must outlive it; then run over ranges of rows.
class Applier {
 public:
  Applier(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows);

  // Takes settled rows: nodes[i] is the node in which row `begin + i` ends, or ~node if it spreads from `node`, from
  // where `spread` walks on.
  using Use = std::function<void(std::int64_t begin, std::span<const std::int32_t> nodes, Spread& spread)>;

  // Settles all rows, chunk by chunk on up to `n_threads` threads, and hands them to `use`. An error is that of the
  // first row that has one.
  void run(std::int32_t n_threads, Watch& watch, const Use& use) const;

 private:
  std::int64_t settle(std::int64_t begin, std::span<std::int32_t> nodes) const;
  std::int64_t walk(const HotTree& hot, std::int64_t begin, std::span<std::int32_t> out) const;

  const Tree& tree_;
  Router router_;
  std::int64_t n_rows_;
  std::optional<HotTree> hot_;  // none if there are too few rows to pay for compiling
};

// The node in which each row ends; where it is spread, the node that gets the largest share of it, the first of equal
// ones. The same result for any number of threads.
[[nodiscard]] std::vector<std::int32_t> apply(const Tree& tree, std::span<const ColumnView> columns,
                                              std::int64_t n_rows, std::int32_t n_threads, Watch& watch);

// Row i passes the nodes indices[indptr[i] .. indptr[i + 1]), from the root to nodes[i].
struct Paths {
  std::vector<std::int64_t> indptr;
  std::vector<std::int32_t> indices;
};
[[nodiscard]] Paths paths_to(const Tree& tree, std::span<const std::int32_t> nodes);

}  // namespace bough
