// See error_based.hpp. The tree is edited in place of its nodes: `test_` says whose test (and children) each node has
// now, and a raised node takes those of its child. So nothing moves until the new tree is written at the end.
#include "bough/pruning/error_based.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/pruning/cost_complexity.hpp"
#include "bough/pruning/ledger.hpp"
#include "bough/pruning/pessimist.hpp"
#include "bough/pruning/regraft.hpp"
#include "bough/pruning/rows_down.hpp"
#include "bough/pruning/tally.hpp"
#include "bough/pruning/tolerance.hpp"

namespace bough {
namespace {

constexpr double slack = 0.1;             // a smaller tree may be worse by so many errors
constexpr double collapse_slack = 0.001;  // the same where training errors are compared

Pessimist make_pessimist(const ErrorBasedOptions& options) {
  if (!options.confidence) return {0.5, 0.5};  // nothing is asked of it
  return {*options.confidence, options.complement.value_or(1.0 - *options.confidence)};
}

class ErrorBased {
 public:
  ErrorBased(const Tree& tree, const RankedTable& table, const Target& target, const ErrorBasedOptions& options,
             Watch& watch)
      : tree_(tree),
        options_(options),
        watch_(watch),
        tolerance_{options.epsilon > 0.0 ? options.epsilon : 1e-12 * tree.weight.front()},
        tally_(target, tree.class_scale, tolerance_),
        ledger_(tree, wrong_),
        shape_(ledger_.shape()),
        pessimist_(make_pessimist(options)) {
    const std::size_t n = tree.parent.size();
    mass_.resize(n);
    wrong_.resize(n);
    below_.resize(n);
    sure_.resize(n);
    for (std::int32_t node = 0; node < tree.size(); ++node) {
      tally_.take(tree, node);
      mass_[node] = tolerance_.same(tree.weight[node], 0.0) ? 0.0 : tally_.mass();
      wrong_[node] = mass_[node] > 0.0 ? tally_.wrong() : 0.0;
    }
    ledger_.open();
    if (options.raising && options.confidence) rows_ = std::make_unique<RowsDown>(tree, table, target, options.epsilon);
  }

  void collapse();
  void prune();
  void replay(std::span<const PruningStep> cuts);
  PrunedTree result(const Target& target);

 private:
  struct Frame {
    std::int32_t node;
    std::int32_t next;  // the branch to go down next
    Crowd crowd;  // empty if nothing is raised
  };

  [[nodiscard]] std::span<const std::int32_t> children(std::int32_t node) const { return shape_.children(node); }
  [[nodiscard]] bool is_leaf(std::int32_t node) const { return shape_.is_leaf(node); }
  [[nodiscard]] double expected(double mass, double wrong) const {
    return tolerance_.same(mass, 0.0) ? 0.0 : wrong + pessimist_.added(mass, wrong);
  }
  [[nodiscard]] double expected_of(const Crowd& crowd) {
    tally_.take(*rows_, crowd);
    return expected(tally_.mass(), tally_.wrong());
  }
  [[nodiscard]] std::int32_t largest(std::int32_t node) const;
  [[nodiscard]] double raised(std::int32_t branch, const Crowd& crowd, double bound);
  bool decide(const Frame& frame);
  void settle(std::int32_t node, const Crowd& crowd);
  void raise(std::int32_t node, std::int32_t child, const Crowd& crowd, double before, double after);

  // Sends a crowd through the subtree of a node, in preorder: visit(node, crowd) says whether to go on below.
  enum class Go : std::uint8_t { down, past, home };
  template <class Visit>
  void send(std::int32_t node, const Crowd& crowd, const Visit& visit);

  const Tree& tree_;
  const ErrorBasedOptions& options_;
  Watch& watch_;
  Tolerance tolerance_;
  Tally tally_;
  Ledger ledger_;
  const Shape& shape_;
  Pessimist pessimist_;
  std::unique_ptr<RowsDown> rows_;  // none if nothing is raised
  std::vector<double> mass_;    // scaled weight of each node
  std::vector<double> wrong_;   // what of it a leaf would get wrong
  std::vector<double> below_;   // finished nodes: errors to expect of the subtree
  // The same of the rows that come down whole. They stay where they are when more rows join them, and more rows are
  // never expected to make fewer errors: a bound for what a branch will do with the rows of its parent.
  std::vector<double> sure_;
};

void ErrorBased::collapse() {
  std::vector<double> wrong(wrong_);  // of the leaves below
  for (std::int32_t node = tree_.size(); node-- > 0;) {
    if (is_leaf(node)) continue;
    wrong[node] = 0.0;
    for (const std::int32_t child : children(node)) wrong[node] += wrong[child];
  }
  for (std::int32_t node = 0; node < tree_.size();) {
    if (!is_leaf(node) && wrong[node] >= wrong_[node] - collapse_slack) {
      ledger_.make_leaf(node, wrong[node], wrong_[node], true);
      node = tree_.end[node];
    } else {
      ++node;
    }
  }
}

std::int32_t ErrorBased::largest(std::int32_t node) const {
  std::int32_t chosen = children(node).front();
  double most = 0.0;
  for (const std::int32_t child : children(node)) {
    if (!tolerance_.at_most(most, mass_[child])) continue;
    most = mass_[child];
    chosen = child;
  }
  return chosen;
}

template <class Visit>
void ErrorBased::send(std::int32_t node, const Crowd& crowd, const Visit& visit) {
  std::vector<Frame> path = {{node, -1, crowd}};
  Go go = Go::down;
  while (!path.empty()) {
    Frame& at = path.back();
    if (at.next < 0) {
      watch_.poll(at.crowd.size() + 1);
      if (go != Go::home) go = visit(at.node, at.crowd);
      if (go == Go::down && !is_leaf(at.node)) {
        rows_->deal(shape_.test(at.node), at.crowd);
        at.next = 0;
      } else {
        if (path.size() > 1) rows_->release(at.crowd);
        path.pop_back();
        continue;
      }
    }
    const auto all = children(at.node);
    if (go == Go::home || at.next == static_cast<std::int32_t>(all.size())) {
      rows_->undo();
      if (path.size() > 1) rows_->release(at.crowd);
      path.pop_back();
      continue;
    }
    const std::int32_t branch = at.next++;
    path.push_back({all[branch], -1, rows_->child(branch)});
  }
}

// The errors to expect of a subtree with the rows of its parent; more than `bound` need not be exact.
double ErrorBased::raised(std::int32_t branch, const Crowd& crowd, double bound) {
  double sum = 0.0;
  double rest = sure_[branch];  // at least so much is still to come
  const double rounding = 1e-9 * (1.0 + rest);
  send(branch, crowd, [&](std::int32_t node, const Crowd& here) {
    if (!is_leaf(node)) return Go::down;
    sum += expected_of(here);
    rest -= sure_[node];
    return sum + rest > bound + rounding ? Go::home : Go::down;
  });
  return sum + std::max(rest, 0.0);
}

// The rows of a node replace those of all nodes below it.
void ErrorBased::settle(std::int32_t node, const Crowd& crowd) {
  send(node, crowd, [&](std::int32_t at, const Crowd& here) {
    if (at == node) return Go::down;
    tally_.take(*rows_, here);
    mass_[at] = tally_.mass();
    wrong_[at] = tally_.wrong();
    return Go::down;
  });
}

void ErrorBased::raise(std::int32_t node, std::int32_t child, const Crowd& crowd, double before, double after) {
  const std::int32_t branch = tree_.branch[child];
  ledger_.raise(node, branch);
  settle(node, crowd);
  ledger_.changed(node, branch, before, after);
}

// What becomes of a node whose children are finished; true if it was raised and is to be pruned again.
bool ErrorBased::decide(const Frame& frame) {
  const std::int32_t node = frame.node;
  const double as_leaf = expected(mass_[node], wrong_[node]);
  double as_tree = 0.0;
  for (const std::int32_t child : children(node)) as_tree += below_[child];
  double as_branch = std::numeric_limits<double>::infinity();
  std::int32_t branch = -1;
  if (options_.raising) {
    branch = largest(node);
    const double bound = as_tree + slack + tolerance_.epsilon;
    as_branch = is_leaf(branch) ? as_leaf : raised(branch, frame.crowd, bound);
  }
  below_[node] = as_tree;
  sure_[node] = 0.0;
  for (const std::int32_t child : children(node)) sure_[node] += sure_[child];
  if (tolerance_.at_most(as_leaf, as_tree + slack) && tolerance_.at_most(as_leaf, as_branch + slack)) {
    ledger_.make_leaf(node, as_tree, as_leaf);
    below_[node] = as_leaf;
    if (rows_) sure_[node] = expected_of({frame.crowd.whole_begin, frame.crowd.whole_end, 0, 0});
  } else if (tolerance_.at_most(as_branch, as_tree + slack)) {
    raise(node, branch, frame.crowd, as_tree, as_branch);
    return true;
  }
  return false;
}

void ErrorBased::prune() {
  if (is_leaf(0)) return;
  std::vector<Frame> path = {{0, 0, rows_ ? rows_->all() : Crowd{}}};
  while (!path.empty()) {
    Frame& at = path.back();
    watch_.poll(at.next == 0 ? at.crowd.size() : 1);
    if (at.next == 0 && rows_) rows_->deal(shape_.test(at.node), at.crowd);
    const auto all = children(at.node);
    std::int32_t down = -1;
    while (down < 0 && at.next < static_cast<std::int32_t>(all.size())) {
      const std::int32_t branch = at.next++;
      const std::int32_t child = all[branch];
      if (is_leaf(child)) {
        below_[child] = expected(mass_[child], wrong_[child]);
        if (rows_) sure_[child] = expected_of(rows_->whole_child(branch));
      } else {
        down = branch;
      }
    }
    if (down >= 0) {
      path.push_back({all[down], 0, rows_ ? rows_->child(down) : Crowd{}});
      continue;
    }
    if (rows_) rows_->undo();
    if (decide(at)) {
      at.next = 0;
      continue;
    }
    if (rows_ && path.size() > 1) rows_->release(at.crowd);
    path.pop_back();
    watch_.done(1.0);
  }
}

void ErrorBased::replay(std::span<const PruningStep> cuts) {
  for (const PruningStep& cut : cuts) {
    const bool fits = cut.node >= 0 && cut.node < tree_.size() && !is_leaf(cut.node) &&
                      cut.branch < static_cast<std::int32_t>(children(cut.node).size());
    if (!fits) throw InvalidInput("cuts", "they are not those of this tree");
    if (cut.branch < 0) {
      ledger_.make_leaf(cut.node, cut.before, cut.after);
    } else {
      ledger_.raise(cut.node, cut.branch);
      ledger_.changed(cut.node, cut.branch, cut.before, cut.after);
    }
  }
}

PrunedTree ErrorBased::result(const Target& target) {
  PrunedTree pruned;
  std::vector<NodeStats> fresh;
  std::vector<std::int32_t> fresh_at(tree_.parent.size(), -1);
  const std::vector<std::int32_t> order = shape_.preorder();
  const std::vector<Renewal> renewal = shape_.renewals(order);
  if (renewal.front() != Renewal::none) {
    send(0, rows_->all(), [&](std::int32_t node, const Crowd& here) {
      if (renewal[node] == Renewal::none) return Go::past;
      if (renewal[node] == Renewal::own) {
        tally_.take(*rows_, here);
        fresh_at[node] = static_cast<std::int32_t>(fresh.size());
        fresh.push_back(tally_.stats(target, options_.criterion));
        fresh.back().rows = tolerance_.same(fresh.back().weight, 0.0) ? 0 : here.size();
      }
      return Go::down;
    });
  }
  pruned.tree = regraft(tree_, shape_, order, fresh, fresh_at);
  pruned.tree.complexity = node_complexity(pruned.tree, ComplexityRule::weakest_link, 0.0);
  pruned.log = ledger_.take_log();
  return pruned;
}

// Whether every row goes on at every test: rows that stay would be in no branch that is raised.
bool can_raise(const Tree& tree) {
  const Routing& routing = tree.routing;
  if (routing.absent == Otherwise::stop) return false;
  if (routing.fallback != Otherwise::stop) return true;
  for (std::int32_t node = 0; node < tree.size(); ++node) {
    if (!tree.is_leaf(node) && tree.splits.missing_branch(tree.split_begin[node]) < 0) return false;
  }
  return true;
}

void check(const Tree& tree, const RankedTable& table, const Target& target, const ErrorBasedOptions& options) {
  if (!tree.is_classifier() || target.classes != tree.class_scale.size()) {
    throw InvalidInput("tree", "error-based pruning counts errors: the tree and the target have the same classes");
  }
  if (target.label.size() != table.rows) throw InvalidInput("label", "one for each row is needed");
  if (!target.cost.empty()) throw InvalidInput("cost", "error-based pruning counts errors and knows no costs");
  if (!std::isfinite(options.epsilon) || options.epsilon < 0.0) {
    throw InvalidInput("epsilon", "expected a finite number of at least 0");
  }
  if (options.raising && options.confidence && !can_raise(tree)) {
    throw InvalidInput("raising", "needs a tree in which no case stops at a test whose value is missing");
  }
}

}  // namespace

PrunedTree prune_error_based(const Tree& tree, const RankedTable& table, const Target& target,
                             const ErrorBasedOptions& options, Watch& watch) {
  check(tree, table, target, options);
  ErrorBased work(tree, table, target, options, watch);
  if (options.collapse) work.collapse();
  if (options.confidence) work.prune();
  return work.result(target);
}

PrunedTree replay_cuts(const Tree& tree, const RankedTable& table, const Target& target,
                       std::span<const PruningStep> cuts, const ErrorBasedOptions& options, Watch& watch) {
  ErrorBasedOptions asked = options;
  asked.raising = std::any_of(cuts.begin(), cuts.end(), [](const PruningStep& cut) { return cut.branch >= 0; });
  check(tree, table, target, asked);
  ErrorBased work(tree, table, target, asked, watch);
  work.replay(cuts);
  return work.result(target);
}

}  // namespace bough
