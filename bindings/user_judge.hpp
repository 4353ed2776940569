// A criterion that a user writes in Python: asked for many tests at once, one thread, with the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "bough/criterion/judge.hpp"

namespace bough::python {

class UserJudge final : public Judge {
 public:
  // `score(parent, branches)` -> one number a test; `impurity(stats)` -> one number a row of stats, or None.
  UserJudge(nanobind::object score, nanobind::object impurity, bool discount)
      : score_(std::move(score)), impurity_(std::move(impurity)), discount_(discount) {}

  void score(const double* parent, const Batch& batch, const Amounts& amounts,
             std::vector<Judgement>& judged) const override;
  [[nodiscard]] double impurity(const double* stat, std::size_t width) const override;
  [[nodiscard]] bool parallel() const override { return false; }

 private:
  nanobind::object score_;
  nanobind::object impurity_;
  bool discount_;
};

}  // namespace bough::python
