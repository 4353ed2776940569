// A criterion as the open growth sees it: it judges many tests at once by the statistics of their branches, whatever
// the number of branches, and never sees a row. Criteria that a user writes in Python come in by the same door.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bough/engine/options.hpp"
#include "bough/search/gain.hpp"

namespace bough {

// What the statistics of a branch are.
// classes: weights of the classes times the scales of growth; moments: weight, sum and sum of squares of the centred
// values; worst: weight, sum, least and largest value; absolute: weight and the sum of |y - median|.
enum class StatKind : std::uint8_t { classes, moments, worst, absolute };

// Tests with the same number of branches. Weights and rows of the branches are there for minima.
struct Batch {
  std::size_t branches = 0;
  std::size_t width = 0;
  std::vector<double> stat;     // tests x branches x width
  std::vector<double> weight;   // tests x branches: sums of sample weights
  std::vector<double> rows;
  std::vector<std::uint64_t> tag;      // which test it is, as the search that made it counts
  std::vector<std::int32_t> missing;   // the branch that got the rows without a value, -1: they are left out

  [[nodiscard]] std::size_t size() const { return tag.size(); }
  [[nodiscard]] const double* at(std::size_t test, std::size_t branch) const {
    return stat.data() + (test * branches + branch) * width;
  }
  void start(std::size_t new_branches, std::size_t new_width) {
    branches = new_branches;
    width = new_width;
    stat.clear();
    weight.clear();
    rows.clear();
    tag.clear();
    missing.clear();
  }
  // Room for one more test, all zero; returns its number.
  std::size_t add(std::uint64_t new_tag, std::int32_t missing_to) {
    stat.resize(stat.size() + branches * width, 0.0);
    weight.resize(weight.size() + branches, 0.0);
    rows.resize(rows.size() + branches, 0.0);
    tag.push_back(new_tag);
    missing.push_back(missing_to);
    return tag.size() - 1;
  }
};

// What gains refer to: the amount of the rows that the tests send, and that of the node.
struct Amounts {
  double known = 0.0;
  double all = 0.0;
};

class Judge {
 public:
  Judge() = default;
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;
  virtual ~Judge() = default;

  // Fills judged[i] for each test; `parent` has the statistics of the rows that the tests send. Gains count for the
  // share of the node that they concern, if the options say so.
  virtual void score(const double* parent, const Batch& batch, const Amounts& amounts,
                     std::vector<Judgement>& judged) const = 0;
  // Impurity of a node, or a negative number if the criterion leaves it to the usual ones.
  [[nodiscard]] virtual double impurity(const double* stat, std::size_t width) const {
    static_cast<void>(stat);
    static_cast<void>(width);
    return -1.0;
  }
  // Whether it may be asked from several threads at once.
  [[nodiscard]] virtual bool parallel() const { return true; }
};

// Statistics that a criterion needs.
[[nodiscard]] StatKind stat_kind(const Target& target, Criterion criterion);
[[nodiscard]] std::size_t stat_width(const Target& target, StatKind kind);

// The built-in criteria. `rule` must outlive the judge.
[[nodiscard]] std::unique_ptr<Judge> make_judge(const Target& target, const GrowOptions& options, const GainRule& rule);

}  // namespace bough
