// Tails of the distributions that tests of significance need, as logarithms, so that tiny ones can still be compared.
#pragma once

#include <cstddef>

namespace bough {

// log P(X > x) of chi-squared with `df` degrees of freedom.
double log_chi_squared_tail(double x, double df);
// log P(X > x) of Fisher's F with `above` and `below` degrees of freedom.
double log_f_tail(double x, double above, double below);

// log of the number of ways to choose k of n.
double log_choose(double n, double k);
// log of the number of ways to part n things into k groups that are not empty (Stirling, second kind).
double log_partitions(std::size_t n, std::size_t k);

}  // namespace bough
