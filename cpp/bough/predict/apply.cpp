// See apply.hpp. 64 rows walk down together, one step each in turn, so that the cache misses of one hide behind the
// work of the others; their cells are first turned into keys, column by column, in a tile that stays in cache.
#include "bough/predict/apply.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/base/prefetch.hpp"
#include "bough/feature/row.hpp"
#include "bough/table/keys.hpp"
#include "bough/tree/structure.hpp"

namespace bough {
namespace {

constexpr std::int64_t lanes = HotNode::lanes;
constexpr std::int64_t chunk_rows = 64 * lanes;
constexpr std::int64_t rows_at_once = 16 * lanes;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t nodes_per_row = 64;  // with fewer rows than nodes / 64, compiling costs more than it saves

// What a term reads of some rows, every `stride`-th place; NaN where only the Router knows.
void fill_terms(const TermSlot& slot, std::int64_t begin, std::int64_t rows, double* out, std::size_t stride) {
  const ColumnView& view = slot.view;
  const bool number = view.kind == ColumnKind::numeric;
  if (number && view.type == ColumnView::Type::f64 && view.missing == nullptr) {
    const auto origin = static_cast<double>(slot.origin);
    for (std::int64_t r = 0; r < rows; ++r)
      out[static_cast<std::size_t>(r) * stride] = cell<double>(view, begin + r) - origin;
    return;
  }
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t row = begin + r;
    double& value = out[static_cast<std::size_t>(r) * stride];
    if (slot.code >= 0) {
      const auto code = cell<std::int32_t>(view, row);
      value = code < 0 ? kNone : (code == slot.code ? 1.0 : 0.0);
    } else if (number) {
      value = is_masked(view, row) ? kNone : number_at(view, row, slot.origin);
    } else {
      value = cell<std::int32_t>(view, row) < 0 ? kNone : number_at(view, row, 0);
    }
  }
}

// A row of the tile that is still on its way.
struct Walker {
  std::int32_t at = 0;
  std::uint32_t row = 0;
};

}  // namespace

Applier::Applier(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows)
    : tree_(tree), router_(tree, columns), n_rows_(n_rows) {
  if (n_rows >= tree.size() / nodes_per_row) hot_ = compile(tree, columns, router_);
}

std::int64_t Applier::walk(const HotTree& hot, std::int64_t begin, std::span<std::int32_t> out) const {
  const HotNode* nodes = hot.nodes.data();
  const LevelMasks* masks = hot.masks.data();
  const std::int32_t* tables = hot.tables.data();
  std::vector<std::int64_t> tile(std::max<std::size_t>(1, hot.slots.size()) * lanes);
  const std::int64_t* keys = tile.data();
  const std::size_t terms = hot.term_slots.size();
  std::vector<double> values(terms * lanes);  // row by row
  std::array<Walker, lanes> walkers{};
  const auto n = static_cast<std::int64_t>(out.size());
  std::int64_t steps = n;
  for (std::int64_t first = 0; first < n; first += lanes) {
    const std::int64_t rows = std::min(lanes, n - first);
    for (std::size_t s = 0; s < hot.slots.size(); ++s) {
      fill_keys(hot.slots[s], begin + first, rows, tile.data() + s * lanes);
    }
    for (std::size_t t = 0; t < terms; ++t)
      fill_terms(hot.term_slots[t], begin + first, rows, values.data() + t, terms);
    std::int32_t* settled = out.data() + first;
    std::fill_n(settled, rows, 0);
    std::uint32_t left = tree_.is_leaf(0) ? 0 : static_cast<std::uint32_t>(rows);
    for (std::uint32_t r = 0; r < left; ++r) walkers[r] = {0, r};
    while (left > 0) {
      std::uint32_t still = 0;
      steps += left;
      for (std::uint32_t j = 0; j < left; ++j) {
        const auto [i, r] = walkers[j];
        const HotNode& node = nodes[i];
        const std::int64_t key = keys[node.offset() + r];
        const HotKind kind = node.kind();
        std::uint32_t one = (key > node.cut ? 1U : 0U) ^ node.flip();
        bool known = key != unknown_key;
        std::int32_t by_table = 0;
        if (kind != HotKind::threshold) [[unlikely]] {
          known = false;
          if (kind == HotKind::sum) {
            const std::int32_t side = hot.side_of_sum(node, values.data() + terms * r);
            known = side >= 0;
            one = static_cast<std::uint32_t>(side) ^ node.flip();
            one &= 1U;
          } else if (kind == HotKind::table) {
            const bool inside = static_cast<std::uint64_t>(key) < static_cast<std::uint64_t>(node.second);
            by_table = inside ? tables[node.cut + key] : 0;
          } else if (kind == HotKind::mask) {
            const LevelMasks& mask = masks[node.cut];
            const auto shift = static_cast<std::uint64_t>(key) & 63U;
            known = static_cast<std::uint64_t>(key) < 64U && ((mask.known >> shift) & 1U) != 0;
            one = (mask.one >> shift) & 1U;
          } else if (kind == HotKind::intervals) {
            by_table = key == unknown_key ? 0 : hot.by_interval(node, key);
          }
        }
        // Written without a condition: which way a row goes is what no processor can foresee.
        const std::uint32_t first_child = static_cast<std::uint32_t>(i) + 1U;
        const std::uint32_t apart = static_cast<std::uint32_t>(node.second) - first_child;
        auto next = static_cast<std::int32_t>(first_child + (apart & (0U - one)));
        std::uint32_t ended = node.ends(one);
        if (!known) [[unlikely]] {
          next = by_table != 0 ? by_table : router_.step(i, begin + first + r);
          if (next < 0) {
            settled[r] = next == Router::spreads ? ~i : i;
            continue;
          }
          ended = tree_.is_leaf(next) ? 1U : 0U;
        }
        prefetch(nodes + next);
        settled[r] = next;
        walkers[still] = {next, r};
        still += 1U - ended;
      }
      left = still;
    }
  }
  return steps;
}

std::int64_t Applier::settle(std::int64_t begin, std::span<std::int32_t> nodes) const {
  if (hot_) return walk(*hot_, begin, nodes);
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    nodes[r] = router_.settle(begin + static_cast<std::int64_t>(r));
  }
  return tree_.size();  // few rows: hardly more steps than nodes
}

void Applier::run(std::int32_t n_threads, Watch& watch, const Use& use) const {
  const std::int32_t threads = std::max(n_threads, 1);
  struct Worker {
    std::vector<std::int32_t> nodes;
    Spread spread;
  };
  std::vector<Worker> workers;
  workers.reserve(static_cast<std::size_t>(threads));
  for (std::int32_t w = 0; w < threads; ++w) workers.push_back({{}, Spread(tree_, router_, hot_ ? &*hot_ : nullptr)});
  const auto chunk = [&](std::size_t k, int w) {
    Worker& worker = workers[static_cast<std::size_t>(w)];
    const std::int64_t from = static_cast<std::int64_t>(k) * chunk_rows;
    const std::int64_t to = std::min(n_rows_, from + chunk_rows);
    worker.nodes.resize(static_cast<std::size_t>(to - from));
    // A part of the rows at a time, so that Ctrl-C is answered in deep trees as well.
    for (std::int64_t at = from; at < to; at += rows_at_once) {
      const auto nodes = std::span(worker.nodes).subspan(at - from, std::min(rows_at_once, to - at));
      watch.poll(static_cast<std::size_t>(settle(at, nodes)));
      use(at, nodes, worker.spread);
    }
  };
  try {
    parallel_for(
        static_cast<std::size_t>((n_rows_ + chunk_rows - 1) / chunk_rows), threads, [&] { watch.ask(); }, chunk);
  } catch (const InvalidInput&) {
    // The rows of a tile are not walked in order: look for the first one that is at fault.
    const auto look = [](std::int32_t, double, bool) {};
    for (std::int64_t r = 0; r < n_rows_; ++r) workers[0].spread.walk(r, 0, watch, look);
    throw;
  }
}

std::vector<std::int32_t> apply(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows,
                                std::int32_t n_threads, Watch& watch) {
  std::vector<std::int32_t> result(static_cast<std::size_t>(n_rows));
  Applier(tree, columns, n_rows)
      .run(n_threads, watch, [&](std::int64_t begin, std::span<const std::int32_t> nodes, Spread& spread) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          const std::int64_t row = begin + static_cast<std::int64_t>(i);
          result[row] = nodes[i] >= 0 ? nodes[i] : spread.largest(row, ~nodes[i], watch);
        }
      });
  return result;
}

Paths paths_to(const Tree& tree, std::span<const std::int32_t> nodes) {
  const std::vector<std::int32_t> depth = node_depths(tree);
  Paths paths;
  paths.indptr.reserve(nodes.size() + 1);
  paths.indptr.push_back(0);
  for (const std::int32_t node : nodes) paths.indptr.push_back(paths.indptr.back() + depth[node] + 1);
  paths.indices.resize(static_cast<std::size_t>(paths.indptr.back()));
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    std::int64_t k = paths.indptr[r + 1];
    for (std::int32_t node = nodes[r]; node >= 0; node = tree.parent[node]) paths.indices[--k] = node;
  }
  return paths;
}

}  // namespace bough
