// Random edits of a valid tree: the validator refuses, or what it lets through can be walked, cut and measured.
// Under the sanitizers this is the proof that no array is read outside its bounds.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/predict/answers.hpp"
#include "bough/predict/apply.hpp"
#include "bough/tree/cut.hpp"
#include "bough/tree/structure.hpp"
#include "bough/tree/validate.hpp"
#include "table/views.hpp"
#include "tree/examples.hpp"

namespace bough::testing {
namespace {

// A small generator of our own: the same edits everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2U + 1U) {}
  std::uint64_t below(std::uint64_t n) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33U) % n;
  }

 private:
  std::uint64_t state_;
};

template <class T>
void edit(std::vector<T>& values, Dice& dice) {
  if (values.empty()) return;
  const std::size_t at = dice.below(values.size());
  const std::array<std::int64_t, 10> odd = {-2, -1, 0, 1, 2, 3, 6, 70, 255, 1'000'000'000};
  switch (dice.below(8)) {
    case 0:
      values.pop_back();
      break;
    case 1:
      values.push_back(values[at]);
      break;
    case 2:
      std::swap(values[at], values[dice.below(values.size())]);
      break;
    default:
      if constexpr (std::is_enum_v<T>) {
        values[at] = std::bit_cast<T>(static_cast<std::uint8_t>(dice.below(8)));
      } else {
        values[at] = static_cast<T>(odd[dice.below(odd.size())]);
      }
  }
}

void edit_some_field(Tree& t, Dice& dice) {
  SplitPool& s = t.splits;
  switch (dice.below(64)) {
    case 0:
      return edit(t.parent, dice);
    case 1:
      return edit(t.split_begin, dice);
    case 2:
      return edit(t.rows, dice);
    case 3:
      return edit(t.weight, dice);
    case 4:
      return edit(t.majority, dice);
    case 5:
      return edit(t.label, dice);
    case 6:
      return edit(t.count_begin, dice);
    case 7:
      return edit(t.count_class, dice);
    case 8:
      return edit(t.count_weight, dice);
    case 9:
      return edit(t.class_scale, dice);
    case 10:
      return edit(s.role, dice);
    case 11:
      return edit(s.kind, dice);
    case 12:
      return edit(s.found, dice);
    case 13:
      return edit(s.value_type, dice);
    case 14:
      return edit(s.side, dice);
    case 15:
      return edit(s.low, dice);
    case 16:
      return edit(s.column, dice);
    case 17:
      return edit(s.payload, dice);
    case 18:
      return edit(s.adjusted, dice);
    case 19:
      return edit(s.set_begin, dice);
    case 20:
      return edit(s.set_code, dice);
    case 21:
      return edit(s.set_branch, dice);
    case 22:
      return edit(t.value, dice);
    case 23:
      return edit(s.missing, dice);
    case 24:
      return edit(s.edge_begin, dice);
    case 25:
      return edit(s.edge_type, dice);
    case 26:
      return edit(s.edge_bits, dice);
    case 27:
      return edit(s.interval_branch, dice);
    case 28:
      return edit(s.terms.begin, dice);
    case 29:
      return edit(s.terms.column, dice);
    case 30:
      return edit(s.terms.code, dice);
    case 31:
      return edit(s.terms.negated, dice);
    case 32:
      return edit(s.derived, dice);
    case 33:
      return edit(s.sums.begin, dice);
    case 34:
      return edit(s.sums.column, dice);
    case 35:
      return edit(s.sums.code, dice);
    case 36:
      return edit(s.sums.weight, dice);
    case 37:
      return edit(s.sums.fill, dice);
    case 38:
      return edit(s.sums.scale, dice);
    case 39:
      return edit(s.sums.origin, dice);
    case 40:
      return edit(s.sums.whole, dice);
    case 41:
      return edit(t.models.index, dice);
    case 42:
      return edit(t.models.bias, dice);
    case 43:
      return edit(t.models.terms.begin, dice);
    case 44:
      return edit(t.models.terms.column, dice);
    case 45:
      return edit(t.models.terms.code, dice);
    case 46:
      return edit(t.models.terms.weight, dice);
    case 47:
      return edit(t.models.terms.fill, dice);
    case 48:
      return edit(t.models.terms.scale, dice);
    case 49:
      return edit(t.models.terms.origin, dice);
    case 50:
      return edit(s.terms.type, dice);
    case 51:
      return edit(s.terms.side, dice);
    case 52:
      return edit(s.terms.bits, dice);
    case 53:
      return edit(s.sums.layers.units, dice);
    case 54:
      return edit(s.sums.layers.begin, dice);
    case 55:
      return edit(s.sums.layers.weight, dice);
    case 56:
      return edit(s.sums.machine_begin, dice);
    case 57:
      return edit(s.sums.machine_weight, dice);
    case 58:
      return edit(s.sums.other, dice);
    case 59:
      return edit(s.sums.other_code, dice);
    case 60:
      return edit(s.sums.other_origin, dice);
    case 61:
      return edit(s.sums.centre, dice);
    case 62:
      return edit(s.sums.other_centre, dice);
    default:
      return edit(s.score, dice);
  }
}

void use(const Tree& tree) {
  const std::vector<double> number = {0.0, 0.5, 1.0, 2.0, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<std::int32_t> code = {0, 1, 4, -1, -2};
  const std::vector<ColumnView> columns = {view(number), view(code), view(code)};
  Watch watch;
  std::vector<double> numbers(5);
  const std::vector<std::int32_t> nodes = apply(tree, columns, 5, 1, watch);
  std::vector<double> shares(nodes.size() * tree.class_scale.size());
  if (tree.is_classifier()) class_probabilities(tree, nodes, {}, shares);
  Tree in_parts = tree;
  in_parts.routing.fallback = Otherwise::spread;
  CHECK(apply(in_parts, columns, 5, 1, watch).size() == 5);
  if (tree.is_classifier()) spread_probabilities(in_parts, columns, 5, {1.0, {}}, 1, watch, shares);
  if (!tree.is_classifier()) spread_values(in_parts, columns, 5, 1, watch, std::span(numbers).first(5));
  if (!tree.is_classifier()) answer_values(tree, columns, nodes, 1, watch, std::span(numbers).first(5));
  CHECK(paths_to(tree, nodes).indptr.size() == 6);
  const CutTree cut_tree = cut(tree, std::vector<std::int32_t>{tree.size() / 2});
  validate(cut_tree.tree);
}

}  // namespace

TEST_CASE("mutants of the arrays are refused or work") {
  Dice dice(20261115);
  int refused = 0;
  int worked = 0;
  for (int mutant = 0; mutant < 40'000; ++mutant) {
    const std::array<TreeBuilder (*)(const Routing&), 5> makers = {two_tests, every_kind, sums, networks, curves};
    Tree tree = makers[static_cast<std::size_t>(mutant % 5)]({}).freeze();
    for (std::uint64_t k = dice.below(3) + 1; k > 0; --k) edit_some_field(tree, dice);
    try {
      link(tree);
      validate(tree);
      use(tree);
      ++worked;
    } catch (const InvalidInput&) {
      ++refused;
    }
  }
  CHECK(refused > 20'000);
  CHECK(worked > 1'000);
}

}  // namespace bough::testing
