#include "bough/forest/join.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "bough/base/error.hpp"

namespace bough::forest {
namespace {

// A threshold that is at least `low` and below `high`: the middle as a float, or some float, or the middle.
struct Threshold {
  double at;
  bool is_float;
};
Threshold between(double low, double high) {
  const double middle = low + (high - low) / 2;
  const auto rounded = static_cast<double>(static_cast<float>(middle));
  if (low <= rounded && rounded < high) return {rounded, true};
  const auto above = static_cast<double>(float_above(low));
  if (above < high) return {above, true};
  return {low <= middle && middle < high ? middle : low, false};
}

std::uint32_t place_of(const std::vector<double>& table, double at) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(table, at) - table.begin());
}

// Tables of thresholds in the making: those of columns in which some cut is no float.
class Tables {
 public:
  explicit Tables(std::size_t columns) : grows_(columns, 0), fresh_(columns) {}

  void want(std::size_t column) { grows_[column] = 1; }
  // The columns of a forest that have a table.
  void want_as(const Forest& forest) {
    for (std::size_t c = 0; c < grows_.size(); ++c) {
      if (!forest.column[c].threshold.empty()) grows_[c] = 1;
    }
  }
  [[nodiscard]] bool wanted(std::size_t column) const { return column < grows_.size() && grows_[column] != 0; }
  [[nodiscard]] bool none() const { return std::ranges::find(grows_, 1) == grows_.end(); }

  void add(std::size_t column, double at) { fresh_[column].push_back(at); }
  void add(const Forest& forest) {
    for (std::size_t i = 0; i < forest.nodes(); ++i) {
      const WideNode node = forest.node(i);
      if (wanted(node.column())) add(node.column(), forest.threshold_of(node.column(), node.cut));
    }
  }

  // The forest gets the tables, and its cuts become places in them.
  void enter(Forest& forest) {
    for (std::vector<double>& table : fresh_) {
      std::ranges::sort(table);
      table.erase(std::unique(table.begin(), table.end()), table.end());
    }
    const auto enter_nodes = [&](auto& nodes) {
      for (auto& node : nodes) {
        const std::uint32_t c = node.column();
        if (wanted(c)) node.cut = place_of(fresh_[c], forest.threshold_of(c, node.cut));
      }
    };
    if (forest.wide()) {
      enter_nodes(forest.wide_node.edit());
    } else {
      enter_nodes(forest.short_node.edit());
    }
    for (std::size_t c = 0; c < grows_.size(); ++c) {
      if (grows_[c] != 0) forest.column[c].threshold = std::move(fresh_[c]);
    }
  }

 private:
  std::vector<std::uint8_t> grows_;
  std::vector<std::vector<double>> fresh_;
};

void make_tables(Forest& forest, const std::vector<FinishedTree>& trees) {
  Tables tables(forest.column.size());
  tables.want_as(forest);
  for (const FinishedTree& finished : trees) {
    for (const auto& [node, at] : finished.close) tables.want(finished.tree.node[node].column);
  }
  if (tables.none()) return;
  tables.add(forest);
  for (const FinishedTree& finished : trees) {
    auto close = finished.close.begin();  // by rising node
    for (std::uint32_t i = 0; i < finished.tree.node.size(); ++i) {
      const GrownNode& node = finished.tree.node[i];
      if (close != finished.close.end() && close->first == i) {
        tables.add(node.column, close->second);
        ++close;
      } else if (node.child != 0 && tables.wanted(node.column)) {
        tables.add(node.column, key_float(node.low));
      }
    }
  }
  tables.enter(forest);
}

void join_tables(Forest& forest, const Forest& more) {
  Tables tables(forest.column.size());
  tables.want_as(forest);
  tables.want_as(more);
  if (tables.none()) return;
  tables.add(forest);
  tables.add(more);
  tables.enter(forest);
}

void widen(Forest& forest) {
  if (forest.wide()) return;
  std::vector<WideNode> wide;
  wide.reserve(forest.nodes());
  for (std::size_t i = 0; i < forest.nodes(); ++i) wide.push_back(forest.node(i));
  forest.wide_node = std::move(wide);
  forest.short_node = {};
}

template <class Node>
void append_nodes(Forest& forest, const FinishedTree& finished, std::vector<Node>& into, std::uint32_t sets,
                  std::uint32_t answers) {
  const auto leaf_column = static_cast<std::uint32_t>(forest.column.size());
  const std::size_t begin = into.size();
  const GrownTree& tree = finished.tree;
  for (std::uint32_t i = 0; i < tree.node.size(); ++i) {
    const GrownNode& node = tree.node[i];
    if (node.child == 0) {
      into.push_back(Node::make(node.low + answers, i, leaf_column, false));
      continue;
    }
    const Coding& coding = forest.column[node.column];
    std::uint32_t cut = node.low;
    if (coding.levels > 0) {
      cut += sets;
    } else if (!coding.threshold.empty()) {
      cut = place_of(coding.threshold, key_float(node.low));
    }
    into.push_back(Node::make(cut, node.child, node.column, node.missing_high != 0));
  }
  for (const auto& [node, at] : finished.close) {
    into[begin + node].cut = place_of(forest.column[tree.node[node].column].threshold, at);
  }
}

// The nodes of another forest, whose sets and answers come after those of this one.
template <class Node>
void append_nodes(const Forest& forest, const Forest& more, std::vector<Node>& into) {
  const auto sets = static_cast<std::uint32_t>(forest.set.size());
  const auto answers = static_cast<std::uint32_t>(forest.weight.size());
  into.reserve(into.size() + more.nodes());
  for (std::size_t i = 0; i < more.nodes(); ++i) {
    const WideNode node = more.node(i);
    const std::uint32_t c = node.column();
    std::uint32_t cut = node.cut;
    if (c == forest.column.size()) {
      cut += answers;
    } else if (forest.column[c].levels > 0) {
      cut += sets;
    } else if (!forest.column[c].threshold.empty()) {
      cut = place_of(forest.column[c].threshold, more.threshold_of(c, cut));
    }
    into.push_back(Node::make(cut, node.child(), c, node.missing_high() != 0));
  }
}

template <class T>
void extend(Kept<T>& list, std::span<const T> more) {
  list.edit().insert(list.edit().end(), more.begin(), more.end());
}

}  // namespace

FinishedTree finish(GrownTree&& tree, const Keys& keys, bool random_cuts) {
  FinishedTree finished;
  finished.tree = std::move(tree);
  for (std::uint32_t i = 0; i < finished.tree.node.size(); ++i) {
    GrownNode& node = finished.tree.node[i];
    if (node.child == 0 || keys.column()[node.column].levels > 0) continue;
    if (node.high == ~0U && node.missing_high != 0) {
      node.low = float_key(std::numeric_limits<float>::infinity());  // all that is known against what is missing
      continue;
    }
    if (random_cuts) {
      if (keys.column()[node.column].drawn_from.empty()) continue;
      node.high = node.low + 1;  // the next value of the table: as near to what was drawn as ranks are
    }
    const Threshold cut = between(keys.value(node.column, node.low), keys.value(node.column, node.high));
    if (cut.is_float) {
      node.low = float_key(static_cast<float>(cut.at));
    } else {
      node.low = float_key(static_cast<float>(cut.at));
      finished.close.emplace_back(i, cut.at);
    }
  }
  return finished;
}

void append(Forest& forest, std::vector<FinishedTree>&& trees) {
  const std::size_t columns = forest.column.size();
  make_tables(forest, trees);
  bool wide = forest.wide() || columns > ShortNode::kMostColumns;
  for (const FinishedTree& finished : trees) wide = wide || finished.tree.node.size() > ShortNode::kMostNodes;
  if (wide) widen(forest);
  std::size_t nodes = forest.nodes();
  for (const FinishedTree& finished : trees) nodes += finished.tree.node.size();
  if (wide) {
    forest.wide_node.edit().reserve(nodes);
  } else {
    forest.short_node.edit().reserve(nodes);
  }
  for (FinishedTree& finished : trees) {
    GrownTree& tree = finished.tree;
    const auto sets = static_cast<std::uint32_t>(forest.set.size());
    const auto answers = static_cast<std::uint32_t>(forest.weight.size());
    if (wide) {
      append_nodes(forest, finished, forest.wide_node.edit(), sets, answers);
    } else {
      append_nodes(forest, finished, forest.short_node.edit(), sets, answers);
    }
    forest.begin.push_back(forest.begin.back() + tree.node.size());
    extend<std::uint32_t>(forest.set, tree.set);
    extend<std::uint32_t>(forest.count, tree.count);
    extend<std::uint32_t>(forest.weight, tree.weight);
    extend<double>(forest.answer, tree.value);
    for (std::size_t i = 0; i < tree.count.size(); ++i) {
      forest.answer.edit().push_back(static_cast<double>(tree.count[i]) /
                                     static_cast<double>(tree.weight[i / std::max(1U, forest.classes)]));
    }
    std::vector<double> gain(columns, 0.0);
    for (std::size_t i = 0; i < tree.node.size(); ++i) {
      if (tree.node[i].child != 0) gain[tree.node[i].column] += tree.gain[i] / finished.bag_weight;
    }
    extend<double>(forest.gain, gain);
    tree = {};
  }
}

void join(Forest& forest, const Forest& more) {
  if (forest.trees() == 0) {
    forest = more;
    return;
  }
  const auto same_levels = [](const Coding& a, const Coding& b) { return a.levels == b.levels; };
  if (forest.classes != more.classes || !std::ranges::equal(forest.column, more.column, same_levels)) {
    throw InvalidInput("forest", "expected the same columns and classes");
  }
  join_tables(forest, more);
  if (more.wide()) widen(forest);
  if (forest.wide()) {
    append_nodes(forest, more, forest.wide_node.edit());
  } else {
    append_nodes(forest, more, forest.short_node.edit());
  }
  const std::size_t nodes = forest.nodes();
  for (std::size_t tree = 1; tree < more.begin.size(); ++tree) forest.begin.push_back(nodes + more.begin[tree]);
  extend(forest.set, more.set.all());
  extend(forest.count, more.count.all());
  extend(forest.weight, more.weight.all());
  extend(forest.answer, more.answer.all());
  extend(forest.gain, more.gain.all());
}

}  // namespace bough::forest
