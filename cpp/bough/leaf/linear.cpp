// See linear.hpp.
#include "bough/leaf/linear.hpp"

namespace bough {

void copy_model(const LeafModels& from, std::int32_t k, std::int32_t node, LeafModels& to) {
  if (k < 0) return;
  to.index.resize(static_cast<std::size_t>(node) + 1, -1);
  to.index.back() = static_cast<std::int32_t>(to.bias.size());
  to.bias.push_back(from.bias[static_cast<std::size_t>(k)]);
  copy_terms(from.terms, k, to.terms);
}

void tidy(LeafModels& models, std::size_t nodes) {
  if (models.bias.empty()) models.index.clear();
  if (!models.index.empty()) models.index.resize(nodes, -1);
}

}  // namespace bough
