// Small dense linear algebra for searches of weighted sums: linear systems of a symmetric positive definite matrix, and
// the eigenvectors of a symmetric one. Matrices are square, row by row; only the lower triangle is read.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace bough {

// A symmetric matrix of so many rows.
class Symmetric {
 public:
  explicit Symmetric(std::size_t size = 0) : size_(size), at_(size * size, 0.0) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] double& operator()(std::size_t i, std::size_t j) { return at_[i * size_ + j]; }
  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const { return at_[i * size_ + j]; }
  [[nodiscard]] double trace() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < size_; ++i) sum += at_[i * size_ + i];
    return sum;
  }

 private:
  std::size_t size_;
  std::vector<double> at_;
};

// x with a x = b by Cholesky's factors, none if the matrix is not positive definite.
[[nodiscard]] std::optional<std::vector<double>> cholesky_solve(Symmetric a, std::vector<double> b);

// Eigenvalues, largest first, and their eigenvectors of unit length, whose largest entry is positive.
struct Eigen {
  std::vector<double> value;
  std::vector<std::vector<double>> vector;
};
// By Jacobi's rotations.
[[nodiscard]] Eigen jacobi_eigen(Symmetric a);

}  // namespace bough
