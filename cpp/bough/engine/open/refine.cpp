// See refine.hpp.
#include "bough/engine/open/refine.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "bough/criterion/judge.hpp"
#include "bough/engine/centre.hpp"
#include "bough/engine/open/given.hpp"
#include "bough/engine/open/grow.hpp"
#include "bough/engine/open/held_stats.hpp"
#include "bough/engine/open/search.hpp"
#include "bough/engine/open/sending.hpp"

namespace bough {
namespace {

constexpr int kPasses = 20;

std::vector<LinearTerm> terms_of(const TermLists& lists, std::int64_t k) {
  std::vector<LinearTerm> found;
  for (std::int64_t t = lists.begin[k]; t < lists.begin[k + 1]; ++t) found.push_back(term_at(lists, t));
  return found;
}

// The primary test of a node, as a search would hand it over.
Candidate test_of(const SplitPool& pool, std::int64_t s) {
  Candidate test;
  test.column = pool.column[s];
  test.found = pool.found[s];
  test.missing = pool.missing_branch(s);
  if (pool.kind[s] == SplitKind::levels) {
    const std::uint64_t set = pool.payload[s];
    test.levels = std::make_unique<LevelSet>();
    test.levels->branches = 0;
    for (std::int64_t k = pool.set_begin[set]; k < pool.set_begin[set + 1]; ++k) {
      test.levels->code.push_back(pool.set_code[k]);
      test.levels->branch.push_back(pool.set_branch[k]);
      test.levels->branches = std::max(test.levels->branches, pool.set_branch[k] + 1);
    }
    return test;
  }
  test.open = std::make_unique<OpenTest>();
  if (pool.kind[s] == SplitKind::holds) {
    const auto list = static_cast<std::int64_t>(pool.payload[s]);
    for (std::int64_t t = pool.terms.begin[list]; t < pool.terms.begin[list + 1]; ++t)
      test.open->terms.push_back({.asked = pool.terms.at(t), .given = true});
    test.open->holds = pool.low[s];
    return test;
  }
  if (pool.kind[s] == SplitKind::threshold) {
    const std::int32_t low = pool.low[s];
    test.open->fixed = {{pool.payload[s], pool.value_type[s], pool.side[s]}};
    test.open->branch = {low, 1 - low};
  } else {
    const auto list = static_cast<std::int64_t>(pool.payload[s]);
    for (std::int64_t e = pool.edge_begin[list]; e < pool.edge_begin[list + 1]; ++e)
      test.open->fixed.push_back({pool.edge_bits[e], pool.edge_type[e], pool.side[s]});
    for (std::int64_t i = pool.edge_begin[list] + list; i <= pool.edge_begin[list + 1] + list; ++i)
      test.open->branch.push_back(pool.interval_branch[i]);
  }
  if (const std::int32_t list = pool.derived_of(s); list >= 0) {
    test.open->sum = terms_of(pool.sums, list);
    if (const std::int32_t units = pool.sums.layers.of(list); units > 0) {
      const std::span<const double> numbers = pool.sums.layers.numbers(list);
      test.open->layer = {units, {numbers.begin(), numbers.end()}};
    }
    test.open->whole = !pool.sums.whole.empty() && pool.sums.whole[list] != 0;
  }
  return test;
}

// Levels that the rows hold but no row that was asked: both branches serve them alike, and they take the first.
void add_indifferent(LevelSet& levels, const RankedColumn& column, const Holding& held) {
  std::vector<std::int32_t> branch(column.ranks, -1);
  for (const std::uint32_t row : held.row) {
    if (!column.is_missing(row)) branch[column.rank[row]] = 0;
  }
  for (std::size_t i = 0; i < levels.code.size(); ++i) {
    const bool two_sides = levels.branch.empty();
    branch[static_cast<std::size_t>(levels.code[i])] = two_sides ? 1 - levels.low[i] : levels.branch[i];
  }
  levels = {.code = {}, .low = {}, .branch = {}, .branches = levels.branches};
  for (std::size_t code = 0; code < branch.size(); ++code) {
    if (branch[code] < 0) continue;
    levels.code.push_back(static_cast<std::int32_t>(code));
    levels.branch.push_back(branch[code]);
  }
}

// The options by which a test is looked for that tells two branches apart: how many rows a branch has is not asked.
GrowOptions to_tell_apart(const GrowOptions& options) {
  GrowOptions own = options;
  own.criterion = Criterion::gini;
  own.leaf = LeafRule::by_criterion;
  own.branching = Branching::binary;
  own.gain = {};
  own.stop = {};
  own.expert = {};
  own.judge = nullptr;
  own.refused = nullptr;
  own.choices = nullptr;
  own.zero_gain = false;
  own.min_leaf_weight = 0.0;
  own.min_leaf_rows = 1;
  own.max_competitors = 0;
  own.surrogates.most = 0;
  if (own.missing == MissingRule::own_branch) own.missing = MissingRule::majority;
  if (own.selection.search == SearchRule::omnivariate) {
    own.selection = options.omnivariate.contenders.back().selection;
    own.oblique = options.omnivariate.contenders.back().oblique;
    own.omnivariate = {};
  }
  return own;
}

Target two_branches(std::size_t rows) {
  Target target;
  target.classes = 2;
  target.label.assign(rows, 0);
  target.growth_scale = target.class_scale = {1.0, 1.0};
  return target;
}

class Refiner {
 public:
  Refiner(const Tree& tree, const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch);

  // Passes until one changes nothing; whether any did.
  bool improve();
  // What the rows of training lose.
  [[nodiscard]] double loss();
  // The tests that are left, without branches that hold no row.
  [[nodiscard]] std::vector<GivenNode> given();

 private:
  struct Node {
    Candidate test;
    std::vector<std::int32_t> child;
    std::unique_ptr<Sender> sender;
    Holding own;
    NodeStats answer;
  };

  // Sends the rows of training down, and settles what nodes answer and how they send.
  void fill();
  [[nodiscard]] std::unique_ptr<Sender> settled(const Candidate& test, const Holding& held);
  [[nodiscard]] double loss_at(const NodeStats& answer, std::uint32_t row) const;
  // Of a row that comes to a node.
  [[nodiscard]] double loss_below(std::int32_t node, std::uint32_t row) const;
  bool improve(std::int32_t at);
  [[nodiscard]] Candidate search(const Holding& held, const std::vector<double>& prefers, std::uint64_t key);

  const RankedTable& table_;
  const Target& target_;
  const GrowOptions& options_;
  Watch& watch_;
  const Routing routing_;
  XLog2X xlogx_;
  GainRule rule_;
  std::unique_ptr<Judge> judge_;
  Target apart_;  // two classes: the branch that a row should take
  GrowOptions apart_options_;
  std::unique_ptr<Judge> apart_judge_;
  OpenSearch search_;
  double centre_ = 0.0;
  double scale_ = 0.0;  // of losses: changes below its rounding are none
  std::vector<Node> nodes_;
};

Refiner::Refiner(const Tree& tree, const RankedTable& table, const Target& target, const GrowOptions& options,
                 Watch& watch)
    : table_(table),
      target_(target),
      options_(options),
      watch_(watch),
      routing_(routing_of(options)),
      xlogx_(0),
      rule_(options, xlogx_),
      judge_(make_judge(target, options, rule_)),
      apart_(two_branches(table.rows)),
      apart_options_(to_tell_apart(options)),
      apart_judge_(make_judge(apart_, apart_options_, rule_)),
      search_(table, apart_, apart_options_, *apart_judge_, rule_, watch) {
  for (std::int32_t i = 0; i < tree.size(); ++i) {
    Node& node = nodes_.emplace_back();
    if (tree.is_leaf(i)) continue;
    node.test = test_of(tree.splits, tree.split_begin[i]);
    for (std::int32_t c = tree.child_begin[i]; c < tree.child_begin[i + 1]; ++c) node.child.push_back(tree.children[c]);
  }
  Holding& all = nodes_.front().own;
  double sum = 0.0;
  double weight = 0.0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const double w = target.weight.empty() ? 1.0 : target.weight[row];
    if (!(w > 0.0)) continue;
    all.add(static_cast<std::uint32_t>(row), w);
    weight += w;
    if (target.classes == 0) sum += w * target.value[row];
  }
  if (target.classes == 0) centre_ = round_centre(sum / weight, target, all.row);
}

double Refiner::loss_at(const NodeStats& answer, std::uint32_t row) const {
  if (target_.classes == 0) {
    const double off = target_.value[row] - centre_ - answer.value;
    const bool absolute = options_.criterion == Criterion::absolute_error;
    return absolute ? std::abs(off) : off * off;
  }
  const std::uint32_t truth = target_.label[row];
  const auto decided = static_cast<std::size_t>(answer.label);
  const double cost = target_.cost.empty() ? (truth == decided ? 0.0 : 1.0)
                                           : target_.cost[truth * std::size_t{target_.classes} + decided];
  return target_.class_scale[truth] * cost;
}

double Refiner::loss_below(std::int32_t node, std::uint32_t row) const {
  while (true) {
    const Node& here = nodes_[static_cast<std::size_t>(node)];
    if (here.child.empty() || here.sender == nullptr) return loss_at(here.answer, row);
    const std::int32_t branch = here.sender->branch(table_, routing_, row);
    if (branch < 0) return loss_at(here.answer, row);
    node = here.child[static_cast<std::size_t>(branch)];
  }
}

std::unique_ptr<Sender> Refiner::settled(const Candidate& test, const Holding& held) {
  auto sender = std::make_unique<Sender>(table_, test);
  settle(*sender, table_, send_by_test(*sender, test, held), held, {}, options_, watch_);
  return sender;
}

void Refiner::fill() {
  std::vector<std::int32_t> waiting = {0};
  nodes_.front().answer = stats_of(nodes_.front().own, target_, options_, *judge_, centre_);
  while (!waiting.empty()) {
    Node& node = nodes_[static_cast<std::size_t>(waiting.back())];
    waiting.pop_back();
    node.sender.reset();
    if (node.child.empty()) continue;
    SentRows sent;
    sent.child.resize(node.child.size());
    if (node.own.size() > 0) {
      node.sender = settled(node.test, node.own);
      sent = node.sender->send(table_, node.own, options_);
    }
    for (std::size_t b = 0; b < node.child.size(); ++b) {
      Node& child = nodes_[static_cast<std::size_t>(node.child[b])];
      child.own = std::move(sent.child[b]);
      child.answer = child.own.size() > 0 ? stats_of(child.own, target_, options_, *judge_, centre_) : node.answer;
      waiting.push_back(node.child[b]);
    }
  }
}

double Refiner::loss() {
  fill();
  double sum = 0.0;
  const Holding& all = nodes_.front().own;
  for (std::size_t i = 0; i < all.size(); ++i) sum += all.weight[i] * loss_below(0, all.row[i]);
  return sum;
}

// `prefers`: by position, how much less the row loses in the second branch than in the first.
Candidate Refiner::search(const Holding& held, const std::vector<double>& prefers, std::uint64_t key) {
  Holding asked;
  double most = 0.0;
  for (const double one : prefers) most = std::max(most, std::abs(one));
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (prefers[i] == 0.0) continue;
    asked.add(held.row[i], held.weight[i] * (std::abs(prefers[i]) / most));
    apart_.label[held.row[i]] = prefers[i] > 0.0 ? 1 : 0;
  }
  Candidate none;
  if (asked.size() < 2) return none;
  const NodeStats stats = stats_of(asked, apart_, apart_options_, *apart_judge_, 0.0);
  if (stats.pure) return none;
  NodeView view = view_node(asked, stats, apart_, StatKind::classes, 0.0);
  view.key = key;
  std::size_t offered = 0;
  std::vector<Candidate> tests = search_.search(view, {}, offered);
  return tests.empty() ? std::move(none) : std::move(tests.front());
}

bool Refiner::improve(std::int32_t at) {
  Node& node = nodes_[static_cast<std::size_t>(at)];
  const Holding& held = node.own;
  if (node.child.size() != 2 || held.size() == 0) return false;
  std::vector<double> loss[2];
  std::vector<double> prefers;
  double before = 0.0;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::uint32_t row = held.row[i];
    for (std::size_t b = 0; b < 2; ++b) loss[b].push_back(loss_below(node.child[b], row));
    prefers.push_back(loss[0][i] - loss[1][i]);
    before += held.weight[i] * loss_below(at, row);
  }
  watch_.poll(held.size());
  Candidate test = search(held, prefers, static_cast<std::uint64_t>(at) + 1);
  if (test.column < 0) return false;
  if (test.levels != nullptr)
    add_indifferent(*test.levels, table_.columns[static_cast<std::size_t>(test.column)], held);
  std::unique_ptr<Sender> sender = settled(test, held);
  if (sender->test.branches() != 2) return false;
  double after[2] = {0.0, 0.0};  // as the branches are, and exchanged
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::int32_t branch = sender->branch(table_, routing_, held.row[i]);
    for (std::size_t way = 0; way < 2; ++way) {
      const double lost = branch < 0 ? loss_at(node.answer, held.row[i]) : loss[(branch == 0 ? 0U : 1U) ^ way][i];
      after[way] += held.weight[i] * lost;
    }
  }
  const std::size_t way = after[1] < after[0] ? 1 : 0;
  if (!(after[way] < before - 1e-12 * scale_)) return false;
  if (way == 1) std::swap(node.child[0], node.child[1]);
  node.test = std::move(test);
  node.sender = std::move(sender);
  return true;
}

bool Refiner::improve() {
  scale_ = loss();
  bool any = false;
  for (int pass = 0; pass < kPasses; ++pass) {
    fill();
    bool changed = false;
    for (auto at = static_cast<std::int32_t>(nodes_.size()); at-- > 0;) changed = improve(at) || changed;
    if (!changed) break;
    any = true;
  }
  return any;
}

std::vector<GivenNode> Refiner::given() {
  fill();
  // A node of which one branch has all the rows is what that branch is.
  const auto held = [&](std::int32_t at) {
    while (true) {
      const Node& node = nodes_[static_cast<std::size_t>(at)];
      std::int32_t only = -1;
      for (const std::int32_t child : node.child) {
        if (nodes_[static_cast<std::size_t>(child)].own.size() == 0) continue;
        if (only >= 0) return at;
        only = child;
      }
      if (only < 0 || nodes_[static_cast<std::size_t>(only)].own.size() < node.own.size()) return at;
      at = only;
    }
  };
  std::vector<GivenNode> found(1);
  std::vector<std::pair<std::int32_t, std::size_t>> waiting = {{held(0), 0}};
  while (!waiting.empty()) {
    const auto [at, number] = waiting.back();
    waiting.pop_back();
    Node& node = nodes_[static_cast<std::size_t>(at)];
    if (node.child.empty() || node.own.size() == 0) continue;
    const bool empty = std::ranges::all_of(
        node.child, [&](std::int32_t child) { return nodes_[static_cast<std::size_t>(child)].own.size() == 0; });
    if (empty) continue;
    found[number].test = std::move(node.test);
    for (const std::int32_t child : node.child) {
      found[number].child.push_back(static_cast<std::int32_t>(found.size()));
      waiting.emplace_back(held(child), found.size());
      found.emplace_back();
    }
  }
  return found;
}

}  // namespace

Tree refine(const Tree& tree, const RankedTable& table, const Target& target, const GrowOptions& options,
            Watch& watch) {
  Refiner refiner(tree, table, target, options, watch);
  const double before = refiner.loss();
  if (!refiner.improve()) return tree;
  std::vector<GivenNode> given = refiner.given();
  GrowOptions filled = options;
  filled.given = &given;
  filled.stop = {};
  filled.expert = {};
  filled.ahead = {};
  filled.max_leaf_nodes = -1;
  filled.choices = nullptr;
  Tree better = grow_open(table, target, filled, watch);
  const double after = Refiner(better, table, target, options, watch).loss();
  // Where missing values go depends on the rows of a node, which have changed: that may undo what was won.
  if (after < before) return better;
  return tree;
}

}  // namespace bough
