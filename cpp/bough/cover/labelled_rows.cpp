#include "bough/cover/labelled_rows.hpp"

#include <algorithm>

#include "bough/base/parallel.hpp"
#include "bough/cover/apply_rules.hpp"

namespace bough {

std::vector<RowSet> rows_covered(const Rules& rules, std::span<const ColumnView> columns, std::int64_t n_rows,
                                 Unseen unseen, int threads, Watch& watch) {
  constexpr std::int64_t kTiles = 64;  // handed to a thread at once
  const RuleCovers covers(rules, columns, unseen);
  std::vector<RowSet> sets(static_cast<std::size_t>(rules.size()), RowSet(static_cast<std::size_t>(n_rows)));
  const std::int64_t stretch = kTiles * Tile::lanes;
  const auto stretches = static_cast<std::size_t>((n_rows + stretch - 1) / stretch);
  parallel_for(
      stretches, threads, [&watch] { watch.ask(); },
      [&](std::size_t item, int) {
        Tile tile = covers.tile();
        const std::int64_t begin = static_cast<std::int64_t>(item) * stretch;
        for (std::int64_t row = begin; row < std::min(n_rows, begin + stretch); row += Tile::lanes) {
          tile.turn_to(row, std::min(Tile::lanes, n_rows - row));
          for (std::int64_t rule = 0; rule < rules.size(); ++rule) {
            sets[static_cast<std::size_t>(rule)].word(static_cast<std::size_t>(row / Tile::lanes)) =
                covers.covered(rule, tile, tile.all());
          }
          watch.poll(static_cast<std::size_t>(rules.size()));
        }
      });
  return sets;
}

LabelledRows::LabelledRows(std::span<const std::uint32_t> label, std::size_t n_classes, std::span<const double> weights)
    : classes(n_classes, RowSet(label.size())), used(label.size()), mass(weights) {
  for (std::size_t row = 0; row < label.size(); ++row) {
    if (!weights.empty() && !(weights[row] > 0)) continue;
    classes[label[row]].add(row);
    used.add(row);
  }
}

}  // namespace bough
