#include "bough/forest/grower.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "bough/forest/answers.hpp"
#include "bough/forest/best_first.hpp"
#include "bough/forest/blocks.hpp"
#include "bough/forest/entropy.hpp"
#include "bough/forest/search.hpp"
#include "bough/forest/side.hpp"

namespace bough::forest {
namespace {

// A node that waits for its search.
struct Frame {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t node = 0;
  std::uint32_t depth = 0;
  std::uint64_t seed = 0;
  std::int64_t weight = 0;
  std::int64_t sum = 0;  // of class 1, or of the values
  Bounds bounds;
};

template <class Node>
class Grower final : public TreeGrower {
 public:
  Grower(const ForestData& data, const Keys& keys, const ForestOptions& options)
      : data_(data),
        keys_(keys.column()),
        options_(options),
        classes_(std::max(data.classes, 1U)),
        padded_(padded(data.classes)),
        search_(keys_, options_),
        answers_(classes_) {
    const std::size_t rows = data.table->rows;
    entry_.resize(rows);
    spare_.resize(rows);
    if (Node::kNumbers) centred_.resize(rows);
    Block whole;
    for (const KeyColumn& column : keys_) whole.column.push_back(column.key);
    whole.value = Node::kNumbers ? data.value.data() : nullptr;
    whole.by_row = keys.by_row();
    blocks_.push_back(std::move(whole));
    const auto columns = static_cast<std::uint32_t>(keys_.size());
    for (const std::uint32_t size : block_sizes(rows, columns, options.max_features, kSmall)) {
      Block block;
      block.column.resize(columns);
      block.limit = size;
      block.key.resize(std::size_t{columns} * size);
      if (Node::kNumbers) block.held.resize(size);
      blocks_.push_back(std::move(block));
    }
    low_scratch_.resize(padded_);
    node_total_.resize(padded_);
  }

  GrownTree grow(std::uint64_t seed, std::span<const std::uint32_t> bag, Watch& watch) override {
    tree_ = {};
    answers_.clear();
    search_.begin(seed);
    Frame root;
    root.seed = root_seed(seed);
    totals_.assign(padded_, 0);
    for (std::size_t row = 0; row < bag.size(); ++row) {
      if (bag[row] == 0) continue;
      const std::uint32_t weight = bag[row] * (data_.weight.empty() ? 1U : data_.weight[row]);
      if (weight == 0) continue;
      const std::uint32_t label = Node::kNumbers ? 0 : data_.label[row];
      entry_[root.end++] = (Entry{(weight << Node::kClassBits) | label} << 32U) | row;
      root.weight += weight;
      if constexpr (Node::kNumbers) {
        root.sum += static_cast<std::int64_t>(weight) * data_.value[row];
      } else if constexpr (Node::kMany) {
        totals_[label] += weight;
      } else {
        root.sum += label != 0 ? weight : 0;
      }
    }
    bag_weight_ = static_cast<double>(root.weight);
    tree_.node.emplace_back();
    tree_.gain.push_back(0);
    stack_.clear();
    active_.assign(1, 0);
    if (closed(root, totals_.data())) {
      make_leaf(root, totals_.data());
    } else {
      stack_.push_back(root);
    }
    while (!stack_.empty()) {
      while (active_.size() > 1 && stack_.size() <= blocks_[active_.back()].base) active_.pop_back();
      enter_block();
      const Frame frame = stack_.back();
      stack_.pop_back();
      if constexpr (Node::kMany) {
        std::copy_n(totals_.end() - padded_, padded_, node_total_.begin());
        totals_.resize(totals_.size() - padded_);
      }
      watch.poll(frame.end - frame.begin);
      step(frame, blocks_[active_.back()]);
    }
    if (options_.max_leaves == kNone) return std::move(tree_);
    return best_first(std::move(tree_), data_, keys_, options_.max_leaves);
  }

 private:
  using Score = typename Node::Score;

  static std::uint32_t padded(std::uint32_t classes) {
    if constexpr (Node::kMany) return Node::kPadded == 0 || Node::kEntropy ? classes : Node::kPadded;
    return 1;
  }

  // The next node moves into the smallest block that it fits.
  void enter_block() {
    const Frame& frame = stack_.back();
    const std::uint32_t rows = frame.end - frame.begin;
    if (rows <= kSmall) return;
    std::size_t to = active_.back();
    while (to + 1 < blocks_.size() && rows <= blocks_[to + 1].limit) ++to;
    if (to == active_.back()) return;
    blocks_[to].fill(blocks_[active_.back()], entry_.data() + frame.begin, rows);
    blocks_[to].base = stack_.size() - 1;
    active_.push_back(to);
  }

  // Whether a node is a leaf before any column is looked at.
  bool closed(const Frame& frame, const std::int64_t* total) const {
    if (frame.end - frame.begin < 2 || frame.depth >= options_.max_depth) return true;
    const auto weight = static_cast<double>(frame.weight);
    if (weight < options_.min_split || weight < 2 * options_.min_leaf) return true;
    if constexpr (Node::kMany) {
      return std::any_of(total, total + classes_, [&](std::int64_t w) { return w == frame.weight; });
    } else if constexpr (Node::kNumbers) {
      return false;
    } else {
      return frame.sum == 0 || frame.sum == frame.weight;
    }
  }

  void make_leaf(const Frame& frame, const std::int64_t* total) {
    GrownNode& node = tree_.node[frame.node];
    if constexpr (Node::kNumbers) {
      node.low = static_cast<std::uint32_t>(tree_.value.size());
      const double mean = static_cast<double>(frame.sum) / static_cast<double>(frame.weight) / data_.scale;
      tree_.value.push_back(data_.offset + mean);
      tree_.weight.push_back(static_cast<std::uint32_t>(frame.weight));
      if (options_.max_leaves != kNone) tree_.sum.push_back(frame.sum);
    } else if constexpr (Node::kMany) {
      node.low = answers_.number({total, classes_}, tree_);
    } else {
      const std::array<std::int64_t, 2> both = {frame.weight - frame.sum, frame.sum};
      node.low = answers_.number(both, tree_);
    }
  }

  // What is known of the node before its search; false if its values are all the same.
  bool prepare(const Frame& frame, const Block& block, Node& node) {
    node.n = static_cast<double>(frame.weight);
    if constexpr (!Node::kNumbers) node.exact = !Node::kEntropy && options_.missing == Missing::learned;
    if constexpr (Node::kMany) {
      node.classes = padded_;
      node.labels = classes_;
      node.scratch = low_scratch_.data();
      node.become(node_total_.data(), node.n);
    } else if constexpr (Node::kNumbers) {
      const Entry* entry = entry_.data() + frame.begin;
      const std::uint32_t rows = frame.end - frame.begin;
      const std::int64_t centre = frame.sum / frame.weight;
      centre_ = centre;
      node.excess = static_cast<double>(frame.sum - centre * frame.weight) / node.n;
      node.centre = centre;
      node.total = frame.sum;
      std::int64_t largest = std::numeric_limits<std::int64_t>::min();
      std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
      for (std::uint32_t i = 0; i < rows; ++i) {
        const std::int64_t value = block.value[local_row(entry[i])] - centre;
        centred_[i] = value;
        largest = std::max(largest, value);
        smallest = std::min(smallest, value);
      }
      node.largest = largest;
      node.smallest = smallest;
      return largest > smallest;
    } else {
      node.ones = static_cast<double>(frame.sum);
    }
    return true;
  }

  void step(const Frame& frame, const Block& block) {
    Node node;
    if (!prepare(frame, block, node)) {
      make_leaf(frame, node_total_.data());
      return;
    }
    Rows<Node> rows;
    rows.entry = entry_.data() + frame.begin;
    rows.value = centred_.data();
    rows.size = frame.end - frame.begin;
    const bool found = search_.search(node, rows, block, frame.seed, frame.bounds);
    const double gain = found ? gain_of(node, search_.best()) : 0.0;
    if (!found || gain < options_.min_decrease * bag_weight_) {
      make_leaf(frame, node_total_.data());
    } else if (search_.best().base != 0 && options_.missing == Missing::own_branch) {
      split_in_three(frame, node, rows, gain);
    } else {
      split(frame, gain);
    }
  }

  double gain_of(const Node& node, const Cut& cut) const {
    if constexpr (Node::kEntropy) {
      return cut.score;
    } else if constexpr (Node::kMany) {
      return std::max(0.0, cut.score - static_cast<double>(node.squares) / node.n);
    } else if constexpr (Node::kNumbers) {
      return cut.score * node.n / (data_.scale * data_.scale);
    } else {
      return 2 * cut.score / node.n;
    }
  }

  // Two new nodes below a node, with what the node asks.
  std::uint32_t add_branches(std::uint32_t node, GrownNode asks, double gain) {
    asks.child = static_cast<std::uint32_t>(tree_.node.size());
    tree_.node.resize(asks.child + std::size_t{2});
    tree_.gain.resize(asks.child + std::size_t{2}, 0);
    tree_.gain[node] = gain;
    tree_.node[node] = asks;
    return asks.child;
  }

  void split(const Frame& frame, double gain) {
    side_.with(search_, options_, keys_[search_.column()], search_.key(), frame.end - frame.begin, frame.weight,
               frame.seed, tree_.set, [&](const auto& is_high, std::uint32_t lows, GrownNode asks) {
                 const std::uint32_t child = add_branches(frame.node, asks, gain);
                 divide(frame, search_.best(), child, search_.key(), is_high, lows);
               });
  }

  // What is known against what is missing, and at once the cut of what is known.
  void split_in_three(const Frame& frame, const Node& node, const Rows<Node>& rows, double gain) {
    const KeyColumn& of = keys_[search_.column()];
    const std::uint32_t* key = search_.key();
    out_.add_up(node, rows, key, of.missing);
    const std::uint32_t child = add_branches(frame.node, side_.apart(search_.column(), of, tree_.set), gain);
    Frame known = frame;
    known.node = child;
    known.seed = mix(frame.seed, 0);
    known.weight = frame.weight - out_.weight;
    Frame missing = frame;
    missing.node = child + 1;
    ++missing.depth;
    missing.seed = mix(frame.seed, 1);
    missing.weight = out_.weight;
    if constexpr (!Node::kMany) {
      missing.sum = out_.sum;
      if constexpr (Node::kNumbers) missing.sum += centre_ * out_.weight;
      known.sum = frame.sum - missing.sum;
    } else {
      for (std::uint32_t k = 0; k < padded_; ++k) node_total_[k] -= out_.by_class[k];
    }
    known_key_.clear();
    Entry* entry = entry_.data() + frame.begin;
    std::uint32_t b = 0;
    for (std::uint32_t i = 0; i < rows.size; ++i) {
      if (key[i] == of.missing) {
        spare_[b++] = entry[i];
      } else {
        entry[known_key_.size()] = entry[i];
        known_key_.push_back(key[i]);
      }
    }
    std::copy_n(spare_.data(), b, entry + known_key_.size());
    known.end = missing.begin = frame.begin + static_cast<std::uint32_t>(known_key_.size());
    if (closed(missing, out_.by_class.data())) {
      make_leaf(missing, out_.by_class.data());
    } else {
      push(missing, out_.by_class);
    }
    side_.with(search_, options_, of, known_key_.data(), known.end - known.begin, known.weight, frame.seed, tree_.set,
               [&](const auto& is_high, std::uint32_t lows, GrownNode asks) {
                 asks.second = 1;
                 const std::uint32_t below = add_branches(child, asks, 0.0);
                 divide(known, search_.best(), below, known_key_.data(), is_high, lows);
               });
  }

  template <class IsHigh>
  void divide(const Frame& frame, const Cut& cut, std::uint32_t child, const std::uint32_t* key, const IsHigh& is_high,
              std::uint32_t lows) {
    const std::uint32_t rows = frame.end - frame.begin;
    Entry* entry = entry_.data() + frame.begin;
    Frame low;
    low.bounds = frame.bounds;
    low.node = child;
    low.depth = frame.depth + 1;
    low.seed = mix(frame.seed, 0);
    low.weight = cut.weight;
    Frame high = low;
    high.node = child + 1;
    high.seed = mix(frame.seed, 1);
    high.weight = frame.weight - cut.weight;
    if constexpr (Node::kMany) {
      lows = 0;
      std::fill(low_scratch_.begin(), low_scratch_.end(), 0);
      for (std::uint32_t i = 0; i < rows; ++i) {
        const bool h = is_high(key[i]);
        const std::uint32_t p = payload(entry[i]);
        low_scratch_[p & ((1U << Node::kClassBits) - 1)] += h ? 0 : p >> Node::kClassBits;
        lows += h ? 0 : 1;
      }
      for (std::uint32_t k = 0; k < padded_; ++k) node_total_[k] -= low_scratch_[k];
    } else {
      if (lows == kUncounted) {
        lows = 0;
        for (std::uint32_t i = 0; i < rows; ++i) lows += is_high(key[i]) ? 0 : 1;
      }
      low.sum = cut.sum;
      if constexpr (Node::kNumbers) low.sum += centre_ * cut.weight;
      high.sum = frame.sum - low.sum;
      if (!options_.monotone.empty() && cut.apart == 0) bound(low, high);
    }
    low.begin = frame.begin;
    low.end = high.begin = frame.begin + lows;
    high.end = frame.end;
    const bool low_closed = closed(low, low_scratch_.data());
    const bool high_closed = closed(high, node_total_.data());
    if (!low_closed && !high_closed) {
      std::uint32_t a = 0;
      std::uint32_t b = 0;
      for (std::uint32_t i = 0; i < rows; ++i) {
        const Entry e = entry[i];
        const bool h = is_high(key[i]);
        entry[a] = e;
        spare_[b] = e;
        a += h ? 0 : 1;
        b += h ? 1 : 0;
      }
      std::copy_n(spare_.data(), b, entry + a);
    } else if (!low_closed) {
      std::uint32_t a = 0;
      for (std::uint32_t i = 0; i < rows; ++i) {
        entry[a] = entry[i];
        a += is_high(key[i]) ? 0 : 1;
      }
    } else if (!high_closed) {
      std::uint32_t b = 0;
      for (std::uint32_t i = 0; i < rows; ++i) {
        spare_[b] = entry[i];
        b += is_high(key[i]) ? 1 : 0;
      }
      std::copy_n(spare_.data(), b, entry + lows);
    }
    // The low branch is grown first: it lies on top, and so do its answers.
    if (low_closed) make_leaf(low, low_scratch_.data());
    if (high_closed) {
      make_leaf(high, node_total_.data());
    } else {
      push(high, node_total_);
    }
    if (!low_closed) push(low, low_scratch_);
  }

  // The answers below two branches stay apart, if those of their column have an order.
  void bound(Frame& low, Frame& high) const {
    const int sign = options_.monotone[search_.column()];
    if (sign == 0) return;
    const auto answer = [](const Frame& of) { return static_cast<double>(of.sum) / static_cast<double>(of.weight); };
    const double middle = (answer(low) + answer(high)) / 2;
    (sign > 0 ? low : high).bounds.most = middle;
    (sign > 0 ? high : low).bounds.least = middle;
  }

  void push(const Frame& frame, const std::vector<std::int64_t>& total) {
    stack_.push_back(frame);
    if constexpr (Node::kMany) totals_.insert(totals_.end(), total.begin(), total.end());
  }

  const ForestData& data_;
  const std::vector<KeyColumn>& keys_;
  ForestOptions options_;
  std::uint32_t classes_;
  std::uint32_t padded_;
  NodeSearch<Node> search_;
  Side side_;
  ClassAnswers answers_;
  std::vector<Block> blocks_;        // the whole table first
  std::vector<std::size_t> active_;  // the blocks that hold the node at hand, outermost first
  std::vector<Entry> entry_;
  std::vector<Entry> spare_;
  std::vector<std::int64_t> centred_;
  LeftOut out_;
  std::vector<std::uint32_t> known_key_;
  std::vector<std::int64_t> low_scratch_;
  std::vector<std::int64_t> node_total_;
  std::vector<std::int64_t> totals_;  // of the nodes on the stack
  std::vector<Frame> stack_;
  GrownTree tree_;
  std::int64_t centre_ = 0;
  double bag_weight_ = 0;
};

}  // namespace

std::unique_ptr<TreeGrower> make_grower(const ForestData& data, const Keys& keys, const ForestOptions& options) {
  if (options.entropy && data.classes > 16) return std::make_unique<Grower<EntropyNode<0>>>(data, keys, options);
  if (options.entropy && data.classes > 0) return std::make_unique<Grower<EntropyNode<16>>>(data, keys, options);
  if (data.classes == 0) return std::make_unique<Grower<NumberNode>>(data, keys, options);
  if (data.classes <= 2) return std::make_unique<Grower<TwoNode>>(data, keys, options);
  if (data.classes <= 4) return std::make_unique<Grower<ManyNode<4>>>(data, keys, options);
  if (data.classes <= 8) return std::make_unique<Grower<ManyNode<8>>>(data, keys, options);
  if (data.classes <= 16) return std::make_unique<Grower<ManyNode<16>>>(data, keys, options);
  return std::make_unique<Grower<ManyNode<0>>>(data, keys, options);
}

}  // namespace bough::forest
