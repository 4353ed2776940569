// See significant_splits.hpp.
#include "bough/pruning/significant_splits.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/pruning/ledger.hpp"
#include "bough/pruning/rows_down.hpp"
#include "bough/stats/significance.hpp"

namespace bough {
namespace {

class Tester {
 public:
  Tester(const Tree& tree, const RankedTable& table, const Target& target, const SignificantOptions& options,
         Watch& watch)
      : tree_(tree), target_(target), options_(options), watch_(watch), rows_(tree, table, target, 0.0) {}

  // By node: log p of its split, 0 for a leaf.
  [[nodiscard]] std::vector<double> run() {
    std::vector<double> log_p(tree_.parent.size(), 0.0);
    if (tree_.is_leaf(0)) return log_p;
    std::vector<Frame> path = {{0, 0, rows_.all()}};
    while (!path.empty()) {
      Frame& at = path.back();
      const std::int32_t branches = tree_.child_begin[at.node + 1] - tree_.child_begin[at.node];
      if (at.next == 0) {
        watch_.poll(at.crowd.size());
        log_p[at.node] = log_p_of(at.node, branches, at.crowd);
        rows_.deal(at.node, at.crowd);
      }
      while (at.next < branches && tree_.is_leaf(child(at.node, at.next))) ++at.next;
      if (at.next < branches) {
        const std::int32_t branch = at.next++;
        path.push_back({child(at.node, branch), 0, rows_.child(branch)});
        continue;
      }
      rows_.undo();
      if (path.size() > 1) rows_.release(at.crowd);
      path.pop_back();
      watch_.done(1.0);
    }
    return log_p;
  }

 private:
  struct Frame {
    std::int32_t node;
    std::int32_t next;  // the branch to go down next
    Crowd crowd;
  };

  [[nodiscard]] std::int32_t child(std::int32_t node, std::int32_t branch) const {
    return tree_.children[tree_.child_begin[node] + branch];
  }

  [[nodiscard]] double log_p_of(std::int32_t node, std::int32_t branches, const Crowd& crowd) {
    const bool classes = tree_.is_classifier();
    const std::size_t width = classes ? target_.classes : 3;
    // Squares of values far from 0 would drown what they differ by.
    const double centre = classes ? 0.0 : mean(crowd);
    std::vector<double> stat(static_cast<std::size_t>(branches) * width, 0.0);
    std::vector<double> weight(static_cast<std::size_t>(branches), 0.0);
    rows_.each(crowd, [&](std::uint32_t row, double w) {
      const std::int32_t branch = rows_.tests().by_test(node, row);
      if (branch == RankTests::unknown) return;
      const auto group = static_cast<std::size_t>(branch);
      weight[group] += w;
      double* held = stat.data() + group * width;
      if (classes) {
        held[target_.label[row]] += w;
        return;
      }
      const double y = target_.value[row] - centre;
      held[0] += w;
      held[1] += w * y;
      held[2] += w * y * y;
    });
    // Branches without rows are no groups.
    std::vector<double> groups;
    for (std::size_t b = 0; b < weight.size(); ++b) {
      const auto begin = stat.begin() + static_cast<std::ptrdiff_t>(b * width);
      if (weight[b] > 0.0) groups.insert(groups.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    }
    const double log_p = log_p_of_difference({groups, width, classes}, options_.test);
    return std::min(0.0, log_p + std::log(options_.paid));
  }

  [[nodiscard]] double mean(const Crowd& crowd) const {
    double sum = 0.0;
    double weight = 0.0;
    rows_.each(crowd, [&](std::uint32_t row, double w) {
      sum += w * target_.value[row];
      weight += w;
    });
    return weight > 0.0 ? sum / weight : 0.0;
  }

  const Tree& tree_;
  const Target& target_;
  const SignificantOptions& options_;
  Watch& watch_;
  RowsDown rows_;
};

void check(const Tree& tree, const Target& target, const SignificantOptions& options) {
  if (tree.class_scale.size() != target.classes) {
    throw InvalidInput("tree", "the tree and the target have the same classes, or both none");
  }
  const bool inside = options.level > 0.0 && options.level < 1.0;
  if (!inside) throw InvalidInput("level", "expected a number between 0 and 1");
  if (!(options.paid >= 1.0)) throw InvalidInput("paid", "expected a number of at least 1");
  if (options.test != SignificanceTest::one_sided) return;
  if (!tree.is_classifier()) throw InvalidInput("test", "one_sided is for classes");
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    if (tree.child_begin[node + 1] - tree.child_begin[node] > 2) {
      throw InvalidInput("test", "one_sided is for two branches");
    }
  }
}

}  // namespace

PrunedTree prune_insignificant(const Tree& tree, const RankedTable& table, const Target& target,
                               const SignificantOptions& options, Watch& watch) {
  check(tree, target, options);
  std::vector<double> least = Tester(tree, table, target, options, watch).run();
  for (std::int32_t node = tree.size(); node-- > 1;) {
    least[tree.parent[node]] = std::min(least[tree.parent[node]], least[node]);
  }
  std::vector<std::int32_t> chance;
  for (std::int32_t node = tree.size(); node-- > 0;) {
    if (!tree.is_leaf(node) && least[node] > std::log(options.level)) chance.push_back(node);
  }
  // No node has a larger one than those below it, which come first here.
  std::stable_sort(chance.begin(), chance.end(), [&](std::int32_t a, std::int32_t b) { return least[a] > least[b]; });
  Ledger ledger(tree, tree.risk);
  ledger.open();
  for (const std::int32_t node : chance) ledger.make_leaf(node, std::exp(least[node]), 1.0);
  return finish(tree, ledger);
}

}  // namespace bough
