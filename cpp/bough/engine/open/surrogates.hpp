// Surrogates of a test with any number of branches: cuts and sets of levels of other columns, each side or level going
// where most of its rows go.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/engine/open/cells.hpp"
#include "bough/engine/options.hpp"
#include "bough/missing/surrogates.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

// How the test of a node sends its rows: by position, -1 where it cannot tell.
struct Sent {
  std::vector<std::int32_t> branch;
  std::int32_t branches = 2;
  std::vector<std::int32_t> columns;  // those the test asks
  std::int32_t low = -1;  // two branches: the one of low values; -1: the test has no order
};

[[nodiscard]] std::vector<Surrogate> find_surrogates(const RankedTable& table, const Holding& held, const Sent& sent,
                                                     const std::vector<std::uint8_t>& allowed,
                                                     const GrowOptions& options, Watch& watch);

}  // namespace bough
