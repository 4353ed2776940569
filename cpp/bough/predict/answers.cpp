// See answers.hpp. Probabilities are proportional to count * scale, and summed in the order of the classes.
#include "bough/predict/answers.hpp"

#include <algorithm>
#include <string>

#include "bough/base/error.hpp"

namespace bough {

void class_probabilities(const Tree& tree, std::span<const std::int32_t> nodes, std::span<double> out) {
  const std::size_t classes = tree.class_scale.size();
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const std::int32_t node = nodes[r];
    if (node < 0 || node >= tree.size()) {
      throw InvalidInput("nodes[" + std::to_string(r) + "]",
                         "expected a node below " + std::to_string(tree.size()) + ", found " + std::to_string(node));
    }
    double mass = 0.0;
    for (std::int64_t k = tree.count_begin[node]; k < tree.count_begin[node + 1]; ++k) {
      mass += tree.count_weight[k] * tree.class_scale[tree.count_class[k]];
    }
    for (std::int64_t k = tree.count_begin[node]; k < tree.count_begin[node + 1]; ++k) {
      const std::int32_t c = tree.count_class[k];
      out[r * classes + c] = tree.count_weight[k] * tree.class_scale[c] / mass;
    }
  }
}

}  // namespace bough
