// What a search for tests of weighted sums of columns is asked to do.
#pragma once

#include <cstdint>

#include "bough/split/split.hpp"

namespace bough {

// How the classes become two groups: by what fits their number, by 2-means of the class means, in all ways, or one
// class against the rest.
enum class Grouping : std::uint8_t { automatic, two_means, all, one_vs_rest };
// Which terms a sum keeps: all, all but those that hardly matter, or only those that are worth their place.
enum class Sparse : std::uint8_t { none, backward, forward };
// In which order coefficients are moved: one after the other, always the best one, or by chance.
enum class MoveOrder : std::uint8_t { sequential, best, random };

// Which curve: any of the second degree, a sphere, an ellipsoid along the columns or one of any direction, or planes
// across the principal axes.
enum class Curve : std::uint8_t { quadratic, sphere, ellipsoid, full_ellipsoid, principal };

// How sums that compete for rows are found: discriminant functions (FACT), or thermal training of a linear machine.
enum class MachineRule : std::uint8_t { fact, thermal };

struct ObliqueOptions {  // NOLINT(clang-analyzer-optin.performance.Padding): by topic, one object a growth
  std::int64_t max_levels = 32;  // of a nominal column: the reference and the indicators of the others
  bool whole = false;  // one missing term makes the sum missing
  Sparse sparse = Sparse::none;
  std::int64_t max_terms = 6;  // columns of a sum that is built forward

  Grouping grouping = Grouping::automatic;
  double shrinkage = -1.0;  // towards equal variances, relative to their mean; negative: by the data
  bool by_value = true;  // numbers: ridge regression; false: the rows above the mean against those below

  std::int64_t restarts = 20;
  std::int64_t jumps = 5;
  std::int64_t max_cycles = 50;
  MoveOrder order = MoveOrder::sequential;
  std::int64_t search_rows = 5000;  // larger nodes are searched by so many of their rows

  Curve curve = Curve::quadratic;
  bool perturb = true;  // curves: moved on as OC1 moves planes

  double deletion = 0.2;  // terms go whose loss is below this share of the largest

  std::int64_t find_rows = 0;  // a search written elsewhere is asked from this weight of a node on
  Found found = Found::written;  // and what is said of its sums

  double level = 0.05;  // significance of the choice of a column
  bool linear = true;   // a sum, not the column that is chosen

  bool logistic = true;  // by gradients: logistic regression; false: the pocket perceptron
  double penalty = 1.0;  // logistic: half of it times the sum of squared weights is added to the loss
  std::int64_t passes = 20;  // pocket: over the rows

  MachineRule machine = MachineRule::fact;
};

}  // namespace bough
