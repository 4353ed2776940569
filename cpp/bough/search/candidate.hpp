// A candidate: the best test of one column in a node, before it becomes a split of the tree; and the ranking of the
// candidates of a node, which breaks ties between columns: the first stays. Every column of every node makes one, so it
// is small; what only sets of levels need stands apart.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bough/split/split.hpp"

namespace bough {

// Levels, ascending, and where they go: which of them take the first of two sides, or the branch of each.
struct LevelSet {
  std::vector<std::int32_t> code;
  std::vector<std::uint8_t> low;  // two sides
  std::vector<std::int32_t> branch;  // any number of branches; empty: two sides
  std::int32_t branches = 2;
};

// A property of a conjunction. A threshold that was not given is not written yet but lies between two rows.
struct FoundProperty {
  Property asked;
  std::uint32_t low_row = 0;
  std::uint32_t high_row = 0;
  double low_share = 0.5;
  bool given = false;
};

// A test that is neither a cut nor a set of levels: intervals of numbers or ordered levels, a conjunction, or the
// threshold of a weighted sum.
struct OpenTest {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edge_rows;  // rows with the values on both sides of each edge
  std::vector<double> edge_share;  // of the known weight below each edge, for thresholds weighted by it
  std::vector<std::int32_t> branch;  // of each interval, lowest first: one more than edges
  // Thresholds that lie where they do, not between two values. Rows around them are then needed only for the quick way
  // to the rank of a cut.
  std::vector<Threshold> fixed;
  std::vector<FoundProperty> terms;  // of a conjunction: then only they and `holds` matter
  std::uint8_t holds = 0;  // the branch of the rows for which a conjunction holds
  std::vector<LinearTerm> sum;  // whose values `fixed` and `branch` part; empty: those of the column
  bool whole = false;  // of a sum: one missing term makes it missing
  Layer layer;  // with units: the terms feed it, and are not summed up
  std::vector<double> machine;  // of several sums of the terms that compete; `branch` is then that of each

  [[nodiscard]] bool conjunction() const { return !terms.empty(); }
};

struct Candidate {
  double gain = 0.0;  // drop of impurity, discounted for missing values
  double worth = 0.0;  // gain over the cost of the column: what candidates compete by
  // A cut of numbers or ordered levels: rows that hold the values on both sides of it, and the share that goes low.
  double low_share = 0.0;
  std::uint32_t low_row = 0;
  std::uint32_t high_row = 0;
  std::uint32_t position = 0;  // columns with an order: how many entries of the node's range go low
  std::int32_t column = -1;  // -1: the column has no admissible test
  std::unique_ptr<LevelSet> levels;  // null: a cut, or an open test
  std::unique_ptr<OpenTest> open;  // null: a cut or levels
  std::int32_t missing = -1;  // the branch of rows whose value is missing, -1: the missing rule decides
  Found found = Found::exact;
  std::int8_t low_branch = -1;  // the branch of the low or first side in the order of responses; -1: not known yet
};

// The best tests of a node: by worth, at most `most` of them. Columns make their offers in order; a later one must be
// better by more than `tie`, so that the first column wins ties.
class Ranking {
 public:
  Ranking() = default;
  Ranking(std::size_t most, double tie) : most_(most), above_(1.0 + tie), above_loss_(1.0 - tie) {}

  // Whether a test of this worth would find a place: most do not, and need not be worked out.
  [[nodiscard]] bool admits(double worth) const { return !full() || beats(worth, best_.back()); }
  [[nodiscard]] bool full() const { return best_.size() == most_; }

  void offer(Candidate&& candidate) {
    if (!admits(candidate.worth)) return;
    std::size_t place = best_.size();
    while (place > 0 && beats(candidate.worth, best_[place - 1])) --place;
    if (full()) {
      best_.back() = std::move(candidate);
    } else {
      if (best_.empty()) best_.reserve(std::min<std::size_t>(most_, 8));
      best_.push_back(std::move(candidate));
    }
    std::rotate(best_.begin() + static_cast<std::ptrdiff_t>(place), best_.end() - 1, best_.end());
  }
  // The offers of later columns that were ranked apart.
  void merge(Ranking&& later) {
    for (Candidate& candidate : later.best_) offer(std::move(candidate));
    later.best_.clear();
  }

  [[nodiscard]] bool empty() const { return best_.empty(); }
  [[nodiscard]] const Candidate& front() const { return best_.front(); }
  [[nodiscard]] const std::vector<Candidate>& all() const { return best_; }
  // Hands over the tests in their order.
  [[nodiscard]] std::vector<Candidate> release() { return std::exchange(best_, {}); }
  // Takes tests that are in order already.
  void assign(std::vector<Candidate>&& ordered) { best_ = std::move(ordered); }
  void keep(std::size_t most) {
    if (best_.size() > most) best_.resize(most);
  }

 private:
  [[nodiscard]] bool beats(double worth, const Candidate& other) const {
    return worth > other.worth * (other.worth < 0.0 ? above_loss_ : above_);
  }

  std::vector<Candidate> best_;
  std::size_t most_ = 1;
  double above_ = 1.0;
  double above_loss_ = 1.0;
};

}  // namespace bough
