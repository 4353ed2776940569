// bough._core.RankedTable: ranks made once for all that is grown on a table, in this process or in others.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/binders.hpp"
#include "bindings/columns.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/requests.hpp"
#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/base/watch.hpp"
#include "bough/table/ranked.hpp"

namespace bough::python {

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

OwnedTable rank_table(const nb::sequence& columns, const std::vector<std::uint32_t>& levels, const nb::object& used,
                      int threads) {
  Columns read = read_columns(columns);
  if (levels.size() != read.views.size()) throw InvalidInput("levels", "one number for each column is needed");
  std::vector<std::uint8_t> takes_part;
  if (!used.is_none()) {
    takes_part = from_numpy<std::uint8_t>(used, "used");
    if (takes_part.size() != read.rows) throw InvalidInput("used", "one entry for each row is needed");
  }
  OwnedTable owned;
  owned.table.rows = read.rows;
  owned.table.columns.resize(read.views.size());
  owned.owners = std::move(read.owners);
  Watch watch{Asker(nb::none())};
  {
    const Unlocked unlocked;
    parallel_for(read.views.size(), threads, [&](std::size_t c, int) {
      watch.poll(read.rows);
      owned.table.columns[c] =
          rank_column(read.views[c], read.rows, levels[c], takes_part.empty() ? nullptr : takes_part.data());
    });
  }
  return owned;
}

// What the ranking found, by column, for `from_parts` in another process: views of the table.
nb::list parts_of(nb::handle self) {
  nb::list parts;
  for (const RankedColumn& column : nb::cast<const OwnedTable&>(self).table.columns) {
    parts.append(nb::make_tuple(view_numpy(column.rank, self), column.ranks, column.has_missing,
                                view_numpy(column.sample, self), view_numpy(column.shared, self)));
  }
  return parts;
}

OwnedTable from_parts(const nb::sequence& columns, const nb::sequence& parts) {
  Columns read = read_columns(columns);
  if (nb::len(parts) != read.views.size()) throw InvalidInput("parts", "expected those of each column");
  OwnedTable owned;
  owned.table.rows = read.rows;
  owned.table.columns.resize(read.views.size());
  owned.owners = std::move(read.owners);
  for (std::size_t c = 0; c < read.views.size(); ++c) {
    const auto part = nb::cast<nb::tuple>(parts[c]);
    RankedColumn& column = owned.table.columns[c];
    column.view = read.views[c];
    column.rank = from_numpy<std::uint32_t>(part[0], "rank");
    column.ranks = nb::cast<std::uint32_t>(part[1]);
    column.has_missing = nb::cast<bool>(part[2]);
    column.sample = from_numpy<std::uint32_t>(part[3], "sample");
    column.shared = from_numpy<std::uint64_t>(part[4], "shared");
    const auto known = [&](std::uint32_t rank) { return rank <= column.ranks; };
    if (column.rank.size() != read.rows || !std::ranges::all_of(column.rank, known)) {
      throw InvalidInput("rank", "expected a rank for each row");
    }
  }
  return owned;
}

}  // namespace

void bind_ranked(nb::module_& m) {
  nb::class_<OwnedTable>(m, "RankedTable", "Columns with the rank of every value, ready to grow trees on.")
      .def_prop_ro("n_rows", [](const OwnedTable& self) { return self.table.rows; })
      .def_prop_ro("n_columns", [](const OwnedTable& self) { return self.table.columns.size(); })
      .def(
          "ranks",
          [](const OwnedTable& self, std::size_t column) {
            if (column >= self.table.columns.size()) throw nb::index_error("no such column");
            return self.table.columns[column].ranks;
          },
          "column"_a)
      .def("parts", &parts_of);
  m.def("rank_table", &rank_table, "columns"_a, "levels"_a, "used"_a.none(), "threads"_a);
  m.def("ranked_table", &from_parts, "columns"_a, "parts"_a);
}

}  // namespace bough::python
