#include "bough/forest/permuted.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/base/random.hpp"
#include "bough/forest/apply.hpp"
#include "bough/forest/seeds.hpp"
#include "bough/forest/walk.hpp"

namespace bough::forest {
namespace {

constexpr std::size_t kTrees = 32;  // whose sums are held at once
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Change {
  std::uint32_t row;
  std::uint32_t column;
  double rise;
};

// What one tree says.
struct OfTree {
  std::vector<double> rise;    // by class, all rows before them, and column
  std::vector<double> weight;  // by class, of the rows out of bag
  std::vector<std::uint32_t> outside;
  std::vector<Change> change;  // of single rows, if these are told apart
};

class Judge {
 public:
  Judge(const LeafLoss& loss, std::uint32_t classes) : loss_(loss), classes_(classes) {}

  [[nodiscard]] double weight(std::size_t row) const { return loss_.weight.empty() ? 1.0 : loss_.weight[row]; }
  [[nodiscard]] double of(std::size_t row, double number, std::uint32_t answer) const {
    if (classes_ > 0) return loss_.cost[std::size_t{answer} * classes_ + loss_.label[row]];
    const double off = std::abs(number - loss_.value[row]);
    return loss_.squared ? off * off : off;
  }
  [[nodiscard]] std::size_t groups() const { return std::size_t{1} + classes_; }
  [[nodiscard]] std::size_t group(std::size_t row) const { return 1 + std::size_t{loss_.label[row]}; }

 private:
  const LeafLoss& loss_;
  std::uint32_t classes_;
};

void check(const Forest& forest, std::size_t rows, const Bags& bags, const LeafLoss& loss, const Shuffling& how) {
  const std::size_t k = forest.classes;
  const bool fits = (k == 0 ? loss.value.size() : loss.label.size()) == rows &&
                    (loss.weight.empty() || loss.weight.size() == rows) &&
                    (k == 0 || loss.cost.size() == forest.weight.size() * k) &&
                    std::ranges::all_of(loss.label, [k](std::uint32_t label) { return label < k; });
  if (!fits) throw InvalidInput("loss", "expected a class or a number for each row, and what each answer costs");
  if (!bags.given.empty() && bags.given.size() != rows * forest.trees()) {
    throw InvalidInput("given", "expected a count for each tree and row");
  }
  if (how.repeats == 0) throw InvalidInput("repeats", "expected at least 1");
}

// The rows out of the bag of one tree after the other, sent down as they are and with one value of another row.
template <bool special, class Node>
class Permuter {
 public:
  Permuter(const Forest& forest, const Node* nodes, const KeyBlock& keys, const Judge& judge, const Shuffling& how)
      : forest_(forest),
        nodes_(nodes),
        keys_(keys),
        judge_(judge),
        how_(how),
        columns_(forest.column.size()),
        row_(keys.stride(), 0),
        seen_(columns_, 0) {}

  OfTree tell(std::size_t tree, std::span<const std::uint32_t> bag) {
    OfTree told;
    told.rise.assign(judge_.groups() * columns_, 0.0);
    told.weight.assign(judge_.groups(), 0.0);
    for (std::uint32_t row = 0; row < bag.size(); ++row) {
      if (bag[row] == 0 && judge_.weight(row) > 0) told.outside.push_back(row);
    }
    std::vector<std::vector<std::uint32_t>> other(how_.repeats, told.outside);
    for (std::uint32_t repeat = 0; repeat < how_.repeats; ++repeat) {
      Random(mix(mix(how_.seed, tree), repeat)).shuffle(other[repeat]);
    }
    root_ = nodes_ + forest_.begin[tree];
    for (std::size_t i = 0; i < told.outside.size(); ++i) tell_row(told, i, other);
    return told;
  }

 private:
  [[nodiscard]] const std::uint32_t* keys_of(std::size_t row) const { return keys_.keys() + row * keys_.stride(); }
  [[nodiscard]] bool is_leaf(std::uint32_t at) const { return root_[at].child() == at; }
  [[nodiscard]] std::uint32_t next(std::uint32_t at) const {
    return step<special>(forest_, forest_.set.data(), root_[at], row_.data());
  }
  [[nodiscard]] double loss(std::size_t row, std::uint32_t leaf) const {
    const std::uint32_t answer = root_[leaf].cut;
    return judge_.of(row, forest_.classes == 0 ? forest_.answer[answer] : 0.0, answer);
  }

  void tell_row(OfTree& told, std::size_t i, const std::vector<std::vector<std::uint32_t>>& other) {
    const std::uint32_t row = told.outside[i];
    std::copy_n(keys_of(row), row_.size(), row_.begin());
    asked_.clear();
    std::uint32_t at = 0;
    for (; !is_leaf(at); at = next(at)) {
      const std::uint32_t column = root_[at].column();
      if (std::exchange(seen_[column], static_cast<std::uint32_t>(i) + 1) != i + 1) asked_.emplace_back(column, at);
    }
    const double base = loss(row, at);
    const double weight = judge_.weight(row);
    told.weight[0] += weight;
    if (judge_.groups() > 1) told.weight[judge_.group(row)] += weight;
    for (const auto& [column, from] : asked_) {
      double rise = 0;
      for (const std::vector<std::uint32_t>& shuffled : other) rise += with_key(row, column, from, shuffled[i]) - base;
      if (rise == 0) continue;
      rise /= how_.repeats;
      told.rise[column] += weight * rise;
      if (judge_.groups() > 1) told.rise[judge_.group(row) * columns_ + column] += weight * rise;
      if (how_.by_case) told.change.push_back({row, column, rise});
    }
  }

  // What the row costs with the value of another row in a column, which is first asked at the node `at`.
  double with_key(std::uint32_t row, std::uint32_t column, std::uint32_t at, std::uint32_t other) {
    const std::uint32_t own = std::exchange(row_[column], keys_of(other)[column]);
    while (!is_leaf(at)) at = next(at);
    row_[column] = own;
    return loss(row, at);
  }

  const Forest& forest_;
  const Node* nodes_;
  const KeyBlock& keys_;
  const Judge& judge_;
  const Shuffling& how_;
  std::size_t columns_;
  std::vector<std::uint32_t> row_;
  std::vector<std::uint32_t> seen_;  // by column: the last row that asked it, counted from 1
  std::vector<std::pair<std::uint32_t, std::uint32_t>> asked_;  // columns, and where they are first asked
  const Node* root_ = nullptr;
};

OfTree tell_tree(const Forest& forest, const KeyBlock& keys, const Judge& judge, const Shuffling& how, std::size_t tree,
                 std::span<const std::uint32_t> bag) {
  const auto go = [&](const auto* nodes) {
    using Node = std::remove_cvref_t<decltype(*nodes)>;
    if (keys.special()) return Permuter<true, Node>(forest, nodes, keys, judge, how).tell(tree, bag);
    return Permuter<false, Node>(forest, nodes, keys, judge, how).tell(tree, bag);
  };
  return forest.wide() ? go(forest.wide_node.data()) : go(forest.short_node.data());
}

// Means over trees, added one at a time (Welford 1962).
class Means {
 public:
  Means(std::size_t groups, std::size_t columns)
      : columns_(columns), trees_(groups, 0), mean_(groups * columns, 0.0), squares_(groups * columns, 0.0) {}

  void add(const OfTree& told) {
    for (std::size_t group = 0; group < trees_.size(); ++group) {
      if (told.weight[group] == 0) continue;
      const double trees = static_cast<double>(++trees_[group]);
      for (std::size_t at = group * columns_; at < (group + 1) * columns_; ++at) {
        const double off = told.rise[at] / told.weight[group] - mean_[at];
        mean_[at] += off / trees;
        squares_[at] += off * off * (trees - 1) / trees;
      }
    }
  }
  void give(PermutedLoss& found) {
    found.error.resize(mean_.size());
    for (std::size_t at = 0; at < mean_.size(); ++at) {
      const auto trees = static_cast<double>(trees_[at / columns_]);
      found.error[at] = trees > 1 ? std::sqrt(squares_[at] / (trees - 1) / trees) : kUnknown;
      if (trees == 0) mean_[at] = kUnknown;
    }
    found.mean = std::move(mean_);
  }

 private:
  std::size_t columns_;
  std::vector<std::size_t> trees_;
  std::vector<double> mean_;
  std::vector<double> squares_;
};

}  // namespace

PermutedLoss permuted_loss(const Forest& forest, std::span<const ColumnView> columns, std::size_t rows,
                           const Bags& bags, const LeafLoss& loss, const Shuffling& shuffling, int threads) {
  check_columns(forest, columns);
  check(forest, rows, bags, loss, shuffling);
  const Judge judge(loss, forest.classes);
  KeyBlock keys(forest, columns, rows);
  keys.fill(0, rows);
  Means means(judge.groups(), columns.size());
  PermutedLoss found;
  std::vector<std::uint32_t> times(rows, 0);
  if (shuffling.by_case) found.by_case.assign(rows * columns.size(), 0.0);
  for (std::size_t from = 0; from < forest.trees(); from += kTrees) {
    std::vector<OfTree> told(std::min(kTrees, forest.trees() - from));
    parallel_for(told.size(), threads, [&](std::size_t i, int /*worker*/) {
      told[i] = tell_tree(forest, keys, judge, shuffling, from + i, bag_of(bags, from + i, rows));
    });
    for (const OfTree& one : told) {
      means.add(one);
      for (const std::uint32_t row : one.outside) ++times[row];
      for (const Change& change : one.change) {
        found.by_case[change.row * columns.size() + change.column] += change.rise;
      }
    }
  }
  for (std::size_t at = 0; at < found.by_case.size(); ++at) {
    const std::uint32_t trees = times[at / columns.size()];
    found.by_case[at] = trees > 0 ? found.by_case[at] / trees : kUnknown;
  }
  means.give(found);
  return found;
}

}  // namespace bough::forest
