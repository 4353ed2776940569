// Groups of values as CHAID makes them: the two that differ least significantly are merged until all differ. Levels
// merge with any other, numbers and ordered levels with their neighbours, missing values (if they have a branch of
// their own) with any. The significance of what is left pays for the number of ways in which it could have been merged.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bough/base/distributions.hpp"
#include "bough/branching/branching.hpp"
#include "bough/engine/open/selection.hpp"

namespace bough {
namespace {

struct Group {
  std::vector<std::uint32_t> cells;
  bool missing = false;
  CellSum sum;
};

// How many ways there are to merge n values into k groups, as a logarithm.
double log_ways(std::size_t n, std::size_t k, bool nominal, bool floating) {
  if (nominal) return log_partitions(n, k);
  const auto values = static_cast<double>(n);
  const auto groups = static_cast<double>(k);
  if (!floating) return log_choose(values - 1.0, groups - 1.0);
  // One of the values is missing and may join any group or be one.
  const double alone = std::exp(log_choose(values - 2.0, groups - 2.0));
  const double with = groups * std::exp(log_choose(values - 2.0, groups - 1.0));
  return std::log(alone + with);
}

class Merging {
 public:
  explicit Merging(OpenColumn& column) : column_(column), kind_(stat_kind(column.target, column.options.criterion)) {
    for (std::size_t v = 0; v < column.cells.size(); ++v)
      groups_.push_back({{static_cast<std::uint32_t>(v)}, false, {}});
    if (column.sends_missing()) groups_.push_back({{}, true, {}});
    start_ = groups_.size();
    for (Group& group : groups_) update(group);
  }

  ColumnTest run() {
    const double level = std::log(column_.options.branches.merge_level);
    merge_while([&](double log_p) { return groups_.size() > 1 && log_p > level; });
    merge_while([&](double) { return most_ >= 0 && static_cast<std::int64_t>(groups_.size()) > most_; });
    while (groups_.size() > 2) {
      const std::size_t small = smallest();
      if (small == groups_.size()) break;
      merge_one(small);
    }
    ColumnTest test;
    if (groups_.size() < 2) return test;
    std::vector<const CellSum*> sums;
    sums.reserve(groups_.size());
    for (const Group& group : groups_) sums.push_back(&group.sum);
    const bool pays = column_.options.branches.merge_bonferroni;
    const double ways = pays ? log_ways(start_, groups_.size(), column_.nominal(), column_.sends_missing()) : 0.0;
    test.log_p = std::min(0.0, log_p_of_groups(sums, kind_) + ways);
    if (test.log_p > std::log(column_.options.branches.split_level)) return test;
    std::int32_t missing = -1;
    std::vector<std::int32_t> branch(column_.cells.size(), 0);
    for (std::size_t b = 0; b < groups_.size(); ++b) {
      for (const std::uint32_t v : groups_[b].cells) branch[v] = static_cast<std::int32_t>(b);
      if (groups_[b].missing) missing = static_cast<std::int32_t>(b);
    }
    const auto branches = static_cast<std::int32_t>(groups_.size());
    for (const Group& group : groups_) {
      if (group.sum.weight < column_.options.min_leaf_weight * (1.0 - column_.options.tie)) return test;
      if (group.sum.rows < static_cast<double>(column_.options.min_leaf_rows)) return test;
    }
    const double log_p = test.log_p;
    test = judge_given(column_, std::move(branch), branches, missing);
    test.log_p = log_p;
    test.found = Found::greedy;
    return test;
  }

 private:
  // A test of chance counts rows, whatever priors and costs make of them.
  void update(Group& group) {
    group.sum = column_.sums.of(group.cells, group.missing);
    for (std::size_t k = 0; kind_ == StatKind::classes && k < group.sum.stat.size(); ++k) {
      const double scale = column_.target.growth_scale[k];
      if (scale > 0.0) group.sum.stat[k] /= scale;
    }
  }

  [[nodiscard]] bool may_merge(std::size_t a, std::size_t b) const {
    if (column_.nominal() || a + 1 == b || b + 1 == a) return true;
    return (groups_[a].missing && groups_[a].cells.empty()) || (groups_[b].missing && groups_[b].cells.empty());
  }
  [[nodiscard]] double log_p(std::size_t a, std::size_t b) const {
    return log_p_of_groups({&groups_[a].sum, &groups_[b].sum}, kind_);
  }
  void merge(std::size_t a, std::size_t b) {
    // Groups of numbers stay in their order; the one of missing values alone, which is last, gives way.
    if (groups_[a].cells.empty()) std::swap(a, b);
    Group& into = groups_[a];
    into.cells.insert(into.cells.end(), groups_[b].cells.begin(), groups_[b].cells.end());
    std::sort(into.cells.begin(), into.cells.end());
    into.missing = into.missing || groups_[b].missing;
    update(into);
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(b));
  }
  // The p-values of all pairs are kept and only those of a merged group found again: the work is quadratic.
  template <class Goes>
  void merge_while(Goes goes_on) {
    if (groups_.size() < 2) return;
    std::vector<std::vector<double>> p(groups_.size(), std::vector<double>(groups_.size(), 0.0));
    for (std::size_t a = 0; a + 1 < groups_.size(); ++a) {
      for (std::size_t b = a + 1; b < groups_.size(); ++b) {
        if (may_merge(a, b)) p[a][b] = log_p(a, b);
      }
      column_.watch.poll(groups_.size() * groups_.front().sum.stat.size());
    }
    while (groups_.size() > 1) {
      double most = -HUGE_VAL;
      std::size_t first = 0;
      std::size_t second = 0;
      for (std::size_t a = 0; a + 1 < groups_.size(); ++a) {
        for (std::size_t b = a + 1; b < groups_.size(); ++b) {
          if (!may_merge(a, b) || (second > 0 && !(p[a][b] > most))) continue;
          most = p[a][b];
          first = a;
          second = b;
        }
      }
      if (second == 0 || !goes_on(most)) return;
      const std::size_t gone = groups_[first].cells.empty() ? first : second;
      merge(first, second);
      p.erase(p.begin() + static_cast<std::ptrdiff_t>(gone));
      for (std::vector<double>& row : p) row.erase(row.begin() + static_cast<std::ptrdiff_t>(gone));
      const std::size_t into = gone == first ? second - 1 : first;
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (g == into) continue;
        const std::size_t a = std::min(g, into);
        const std::size_t b = std::max(g, into);
        // Neighbours change as well where groups have an order.
        if (may_merge(a, b)) p[a][b] = log_p(a, b);
      }
      if (!column_.nominal()) refresh_neighbours(p);
    }
  }
  // A group that is gone makes two others neighbours.
  void refresh_neighbours(std::vector<std::vector<double>>& p) const {
    for (std::size_t a = 0; a + 1 < groups_.size(); ++a) p[a][a + 1] = log_p(a, a + 1);
  }
  // The first group below the minima, or the number of groups.
  [[nodiscard]] std::size_t smallest() const {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].sum.weight < column_.options.min_leaf_weight * (1.0 - column_.options.tie) ||
          groups_[g].sum.rows < static_cast<double>(column_.options.min_leaf_rows))
        return g;
    }
    return groups_.size();
  }
  void merge_one(std::size_t small) {
    double most = -HUGE_VAL;
    std::size_t other = groups_.size();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (g == small || !may_merge(std::min(g, small), std::max(g, small))) continue;
      const double p = log_p(g, small);
      if (other < groups_.size() && !(p > most)) continue;
      most = p;
      other = g;
    }
    merge(std::min(small, other), std::max(small, other));
  }

  OpenColumn& column_;
  StatKind kind_;
  std::vector<Group> groups_;
  std::size_t start_ = 0;
  std::int64_t most_ = column_.options.branches.most;  // the group of missing values is one of them
};

}  // namespace

ColumnTest merged_cells(OpenColumn& column) {
  if (column.cells.size() + (column.sends_missing() ? 1 : 0) < 2) return {};
  return Merging(column).run();
}

}  // namespace bough
