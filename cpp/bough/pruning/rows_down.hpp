// Training rows sent through the tests of a tree once more: known values by the test; a missing one by the branch that
// the split has for it, else as the routing of the tree says: by the surrogates, with the majority, no further, or down
// every branch, in parts by the known weights that the branches get from the rows at hand (equal parts if there are
// none). A level that the node never met counts as missing, or goes with the majority where the routing says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bough/base/prefetch.hpp"
#include "bough/engine/options.hpp"
#include "bough/table/ranked.hpp"
#include "bough/tree/tree.hpp"

namespace bough {

// The primary splits of a tree in terms of the ranks of a table.
class RankTests {
 public:
  // Throws InvalidInput if a split does not fit the table's columns.
  RankTests(const Tree& tree, const RankedTable& table);

  static constexpr std::int32_t unknown = -1;
  // What `branch` will read of a row.
  void fetch(std::int32_t node, std::uint32_t row) const { prefetch(tests_[node].rank + row); }
  // The branch of a row at an inner node, or `unknown` if it takes none or all of them.
  [[nodiscard]] std::int32_t branch(std::int32_t node, std::uint32_t row) const {
    const std::int32_t found = quick(node, row);
    return found >= 0 ? found : look_up(node, row);
  }
  // The same by the test alone: by its value, or by the branch that the split has for missing ones.
  [[nodiscard]] std::int32_t by_test(std::int32_t node, std::uint32_t row) const {
    const std::int32_t found = quick(node, row);
    return found >= 0 ? found : ask(node, row);
  }

 private:
  enum class Kind : std::uint8_t { cut, table, other };
  // What known values of most tests are decided by, without a look at the pool.
  struct Test {
    const std::uint32_t* rank = nullptr;
    std::uint32_t missing = 0;
    Kind kind = Kind::other;
    std::uint8_t low = 0;  // cut: the branch of low ranks
    std::uint64_t cut = 0;  // cut: the number of ranks that go low; table: where its entries begin
    std::uint32_t length = 0;  // table: how many codes it knows
  };

  [[nodiscard]] Test compile(std::int64_t split);
  // Negative if the value is not known, or the test asks for more than a value.
  [[nodiscard]] std::int32_t quick(std::int32_t node, std::uint32_t row) const {
    const Test& test = tests_[node];
    const std::uint32_t rank = test.rank[row];
    if (test.kind == Kind::cut && rank != test.missing) return rank < test.cut ? test.low : 1 - test.low;
    return test.kind == Kind::table && rank < test.length ? branch_of_code_[test.cut + rank] : unknown;
  }
  [[nodiscard]] std::int32_t ask(std::int32_t node, std::uint32_t row) const;
  // The rules in full: the branch of any test, and what becomes of rows that it does not decide.
  [[nodiscard]] std::int32_t look_up(std::int32_t node, std::uint32_t row) const;

  const Tree& tree_;
  const RankedTable& table_;
  SplitPool pool_;  // the splits in ranks
  std::vector<Test> tests_;  // one a node
  std::vector<std::int32_t> branch_of_code_;
};

// The rows at a node: whole ones, and parts of those that were divided above.
struct Crowd {
  std::size_t whole_begin = 0;
  std::size_t whole_end = 0;
  std::size_t part_begin = 0;
  std::size_t part_end = 0;

  [[nodiscard]] std::size_t size() const { return whole_end - whole_begin + part_end - part_begin; }
};

// Whole rows are permuted in place, so that those of a child lie inside those of its parent; parts lie on a stack. So
// crowds are made and released in turn: deal, then child and release for one branch after the other, then undo.
class RowsDown {
 public:
  // `least_share`: a branch with no larger share gets no parts.
  RowsDown(const Tree& tree, const RankedTable& table, const Target& target, double least_share);

  [[nodiscard]] const RankTests& tests() const { return tests_; }
  [[nodiscard]] Crowd all() const { return {0, whole_.size(), 0, 0}; }

  // Sorts a crowd by the branches of the test of `node`. A crowd stays the same rows, though in another order.
  void deal(std::int32_t node, const Crowd& crowd);
  // The rows of a branch in the deal made last that is not undone.
  [[nodiscard]] Crowd child(std::int32_t branch);
  // The whole ones among them; nothing to release.
  [[nodiscard]] Crowd whole_child(std::int32_t branch) const;
  void release(const Crowd& child) { parts_.resize(child.part_begin); }
  void undo();

  // Calls use(row, weight) for the rows of a crowd.
  template <class Use>
  void each(const Crowd& crowd, const Use& use) const {
    for (std::size_t i = crowd.whole_begin; i < crowd.whole_end; ++i) use(whole_[i], weight_of(whole_[i]));
    for (std::size_t i = crowd.part_begin; i < crowd.part_end; ++i) use(parts_[i].row, parts_[i].weight);
  }

 private:
  struct Part {
    std::uint32_t row;
    double weight;
  };
  struct Branch {
    std::size_t whole_end = 0;
    std::size_t part_end = 0;
    double share = 0.0;
  };
  struct Deal {
    Crowd crowd;
    std::size_t first;  // of the branches on the stack
  };

  [[nodiscard]] double weight_of(std::uint32_t row) const { return weight_.empty() ? 1.0 : weight_[row]; }
  [[nodiscard]] double weight_of(const Part& part) const { return part.weight; }
  static std::uint32_t row_of(std::uint32_t row) { return row; }
  static std::uint32_t row_of(const Part& part) { return part.row; }

  // Sorts items by their branches, those of unknown branch last; adds the known weights to `share` and writes where
  // each branch ends, counted from `offset`.
  template <class Item>
  void group(std::int32_t node, std::span<Item> items, std::vector<Item>& scratch, std::size_t Branch::* end,
             std::size_t offset, std::span<Branch> branches);

  const Tree& tree_;
  RankTests tests_;
  const std::vector<double>& weight_;
  double least_share_;
  std::vector<std::uint32_t> whole_;
  std::vector<Part> parts_;
  std::vector<Deal> deals_;
  std::vector<Branch> branches_;
  std::vector<std::int32_t> branch_of_;  // scratch: of each row of a crowd
  std::vector<std::size_t> place_;  // scratch: where the next row of a branch goes
  std::vector<std::uint32_t> whole_scratch_;
  std::vector<Part> part_scratch_;
};

}  // namespace bough
