// See user_judge.hpp.
#include "bindings/user_judge.hpp"

#include <algorithm>

#include "bindings/interpreter.hpp"
#include "bindings/user_numbers.hpp"

namespace bough::python {

namespace nb = nanobind;

void UserJudge::score(const double* parent, const Batch& batch, const Amounts& amounts,
                      std::vector<Judgement>& judged) const {
  const Locked lock;
  const nb::object whole = as_array<1>(parent, {batch.width});
  const nb::object branches = as_array<3>(batch.stat.data(), {batch.size(), batch.branches, batch.width});
  const std::vector<double> scores = numbers_of(score_(whole, branches), batch.size(), "criterion.score");
  const double share = discount_ ? amounts.known / amounts.all : 1.0;
  judged.resize(batch.size());
  for (std::size_t test = 0; test < batch.size(); ++test) judged[test] = {share * scores[test], share * scores[test]};
}

double UserJudge::impurity(const double* stat, std::size_t width) const {
  if (impurity_.is_none()) return -1.0;
  const Locked lock;
  return std::max(0.0, numbers_of(impurity_(as_array<2>(stat, {1, width})), 1, "criterion.impurity")[0]);
}

}  // namespace bough::python
