#include "bough/forest/apply.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/forest/walk.hpp"

namespace bough::forest {
namespace {

constexpr std::size_t kBlockRows = 4096;

// What an answer votes for: its most likely class, or all that are equally likely in equal parts.
std::vector<double> votes_of(const Forest& forest) {
  const std::size_t k = forest.width();
  std::vector<double> vote(forest.answer.size(), 0.0);
  for (std::size_t at = 0; at < vote.size(); at += k) {
    const double* from = forest.answer.data() + at;
    const double most = *std::max_element(from, from + k);
    const double part = 1.0 / static_cast<double>(std::count(from, from + k, most));
    for (std::size_t i = 0; i < k; ++i) {
      if (from[i] == most) vote[at + i] = part;
    }
  }
  return vote;
}

// Adds what an answer says to the sums of a row.
class Adder {
 public:
  Adder(const Forest& forest, Combine combine) : width_(forest.width()), said_(forest.answer.data()) {
    if (combine != Combine::vote || forest.classes == 0) return;
    vote_ = votes_of(forest);
    said_ = vote_.data();
  }
  void operator()(double* sum, std::uint32_t answer) const {
    const double* from = said_ + std::size_t{answer} * width_;
    for (std::uint32_t k = 0; k < width_; ++k) sum[k] += from[k];
  }
  [[nodiscard]] std::uint32_t width() const { return width_; }

 private:
  std::uint32_t width_;
  std::vector<double> vote_;
  const double* said_;  // by answer and class
};

// Calls use(first row, rows, keys) for every block of the rows from `from` on.
template <class Use>
void for_each_block(const Forest& forest, std::span<const ColumnView> columns, std::size_t from, std::size_t rows,
                    int threads, const Use& use) {
  const std::size_t blocks = (rows + kBlockRows - 1) / kBlockRows;
  parallel_for(blocks, threads, [&](std::size_t block, int /*worker*/) {
    KeyBlock keys(forest, columns, kBlockRows);
    const std::size_t count = std::min(kBlockRows, rows - block * kBlockRows);
    keys.fill(from + block * kBlockRows, count);
    use(from + block * kBlockRows, count, keys);
  });
}

std::vector<std::uint32_t> numbers_to(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  for (std::uint32_t i = 0; i < count; ++i) all[i] = i;
  return all;
}

}  // namespace

void check_columns(const Forest& forest, std::span<const ColumnView> columns) {
  if (columns.size() != forest.column.size()) {
    throw InvalidInput(
        "columns", "expected " + std::to_string(forest.column.size()) + ", found " + std::to_string(columns.size()));
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const bool nominal = columns[c].kind == ColumnKind::nominal;
    if (nominal != (forest.column[c].levels > 0) || (nominal && columns[c].type != ColumnView::Type::i32)) {
      throw InvalidInput("columns",
                         "column " + std::to_string(c) + " is of another kind than when the forest was grown");
    }
  }
}

std::vector<double> predict_forest(const Forest& forest, std::span<const ColumnView> columns, std::size_t rows,
                                   std::size_t first, std::size_t last, Combine combine, int threads) {
  check_columns(forest, columns);
  const Adder add(forest, combine);
  std::vector<double> sum(rows * add.width(), 0.0);
  const double trees = static_cast<double>(last - first);
  for_each_block(forest, columns, 0, rows, threads, [&](std::size_t begin, std::size_t count, const KeyBlock& keys) {
    const std::vector<std::uint32_t> all = numbers_to(count);
    double* into = sum.data() + begin * add.width();
    for (std::size_t tree = first; tree < last; ++tree) {
      walk_tree(forest, tree, keys, all, [&](std::uint32_t row, std::uint32_t /*at*/, std::uint32_t answer) {
        add(into + std::size_t{row} * add.width(), answer);
      });
    }
    for (std::size_t i = 0; i < count * add.width(); ++i) into[i] /= trees;
  });
  return sum;
}

std::vector<std::uint32_t> leaves_of_forest(const Forest& forest, std::span<const ColumnView> columns, std::size_t from,
                                            std::size_t rows, std::size_t first, std::size_t last, int threads) {
  check_columns(forest, columns);
  const std::size_t trees = last - first;
  std::vector<std::uint32_t> leaf(rows * trees);
  for_each_block(forest, columns, from, rows, threads, [&](std::size_t begin, std::size_t count, const KeyBlock& keys) {
    const std::vector<std::uint32_t> all = numbers_to(count);
    for (std::size_t tree = first; tree < last; ++tree) {
      walk_tree(forest, tree, keys, all, [&](std::uint32_t row, std::uint32_t at, std::uint32_t /*answer*/) {
        leaf[(begin - from + row) * trees + tree - first] = at;
      });
    }
  });
  return leaf;
}

namespace {

// What the mean of sums over trees costs: the decision of least expected cost, or the squared error.
class Loss {
 public:
  Loss(const Truth& truth, std::uint32_t classes) : truth_(truth), classes_(classes) {}

  [[nodiscard]] double weight(std::size_t row) const { return truth_.weight.empty() ? 1.0 : truth_.weight[row]; }
  [[nodiscard]] double of(std::size_t row, const double* sum, std::uint32_t trees) const {
    if (classes_ == 0) {
      const double off = sum[0] / trees - truth_.value[row];
      return off * off;
    }
    std::uint32_t best = 0;
    double least = expected(sum, 0);
    for (std::uint32_t k = 1; k < classes_; ++k) {
      const double cost = expected(sum, k);
      if (cost < least - 1e-12 * trees) {
        least = cost;
        best = k;
      }
    }
    const std::uint32_t label = truth_.label[row];
    return truth_.cost.empty() ? (best == label ? 0.0 : 1.0) : truth_.cost[std::size_t{label} * classes_ + best];
  }

 private:
  [[nodiscard]] double expected(const double* sum, std::uint32_t decided) const {
    if (truth_.cost.empty()) return -sum[decided];
    double cost = 0;
    for (std::uint32_t k = 0; k < classes_; ++k) cost += sum[k] * truth_.cost[std::size_t{k} * classes_ + decided];
    return cost;
  }
  const Truth& truth_;
  std::uint32_t classes_;
};

void check_truth(const Truth& truth, const Forest& forest, std::size_t rows) {
  const std::size_t k = forest.classes;
  const bool fits = (k == 0 ? truth.value.size() : truth.label.size()) == rows &&
                    (truth.weight.empty() || truth.weight.size() == rows) &&
                    (truth.cost.empty() || truth.cost.size() == k * k) &&
                    std::ranges::all_of(truth.label, [k](std::uint32_t label) { return label < k; });
  if (!fits) throw InvalidInput("truth", "expected a class or a number for each row");
}

}  // namespace

OutOfBag predict_out_of_bag(const Forest& forest, std::span<const ColumnView> columns, std::size_t rows,
                            const Bags& bags, const Truth& truth, Combine combine, int threads) {
  check_columns(forest, columns);
  check_truth(truth, forest, rows);
  const Adder add(forest, combine);
  const Loss loss(truth, forest.classes);
  OutOfBag out;
  out.sum.assign(rows * add.width(), 0.0);
  out.trees.assign(rows, 0);
  out.loss.resize(forest.trees());
  // Bags are drawn by tree, rows taken by block: some trees at a time, so that their bags fit into memory.
  constexpr std::size_t kTrees = 32;
  const std::size_t blocks = (rows + kBlockRows - 1) / kBlockRows;
  for (std::size_t from = 0; from < forest.trees(); from += kTrees) {
    const std::size_t to = std::min(forest.trees(), from + kTrees);
    std::vector<std::vector<std::uint32_t>> bag(to - from);
    parallel_for(bag.size(), threads, [&](std::size_t i, int /*worker*/) { bag[i] = bag_of(bags, from + i, rows); });
    std::vector<double> lost(blocks * kTrees * 2, 0.0);  // loss and weight, by block and tree
    for_each_block(forest, columns, 0, rows, threads, [&](std::size_t begin, std::size_t count, const KeyBlock& keys) {
      std::vector<std::uint32_t> outside;
      for (std::size_t tree = from; tree < to; ++tree) {
        outside.clear();
        for (std::uint32_t i = 0; i < count; ++i) {
          if (bag[tree - from][begin + i] == 0) outside.push_back(i);
        }
        walk_tree(forest, tree, keys, outside, [&](std::uint32_t row, std::uint32_t /*at*/, std::uint32_t answer) {
          add(out.sum.data() + (begin + row) * add.width(), answer);
          ++out.trees[begin + row];
        });
        double* into = lost.data() + (begin / kBlockRows * kTrees + tree - from) * 2;
        for (std::size_t row = begin; row < begin + count; ++row) {
          const double weight = loss.weight(row);
          if (out.trees[row] == 0 || weight == 0) continue;
          into[0] += weight * loss.of(row, out.sum.data() + row * add.width(), out.trees[row]);
          into[1] += weight;
        }
      }
    });
    for (std::size_t tree = from; tree < to; ++tree) {
      double sum = 0;
      double weight = 0;
      for (std::size_t block = 0; block < blocks; ++block) {
        sum += lost[(block * kTrees + tree - from) * 2];
        weight += lost[(block * kTrees + tree - from) * 2 + 1];
      }
      out.loss[tree] = sum / weight;
    }
  }
  return out;
}

}  // namespace bough::forest
