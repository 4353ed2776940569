// See drawn_rows.hpp.
#include "bough/search/drawn_rows.hpp"

#include <algorithm>
#include <cmath>

namespace bough {

std::vector<std::uint32_t> drawn_rows(const ObliqueNode& node, std::vector<std::uint32_t> rows, std::size_t most) {
  if (rows.size() <= most) return rows;
  Random random = node.random(0);
  std::vector<std::vector<std::uint32_t>> strata(std::max<std::uint32_t>(node.target.classes, 1));
  for (const std::uint32_t i : rows) strata[node.target.classes > 0 ? node.label(i) : 0].push_back(i);
  std::vector<std::uint32_t> drawn;
  for (std::vector<std::uint32_t>& one : strata) {
    random.shuffle(one);
    const double share = static_cast<double>(most) * static_cast<double>(one.size()) / static_cast<double>(rows.size());
    one.resize(std::min(one.size(), static_cast<std::size_t>(std::ceil(share))));
    drawn.insert(drawn.end(), one.begin(), one.end());
  }
  std::ranges::sort(drawn);
  return drawn;
}

}  // namespace bough
