// Nodes of one cohort that are worked on apart, a thread each, in blocks of their own: what is below a node that fits
// into the near caches asks for no other rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "bough/base/parallel.hpp"
#include "bough/engine/sorted/cohort.hpp"

namespace bough {

// Calls use(i, block) with the block of node i; the nodes are disjoint. The largest come first, so that no thread is
// left with a large one at the end.
template <class Entry, class Use>
void in_own_blocks(const Cohort<Entry>& from, const std::vector<Stretch>& nodes, int threads,
                   const std::function<void()>& meanwhile, const Use& use) {
  if (nodes.empty()) return;
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return nodes[a].size() > nodes[b].size(); });
  std::vector<std::uint32_t> new_id(from.ids);
  parallel_for(nodes.size(), threads, meanwhile, [&](std::size_t i, int) {
    const Stretch& node = nodes[order[i]];
    use(order[i], block_of(from, node.begin, node.end, new_id));
  });
}

}  // namespace bough
