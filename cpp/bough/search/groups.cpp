// See groups.hpp.
#include "bough/search/groups.hpp"

#include <algorithm>

namespace bough {
namespace {

using Point = std::vector<double>;

std::vector<Point> means_of(const GroupMoments& moments, std::span<const std::size_t> use) {
  std::vector<Point> means(moments.groups(), Point(use.size()));
  for (std::size_t g = 0; g < means.size(); ++g) {
    for (std::size_t j = 0; j < use.size(); ++j) means[g][j] = moments.mean(g, use[j]);
  }
  return means;
}

double distance(const Point& a, const Point& b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

// By which of the two centres a mean is nearer to, the first of equal ones.
std::vector<std::uint8_t> nearer(const std::vector<Point>& means, const Point& one, const Point& two) {
  std::vector<std::uint8_t> side;
  side.reserve(means.size());
  for (const Point& mean : means) side.push_back(distance(mean, one) <= distance(mean, two) ? 1 : 0);
  return side;
}

// Around the two means that are farthest apart, the first pair of equal ones.
std::vector<std::uint8_t> farthest_two(const std::vector<Point>& means) {
  std::size_t one = 0;
  std::size_t two = 1;
  for (std::size_t g = 0; g < means.size(); ++g) {
    for (std::size_t h = g + 1; h < means.size(); ++h) {
      if (distance(means[g], means[h]) > distance(means[one], means[two])) {
        one = g;
        two = h;
      }
    }
  }
  std::vector<std::uint8_t> side = nearer(means, means[one], means[two]);
  side[two] = 0;
  return side;
}

}  // namespace

std::vector<std::vector<std::uint8_t>> all_groupings(std::size_t groups) {
  std::vector<std::vector<std::uint8_t>> found;
  for (std::uint64_t set = 1; set < std::uint64_t{1} << (groups - 1); ++set) {
    std::vector<std::uint8_t>& side = found.emplace_back(groups, 0);
    for (std::size_t g = 1; g < groups; ++g) side[g] = static_cast<std::uint8_t>((set >> (g - 1)) & 1U);
  }
  return found;
}

std::vector<std::vector<std::uint8_t>> one_against_rest(std::size_t groups) {
  std::vector<std::vector<std::uint8_t>> found;
  for (std::size_t g = 0; g < (groups == 2 ? 1 : groups); ++g) {
    found.emplace_back(groups, 0);
    found.back()[g] = 1;
  }
  return found;
}

std::vector<std::uint8_t> farthest_two(const GroupMoments& moments, std::span<const std::size_t> use) {
  return farthest_two(means_of(moments, use));
}

std::vector<std::uint8_t> two_means(const GroupMoments& moments, std::span<const std::size_t> use) {
  std::vector<double> weight;
  weight.reserve(moments.groups());
  for (std::size_t g = 0; g < moments.groups(); ++g) weight.push_back(moments.weight(g));
  return two_means(means_of(moments, use), weight);
}

std::vector<std::uint8_t> two_means(const std::vector<Point>& means, const std::vector<double>& weight) {
  constexpr int kRounds = 50;
  std::vector<std::uint8_t> side = farthest_two(means);
  if (std::ranges::all_of(means, [&](const Point& mean) { return mean == means.front(); })) {
    std::size_t largest = 0;
    for (std::size_t g = 1; g < means.size(); ++g) {
      if (weight[g] > weight[largest]) largest = g;
    }
    std::ranges::fill(side, std::uint8_t{0});
    side[largest] = 1;
    return side;
  }
  for (int round = 0; round < kRounds; ++round) {
    Point centre[2] = {Point(means[0].size(), 0.0), Point(means[0].size(), 0.0)};
    double of_side[2] = {0.0, 0.0};
    for (std::size_t g = 0; g < means.size(); ++g) {
      of_side[side[g]] += weight[g];
      for (std::size_t j = 0; j < means[g].size(); ++j) centre[side[g]][j] += weight[g] * means[g][j];
    }
    for (int s = 0; s < 2; ++s) {
      for (double& entry : centre[s]) entry /= of_side[s];
    }
    std::vector<std::uint8_t> next = nearer(means, centre[1], centre[0]);
    if (next == side || std::ranges::count(next, next.front()) == std::ssize(next)) break;
    side = std::move(next);
  }
  return side;
}

}  // namespace bough
