// A list of numbers that is ours, or lies elsewhere (in a file mapped into memory) and is read there. Whoever edits it
// gets a copy of his own first.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace bough {

template <class T>
class Kept {
 public:
  Kept() = default;
  // NOLINTNEXTLINE(google-explicit-constructor, hicpp-explicit-conversions): a vector is one way to keep a list
  Kept(std::vector<T> own) : own_(std::move(own)) {}
  // `keeper` keeps the numbers where they are.
  Kept(std::span<const T> there, std::shared_ptr<const void> keeper) : there_(there), keeper_(std::move(keeper)) {}

  [[nodiscard]] std::span<const T> all() const { return keeper_ ? there_ : std::span<const T>(own_); }
  [[nodiscard]] const T* data() const { return all().data(); }
  [[nodiscard]] std::size_t size() const { return all().size(); }
  [[nodiscard]] bool empty() const { return all().empty(); }
  [[nodiscard]] const T& operator[](std::size_t i) const { return all()[i]; }

  [[nodiscard]] std::vector<T>& edit() {
    if (keeper_) {
      own_.assign(there_.begin(), there_.end());
      there_ = {};
      keeper_.reset();
    }
    return own_;
  }

 private:
  std::vector<T> own_;
  std::span<const T> there_;
  std::shared_ptr<const void> keeper_;
};

}  // namespace bough
