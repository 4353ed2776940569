// See regraft.hpp.
#include "bough/pruning/regraft.hpp"

#include "bough/tree/structure.hpp"

namespace bough {

Shape::Shape(const Tree& tree) : tree_(tree), test_(tree.parent.size()) {
  for (std::int32_t node = 0; node < tree.size(); ++node) test_[node] = tree.is_leaf(node) ? -1 : node;
}

std::vector<std::int32_t> Shape::preorder() const {
  std::vector<std::int32_t> order;
  std::vector<std::int32_t> stack = {0};
  while (!stack.empty()) {
    const std::int32_t node = stack.back();
    stack.pop_back();
    order.push_back(node);
    const auto below = children(node);
    stack.insert(stack.end(), below.rbegin(), below.rend());
  }
  return order;
}

std::vector<Renewal> Shape::renewals(std::span<const std::int32_t> order) const {
  std::vector<Renewal> renewal(test_.size(), Renewal::none);
  for (const std::int32_t node : order) {
    if (renewal[node] != Renewal::own && !is_raised(node)) continue;
    for (const std::int32_t child : children(node)) renewal[child] = Renewal::own;
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::int32_t node = order[i];
    if (renewal[node] == Renewal::own) continue;
    for (const std::int32_t child : children(node)) {
      if (renewal[child] != Renewal::none) renewal[node] = Renewal::way;
    }
  }
  return renewal;
}

namespace {

class Grafter {
 public:
  Grafter(const Tree& old, const Shape& shape) : old_(old), shape_(shape) {
    tree_.class_scale = old.class_scale;
    tree_.growth_scale = old.growth_scale;
    tree_.routing = old.routing;
    tree_.split_begin = {0};
  }

  void add(std::int32_t node, std::int32_t parent, const NodeStats* fresh) {
    tree_.parent.push_back(parent);
    if (fresh == nullptr) {
      copy_node(node);
    } else if (fresh->rows == 0) {
      copy_answer(parent);
    } else {
      write(*fresh);
    }
    const std::int32_t test = shape_.test(node);
    const bool as_before = fresh == nullptr && test == node;
    tree_.majority.push_back(as_before ? old_.majority[node] : -1);
    tree_.complexity.push_back(0.0);
    if (test >= 0) {
      for (std::int64_t s = old_.split_begin[test]; s < old_.split_begin[test + 1]; ++s) {
        copy_split(old_.splits, s, tree_.splits);
      }
      // Rows were sent by the old majority, where they are sent by one at all.
      const bool by_majority =
          old_.routing.fallback == Otherwise::majority || old_.routing.absent == Otherwise::majority;
      if (!as_before && by_majority) {
        tree_.majority.back() = old_.majority[test];
      } else if (!as_before) {
        renewed_.push_back(tree_.size() - 1);
      }
    }
    tree_.split_begin.push_back(tree_.splits.size());
  }

  Tree finish() {
    tidy(tree_.splits);
    link(tree_);
    for (const std::int32_t node : renewed_) {
      std::int32_t best = 0;
      const std::int32_t* children = tree_.children.data() + tree_.child_begin[node];
      for (std::int32_t b = 1; b < tree_.child_begin[node + 1] - tree_.child_begin[node]; ++b) {
        if (tree_.weight[children[b]] > tree_.weight[children[best]]) best = b;
      }
      tree_.majority[node] = best;
    }
    return std::move(tree_);
  }

 private:
  void add_facts(std::int64_t rows, double weight, double impurity, double risk, std::int32_t label) {
    tree_.rows.push_back(rows);
    tree_.weight.push_back(weight);
    tree_.impurity.push_back(impurity);
    tree_.risk.push_back(risk);
    tree_.label.push_back(label);
    tree_.count_begin.push_back(static_cast<std::int64_t>(tree_.count_class.size()));
  }
  void copy_counts(const Tree& from, std::int32_t node) {
    for (std::int64_t k = from.count_begin[node]; k < from.count_begin[node + 1]; ++k) {
      tree_.count_class.push_back(std::int32_t{from.count_class[k]});
      tree_.count_weight.push_back(double{from.count_weight[k]});
    }
  }
  void copy_node(std::int32_t node) {
    copy_counts(old_, node);
    add_facts(old_.rows[node], old_.weight[node], old_.impurity[node], old_.risk[node], old_.label[node]);
  }
  void copy_answer(std::int32_t parent) {
    copy_counts(tree_, parent);
    add_facts(0, 0.0, tree_.impurity[parent], 0.0, tree_.label[parent]);
  }
  void write(const NodeStats& stats) {
    for (std::size_t c = 0; c < stats.counts.size(); ++c) {
      if (!(stats.counts[c] > 0.0)) continue;
      tree_.count_class.push_back(static_cast<std::int32_t>(c));
      tree_.count_weight.push_back(stats.counts[c]);
    }
    add_facts(static_cast<std::int64_t>(stats.rows), stats.weight, stats.impurity, stats.risk, stats.label);
  }

  const Tree& old_;
  const Shape& shape_;
  Tree tree_;
  std::vector<std::int32_t> renewed_;  // inner nodes with other rows or another test
};

}  // namespace

Tree regraft(const Tree& tree, const Shape& shape, std::span<const std::int32_t> order,
             std::span<const NodeStats> fresh, std::span<const std::int32_t> fresh_at) {
  Grafter grafter(tree, shape);
  std::vector<std::int32_t> parent(tree.parent.size(), -1);  // by old id, the new id of the parent
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::int32_t node = order[i];
    for (const std::int32_t child : shape.children(node)) parent[child] = static_cast<std::int32_t>(i);
    grafter.add(node, parent[node], fresh_at[node] < 0 ? nullptr : &fresh[fresh_at[node]]);
  }
  return grafter.finish();
}

}  // namespace bough
