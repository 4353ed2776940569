// Ways to part the classes of a node into two groups: by group of a GroupMoments, 1 for the first of the two.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bough/search/moments.hpp"

namespace bough {

// All ways, in each of which the first class is in the second group.
[[nodiscard]] std::vector<std::vector<std::uint8_t>> all_groupings(std::size_t groups);
[[nodiscard]] std::vector<std::vector<std::uint8_t>> one_against_rest(std::size_t groups);
// Around the two class means that are farthest apart.
[[nodiscard]] std::vector<std::uint8_t> farthest_two(const GroupMoments& moments, std::span<const std::size_t> use);
// By 2-means of the class means from there; if all means are equal, the largest class against the rest.
[[nodiscard]] std::vector<std::uint8_t> two_means(const GroupMoments& moments, std::span<const std::size_t> use);
// The same of any means, each of a group of some weight.
[[nodiscard]] std::vector<std::uint8_t> two_means(const std::vector<std::vector<double>>& means,
                                                  const std::vector<double>& weight);

}  // namespace bough
