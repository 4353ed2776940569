// Where a cut between two values lies, in the number that a rule is written with and in ranks of all rows.
#pragma once

#include <cstdint>
#include <vector>

#include "bough/cover/condition.hpp"
#include "bough/cover/literal_search.hpp"
#include "bough/cover/options.hpp"
#include "bough/table/ranked.hpp"

namespace bough {

class Edges {
 public:
  Edges(const RankedTable& table, CutAt cut_at) : table_(table), cut_at_(cut_at), row_of_(table.columns.size()) {}

  // What was found among some rows, as a condition on all rows.
  [[nodiscard]] Condition condition(const FoundLiteral& found);

 private:
  // A row with this value of a numeric column.
  std::uint32_t row_of(std::int32_t column, std::uint32_t rank);

  void set_edge(Condition& condition, const FoundLiteral& found);

  const RankedTable& table_;
  CutAt cut_at_;
  std::vector<std::vector<std::uint32_t>> row_of_;  // by column, when it is first asked
};

}  // namespace bough
