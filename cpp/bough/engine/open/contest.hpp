// The tests of one column against each other: tests come in batches, the criterion judges them, the best admissible one
// stays. Equal ones: the first.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/base/watch.hpp"
#include "bough/criterion/judge.hpp"
#include "bough/engine/open/cells.hpp"
#include "bough/engine/options.hpp"

namespace bough {

// What every test must respect.
struct TestLimits {
  double min_rows = 1.0;
  double min_weight = 0.0;
  bool two_branches = false;  // the minima hold in two branches, not in all
  bool zero_gain = false;  // tests that gain nothing, or lose, are tests too
  bool no_rounding = false;  // gains up to the floor are none, so that rounding does not choose among them
  double tie = 1e-12;
  double floor = 0.0;  // gains up to this are rounding
};

class Contest {
 public:
  // The statistics of the parent are those of the rows that the tests send.
  Contest(const Judge& judge, CellSum parent, Amounts amounts, const TestLimits& limits, bool by_gain, Watch& watch)
      : judge_(judge),
        parent_(std::move(parent)),
        amounts_(amounts),
        limits_(limits),
        by_gain_(by_gain),
        watch_(watch) {}

  // Tests to come have so many branches; `exempt` is one that minima do not concern, -1: none.
  void start(std::size_t branches, std::int32_t exempt = -1);
  // One test more; `sums` are its branches.
  void add(std::uint64_t tag, std::int32_t missing, std::initializer_list<const CellSum*> sums);
  void add(std::uint64_t tag, std::int32_t missing, const std::vector<CellSum>& sums);
  // One test more whose branches the caller fills in: returns its number.
  std::size_t add(std::uint64_t tag, std::int32_t missing);
  void fill(std::size_t test, std::size_t branch, const double* stat, double weight, double rows);
  // Judges what has come so far; called by itself when much has come.
  void settle();

  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] const Judgement& best() const { return best_; }
  [[nodiscard]] std::uint64_t tag() const { return tag_; }
  [[nodiscard]] std::int32_t missing() const { return missing_; }
  [[nodiscard]] std::size_t admissible() const { return admissible_; }
  [[nodiscard]] const CellSum& parent() const { return parent_; }
  // What tests are compared by.
  [[nodiscard]] double worth(const Judgement& judged) const { return by_gain_ ? judged.gain : judged.ratio; }

 private:
  [[nodiscard]] bool allowed(std::size_t test) const;
  void drop_inadmissible();

  const Judge& judge_;
  CellSum parent_;
  Amounts amounts_;
  TestLimits limits_;
  bool by_gain_;
  Watch& watch_;
  Batch batch_;
  std::int32_t exempt_ = -1;
  std::vector<Judgement> judged_;
  bool any_ = false;
  Judgement best_;
  std::uint64_t tag_ = 0;
  std::int32_t missing_ = -1;
  std::size_t admissible_ = 0;
};

}  // namespace bough
