#include "bough/split/split.hpp"

namespace bough {

void copy_split(const SplitPool& from, std::int64_t s, SplitPool& to) {
  to.role.push_back(from.role[s]);
  to.kind.push_back(from.kind[s]);
  to.found.push_back(from.found[s]);
  to.value_type.push_back(from.value_type[s]);
  to.side.push_back(from.side[s]);
  to.low.push_back(from.low[s]);
  to.column.push_back(from.column[s]);
  to.score.push_back(from.score[s]);
  if (!from.adjusted.empty()) to.adjusted.push_back(from.adjusted[s]);
  if (from.kind[s] == SplitKind::threshold) {
    to.payload.push_back(from.payload[s]);
    return;
  }
  const std::int64_t begin = from.set_begin[from.payload[s]];
  const std::int64_t end = from.set_begin[from.payload[s] + 1];
  to.payload.push_back(to.set_begin.size() - 1);
  to.set_code.insert(to.set_code.end(), from.set_code.begin() + begin, from.set_code.begin() + end);
  to.set_branch.insert(to.set_branch.end(), from.set_branch.begin() + begin, from.set_branch.begin() + end);
  to.set_begin.push_back(static_cast<std::int64_t>(to.set_code.size()));
}

}  // namespace bough
