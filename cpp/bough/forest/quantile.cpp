#include "bough/forest/quantile.hpp"

#include <algorithm>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/forest/apply.hpp"

namespace bough::forest {
namespace {

constexpr std::size_t kLeaves = std::size_t{1} << 24U;  // numbers of leaves that are held at once
constexpr std::size_t kRows = 256;                      // of a task
constexpr double kShareRounding = 1e-12;                // of a sum of shares

struct Mass {
  std::uint32_t place;
  double weight;
};

// The weights of the training rows for one row after the other.
class Weigher {
 public:
  Weigher(const Forest& forest, const LeafRows& rows) : forest_(forest), rows_(rows) {}

  // Weights of places that rise; each tree adds 1 in all. A place may come several times.
  std::span<const Mass> weigh(const std::uint32_t* leaf) {
    mass_.clear();
    for (std::size_t tree = 0; tree < forest_.trees(); ++tree) add(tree, leaf[tree]);
    const std::size_t places = rows_.value.size();
    if (mass_.size() < places / 8) {
      std::ranges::sort(mass_, {}, &Mass::place);
    } else {
      spread_.assign(places, 0.0);
      for (const Mass& one : mass_) spread_[one.place] += one.weight;
      mass_.clear();
      for (std::uint32_t place = 0; place < places; ++place) {
        if (spread_[place] > 0) mass_.push_back({place, spread_[place]});
      }
    }
    return mass_;
  }

 private:
  void add(std::size_t tree, std::uint32_t leaf) {
    const std::size_t node = forest_.begin[tree] + leaf;
    const std::uint64_t base = rows_.tree[tree];
    const std::uint64_t first = base + rows_.node[node];
    const std::uint64_t end = node + 1 < forest_.begin[tree + 1] ? base + rows_.node[node + 1] : rows_.tree[tree + 1];
    if (first >= end || end > rows_.tree[tree + 1]) throw InvalidInput("node", "a leaf has no members");
    const std::uint32_t* const member = rows_.member.data();
    double total = 0;
    for (std::uint64_t i = first; i < end; ++i) total += member[2 * i + 1];
    for (std::uint64_t i = first; i < end; ++i) {
      if (member[2 * i] >= rows_.value.size()) throw InvalidInput("member", "a place beyond the targets");
      mass_.push_back({member[2 * i], member[2 * i + 1] / total});
    }
  }

  const Forest& forest_;
  const LeafRows& rows_;
  std::vector<Mass> mass_;
  std::vector<double> spread_;
};

void check(const Forest& forest, const LeafRows& rows, std::span<const double> shares) {
  if (rows.tree.size() != forest.trees() + 1 || !std::ranges::is_sorted(rows.tree) || rows.member.size() % 2 != 0 ||
      rows.tree.back() != rows.member.size() / 2) {
    throw InvalidInput("tree", "expected the place of each tree's members");
  }
  if (rows.node.size() != forest.nodes()) throw InvalidInput("node", "expected the first member of each node");
  if (!std::ranges::is_sorted(shares)) throw InvalidInput("shares", "expected rising shares");
}

}  // namespace

std::vector<double> forest_quantiles(const Forest& forest, std::span<const ColumnView> columns, std::size_t rows,
                                     const LeafRows& leaf_rows, std::span<const double> shares, int threads) {
  check(forest, leaf_rows, shares);
  std::vector<double> found(rows * shares.size());
  const auto trees = static_cast<double>(forest.trees());
  const std::size_t some = std::max(kRows, kLeaves / forest.trees());
  for (std::size_t from = 0; from < rows; from += some) {
    const std::size_t count = std::min(some, rows - from);
    const std::vector<std::uint32_t> leaf = leaves_of_forest(forest, columns, from, count, 0, forest.trees(), threads);
    parallel_for((count + kRows - 1) / kRows, threads, [&](std::size_t task, int /*worker*/) {
      Weigher weigher(forest, leaf_rows);
      for (std::size_t row = task * kRows; row < std::min(count, (task + 1) * kRows); ++row) {
        const std::span<const Mass> mass = weigher.weigh(leaf.data() + row * forest.trees());
        std::size_t at = 0;
        double sum = mass[0].weight;
        for (std::size_t q = 0; q < shares.size(); ++q) {
          while (sum < (shares[q] - kShareRounding) * trees && at + 1 < mass.size()) sum += mass[++at].weight;
          found[(from + row) * shares.size() + q] = leaf_rows.value[mass[at].place];
        }
      }
    });
  }
  return found;
}

}  // namespace bough::forest
