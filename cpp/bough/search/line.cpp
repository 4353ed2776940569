// The exact line search of project.hpp.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "bough/criterion/side.hpp"
#include "bough/engine/open/contest.hpp"
#include "bough/search/project.hpp"

namespace bough {

// By row: class or value, what it counts in statistics and in minima.
struct Line::Rows {
  const ObliqueNode& node;
  std::vector<std::uint32_t> label;
  std::vector<double> value;
  std::vector<double> counts;
  std::vector<double> weight;
  double least_weight;
  double least_rows;

  [[nodiscard]] std::size_t size() const { return counts.size(); }
  [[nodiscard]] double all() const { return std::accumulate(counts.begin(), counts.end(), 0.0); }
};

namespace {

// The two sides of a partition; index 0 is the low one. Each kind keeps sums so that moving a row costs little, and its
// `gain` is comparable for the rows of one Line.

class GiniSides {
 public:
  explicit GiniSides(const Line::Rows& rows)
      : rows_(rows), classes_(rows.node.target.classes), count_(2 * classes_, 0.0), whole_(classes_, 0.0) {
    for (std::size_t i = 0; i < rows.size(); ++i) whole_[rows.label[i]] += rows.counts[i];
    all_ = std::accumulate(whole_.begin(), whole_.end(), 0.0);
    for (const double one : whole_) base_ += one * one / all_;
  }
  void put(std::size_t i, std::size_t side, double sign) {
    const double w = sign * rows_.counts[i];
    double& count = count_[side * classes_ + rows_.label[i]];
    squares_[side] += w * (w + 2.0 * count);
    count += w;
    total_[side] += w;
  }
  [[nodiscard]] double gain() const { return (squares_[0] / total_[0] + squares_[1] / total_[1] - base_) / all_; }

 private:
  const Line::Rows& rows_;
  std::size_t classes_;
  std::vector<double> count_;
  std::vector<double> whole_;
  double squares_[2] = {0.0, 0.0};
  double total_[2] = {0.0, 0.0};
  double all_ = 0.0;
  double base_ = 0.0;
};

class EntropySides {
 public:
  explicit EntropySides(const Line::Rows& rows)
      : rows_(rows), classes_(rows.node.target.classes), count_(2 * classes_, 0.0) {
    std::vector<double> whole(classes_, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) whole[rows.label[i]] += rows.counts[i];
    all_ = std::accumulate(whole.begin(), whole.end(), 0.0);
    for (const double one : whole) base_ += term(one);
    base_ -= term(all_);
  }
  void put(std::size_t i, std::size_t side, double sign) {
    const double w = sign * rows_.counts[i];
    double& count = count_[side * classes_ + rows_.label[i]];
    terms_[side] -= term(count);
    count = std::max(0.0, count + w);
    terms_[side] += term(count);
    total_[side] += w;
  }
  [[nodiscard]] double gain() const {
    return ((terms_[0] - term(total_[0])) + (terms_[1] - term(total_[1])) - base_) / all_;
  }

 private:
  static double term(double n) { return n > 0.0 ? n * std::log2(n) : 0.0; }
  const Line::Rows& rows_;
  std::size_t classes_;
  std::vector<double> count_;
  double terms_[2] = {0.0, 0.0};
  double total_[2] = {0.0, 0.0};
  double all_ = 0.0;
  double base_ = 0.0;
};

class MomentSides {
 public:
  explicit MomentSides(const Line::Rows& rows) : rows_(rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      all_ += rows.counts[i];
      whole_ += rows.counts[i] * rows.value[i];
    }
  }
  void put(std::size_t i, std::size_t side, double sign) {
    const double w = sign * rows_.counts[i];
    total_[side] += w;
    sum_[side] += w * rows_.value[i];
  }
  [[nodiscard]] double gain() const {
    return (sum_[0] * sum_[0] / total_[0] + sum_[1] * sum_[1] / total_[1] - whole_ * whole_ / all_) / all_;
  }

 private:
  const Line::Rows& rows_;
  double total_[2] = {0.0, 0.0};
  double sum_[2] = {0.0, 0.0};
  double all_ = 0.0;
  double whole_ = 0.0;
};

// Any other criterion of class counts, by its own judge.
class JudgedSides {
 public:
  explicit JudgedSides(const Line::Rows& rows)
      : rows_(rows), classes_(rows.node.target.classes), whole_(classes_, 0.0), all_(rows.all()) {
    batch_.start(2, classes_);
    batch_.add(0, -1);
    for (std::size_t i = 0; i < rows.size(); ++i) whole_[rows.label[i]] += rows.counts[i];
  }
  void put(std::size_t i, std::size_t side, double sign) {
    double& count = batch_.stat[side * classes_ + rows_.label[i]];
    count = std::max(0.0, count + sign * rows_.counts[i]);
  }
  [[nodiscard]] double gain() {
    rows_.node.judge.score(whole_.data(), batch_, {all_, all_}, judged_);
    return judged_.front().ratio;
  }

 private:
  const Line::Rows& rows_;
  std::size_t classes_;
  std::vector<double> whole_;
  double all_;
  Batch batch_;
  std::vector<Judgement> judged_;
};

struct Crossing {
  double at;
  std::uint32_t row;
};

template <class Sides>
std::optional<LineMove> search(const Line::Rows& rows, std::span<const double> v, std::span<const double> r,
                               double beat) {
  Sides sides(rows);
  double weight[2] = {0.0, 0.0};
  double held[2] = {0.0, 0.0};
  const auto put = [&](std::size_t i, std::size_t side, double sign) {
    sides.put(i, side, sign);
    weight[side] += sign * rows.weight[i];
    held[side] += sign;
  };
  std::vector<Crossing> crossing;
  crossing.reserve(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double at = -v[i] / r[i];
    if (r[i] == 0.0 || !std::isfinite(at)) {
      put(i, v[i] <= 0.0 ? 0 : 1, 1.0);
      continue;
    }
    put(i, r[i] > 0.0 ? 0 : 1, 1.0);
    crossing.push_back({at, static_cast<std::uint32_t>(i)});
  }
  std::sort(crossing.begin(), crossing.end(),
            [](const Crossing& a, const Crossing& b) { return a.at != b.at ? a.at < b.at : a.row < b.row; });
  const double rounding = rounding_of_side(static_cast<double>(v.size()), weight[0] + weight[1]);
  std::optional<LineMove> best;
  const auto judge = [&](std::size_t next) {
    for (std::size_t side = 0; side < 2; ++side) {
      if (held[side] < rows.least_rows || weight[side] < rows.least_weight - rounding || !(weight[side] > rounding))
        return;
    }
    const double gain = sides.gain();
    if (!(gain > (best ? best->gain : beat))) return;
    const double before = next > 0 ? crossing[next - 1].at : 0.0;
    const double after = next < crossing.size() ? crossing[next].at : 0.0;
    double step = std::midpoint(before, after);
    if (next == 0) step = after - std::max(1.0, std::abs(after));
    if (next == crossing.size()) step = before + std::max(1.0, std::abs(before));
    best = {step, gain};
  };
  if (crossing.empty()) return best;
  judge(0);
  for (std::size_t i = 0; i < crossing.size(); ++i) {
    const std::size_t row = crossing[i].row;
    const std::size_t from = r[row] > 0.0 ? 0 : 1;
    put(row, from, -1.0);
    put(row, 1 - from, 1.0);
    if (i + 1 == crossing.size() || crossing[i + 1].at > crossing[i].at) judge(i + 1);
  }
  return best;
}

}  // namespace

Line::Line(const ObliqueNode& node, std::span<const std::uint32_t> rows)
    : rows_(new Rows{node,
                     {},
                     {},
                     {},
                     {},
                     node.options.min_leaf_weight,
                     static_cast<double>(std::max<std::int64_t>(1, node.options.min_leaf_rows))}) {
  for (const std::uint32_t i : rows) {
    if (node.target.classes > 0) {
      rows_->label.push_back(node.label(i));
    } else {
      rows_->value.push_back(node.node.value[i]);
    }
    rows_->counts.push_back(node.effective(i));
    rows_->weight.push_back(node.terms.weights()[i]);
  }
  // Of a sample of the rows a side may hold as much less.
  const double share = static_cast<double>(rows.size()) / static_cast<double>(node.terms.rows());
  rows_->least_weight *= std::min(1.0, share);
  rows_->least_rows = std::max(1.0, std::floor(rows_->least_rows * std::min(1.0, share)));
}

Line::~Line() = default;

std::optional<LineMove> Line::best(std::span<const double> v, std::span<const double> r, double beat) const {
  switch (rows_->node.options.criterion) {
    case Criterion::gini:
    case Criterion::gini_half:
      return search<GiniSides>(*rows_, v, r, beat);
    case Criterion::entropy:
      return search<EntropySides>(*rows_, v, r, beat);
    case Criterion::squared_error:
      return search<MomentSides>(*rows_, v, r, beat);
    default:
      return search<JudgedSides>(*rows_, v, r, beat);
  }
}

std::optional<LineMove> Line::cut(std::span<const double> v, double beat) const {
  const std::vector<double> down(v.size(), -1.0);
  return best(v, down, beat);
}

}  // namespace bough
