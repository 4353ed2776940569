#include "bough/engine/open/grow.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/criterion/judge.hpp"
#include "bough/engine/centre.hpp"
#include "bough/engine/open/after_split.hpp"
#include "bough/engine/open/expert.hpp"
#include "bough/engine/open/given.hpp"
#include "bough/engine/open/held_stats.hpp"
#include "bough/engine/open/look_ahead.hpp"
#include "bough/engine/open/search.hpp"
#include "bough/engine/open/sending.hpp"
#include "bough/engine/sprout.hpp"
#include "bough/search/omnivariate.hpp"
#include "bough/stopping/stopping.hpp"

namespace bough {
namespace {

// A node: its rows while it waits, later its splits and its children.
struct OpenNode {
  Holding own;
  std::shared_ptr<const Holding> shared;  // rows of which it gets a share; joined when the node is visited
  double share = 0.0;
  Holding validation;
  NodeStats stats;
  std::int64_t depth = 0;
  std::uint64_t key = 1;
  ExpertPlace place;
  std::vector<Candidate> tests;
  NodeChoice choice;
  std::int32_t given = -1;  // its number where tests are given
  std::size_t offered = 0;  // columns that had a test
  std::vector<Surrogate> surrogates;
  std::int32_t majority = -1;
  std::int32_t first_child = -1;
  std::int32_t children = 0;
  bool searched = false;
};

// Looking ahead starts from so many tests.
GrowOptions with_beam(const GrowOptions& options) {
  GrowOptions more = options;
  if (options.ahead.depth > 1)
    more.max_competitors = std::max(options.max_competitors, static_cast<int>(options.ahead.beam) - 1);
  return more;
}

class OpenGrower {
 public:
  OpenGrower(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch);

  Tree run();

 private:
  void join_shares(OpenNode& node) const;
  void search(OpenNode& node) const;
  // The children of a node, if its best test is good enough.
  bool split(std::int32_t at);
  // Notes a split that the rows of validation did not want.
  void refuse(std::int32_t at, const Sender& sender, const std::vector<NodeStats>& children,
              const AfterSplit::Verdict& verdict);
  [[nodiscard]] std::vector<CellSum> sums_of(const Sent& sent, const Holding& held, const NodeStats& node) const;
  [[nodiscard]] std::vector<NodeStats> stats_of_children(const NodeStats& node, const SentRows& rows) const;
  [[nodiscard]] NodeStats stats_or_empty(const Holding& held, const NodeStats& parent) const;
  void free_rows(OpenNode& node) const {
    if (node.children == 0) watch_.done(static_cast<double>(node.own.size()));
    node.own = {};
    node.validation = {};
    node.shared.reset();
  }
  void grow_in_turn();
  void grow_best_first();
  Tree assemble();

  const RankedTable& table_;
  const Target& target_;
  const GrowOptions& options_;
  GrowOptions search_options_;
  Watch& watch_;
  XLog2X xlogx_;
  GainRule rule_;
  std::unique_ptr<Judge> own_judge_;
  const Judge* judge_;
  OpenSearch search_;
  std::unique_ptr<LookingAhead> ahead_;
  std::unique_ptr<Omnivariate> omnivariate_;
  Stopping stopping_;
  Expert expert_;
  double centre_ = 0.0;
  std::unique_ptr<DistinctRows> distinct_;
  std::unique_ptr<AfterSplit> after_;
  std::deque<OpenNode> nodes_;
};

OpenGrower::OpenGrower(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch)
    : table_(table),
      target_(target),
      options_(options),
      search_options_(with_beam(options)),
      watch_(watch),
      xlogx_(target.weight.empty() ? table.rows : 0),
      rule_(options, xlogx_),
      own_judge_(options.judge == nullptr ? make_judge(target, options, rule_) : nullptr),
      judge_(options.judge == nullptr ? own_judge_.get() : options.judge),
      search_(table, target, search_options_, *judge_, rule_, watch),
      stopping_(options),
      expert_(options.expert, table.columns.size()) {}

void OpenGrower::join_shares(OpenNode& node) const {
  if (node.shared == nullptr) return;
  for (std::size_t i = 0; i < node.shared->size(); ++i)
    node.own.add(node.shared->row[i], node.share * node.shared->weight[i]);
  node.shared.reset();
}

NodeStats OpenGrower::stats_or_empty(const Holding& held, const NodeStats& parent) const {
  if (held.size() > 0) return stats_of(held, target_, options_, *judge_, centre_);
  // A branch without rows answers as the node does.
  NodeStats stats = parent;
  stats.rows = 0;
  stats.weight = stats.effective = stats.risk = 0.0;
  stats.pure = true;
  return stats;
}

void OpenGrower::search(OpenNode& node) const {
  node.searched = true;
  if (options_.given != nullptr) {
    GivenNode& given = (*options_.given)[static_cast<std::size_t>(node.given)];
    if (given.child.empty()) return;
    const NodeView view = view_node(node.own, node.stats, target_, stat_kind(target_, options_.criterion), centre_);
    node.tests.push_back(search_.rated(view, std::move(given.test)));
    return;
  }
  const ForcedSplit* forced = expert_.forced(node.place);
  if (forced != nullptr) {
    NodeView view = view_node(node.own, node.stats, target_, stat_kind(target_, options_.criterion), centre_);
    node.tests.push_back(search_.forced(view, *forced, expert_.name(node.place)));
    return;
  }
  if (!stopping_.before_search(node.stats, node.depth)) return;
  NodeView view = view_node(node.own, node.stats, target_, stat_kind(target_, options_.criterion), centre_);
  view.key = node.key;
  const std::vector<std::uint8_t>& allowed = expert_.allowed(node.place);
  node.tests = omnivariate_ != nullptr ? omnivariate_->search(view, node.validation, allowed, node.offered, node.choice)
                                       : search_.search(view, allowed, node.offered);
  if (ahead_ != nullptr && node.tests.size() > 1) {
    ahead_->choose(node.tests, view, centre_, allowed,
                   [&](const NodeStats& child) { return stopping_.before_search(child, node.depth + 1); });
  }
  if (node.tests.size() > static_cast<std::size_t>(options_.max_competitors) + 1)
    node.tests.resize(static_cast<std::size_t>(options_.max_competitors) + 1);
  if (!node.tests.empty() && !stopping_.after_search(node.stats, node.tests.front().gain)) node.tests.clear();
}

std::vector<CellSum> OpenGrower::sums_of(const Sent& sent, const Holding& held, const NodeStats& node) const {
  const bool classes = target_.classes > 0;
  const double mean = classes ? 0.0 : node.sum / node.weight;
  std::vector<CellSum> sums(static_cast<std::size_t>(sent.branches));
  for (CellSum& sum : sums) sum.stat.assign(classes ? target_.classes : 3, 0.0);
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (sent.branch[i] < 0) continue;
    CellSum& sum = sums[static_cast<std::size_t>(sent.branch[i])];
    const double w = held.weight[i];
    if (classes) {
      const std::uint32_t label = target_.label[held.row[i]];
      sum.stat[label] += w;  // a test of chance counts rows, whatever priors and costs make of them
    } else {
      const double y = target_.value[held.row[i]] - centre_ - mean;
      sum.stat[0] += w;
      sum.stat[1] += w * y;
      sum.stat[2] += w * y * y;
    }
  }
  // Branches without rows are no groups.
  std::erase_if(sums, [](const CellSum& sum) {
    return std::all_of(sum.stat.begin(), sum.stat.end(), [](double value) { return value == 0.0; });
  });
  return sums;
}

std::vector<NodeStats> OpenGrower::stats_of_children(const NodeStats& node, const SentRows& rows) const {
  std::vector<NodeStats> stats;
  for (std::size_t b = 0; b < rows.child.size(); ++b) {
    if (rows.shared == nullptr || rows.share[b] == 0.0) {
      stats.push_back(stats_or_empty(rows.child[b], node));
      continue;
    }
    OpenNode child;
    child.own = rows.child[b];
    child.shared = rows.shared;
    child.share = rows.share[b];
    join_shares(child);
    stats.push_back(stats_or_empty(child.own, node));
  }
  return stats;
}

void OpenGrower::refuse(std::int32_t at, const Sender& sender, const std::vector<NodeStats>& children,
                        const AfterSplit::Verdict& verdict) {
  const OpenNode& node = nodes_[static_cast<std::size_t>(at)];
  Sprout stump(table_, target_, options_, centre_, distinct_.get());
  stump.add_node(-1, node.stats);
  stump.add_splits(node.tests, sender.surrogates, 0, sender.majority);
  for (const NodeStats& child : children) stump.add_node(0, child);
  options_.refused->push_back({at, verdict.without, verdict.with, std::move(stump).finish()});
}

bool OpenGrower::split(std::int32_t at) {
  OpenNode& node = nodes_[static_cast<std::size_t>(at)];
  const Candidate& best = node.tests.front();
  Sender sender(table_, best);
  const Sent sent = send_by_test(sender, best, node.own);
  const bool given = options_.given != nullptr || expert_.forced(node.place) != nullptr;
  if (!given && options_.stop.significance > 0.0 &&
      !after_->significant(sums_of(sent, node.own, node.stats), node.offered))
    return false;
  if (!given && !after_->stands_out(best.gain)) return false;
  settle(sender, table_, sent, node.own, expert_.allowed(node.place), options_, watch_);
  SentRows rows = sender.send(table_, node.own, options_);
  SentRows held_back;
  if (node.validation.size() > 0) {
    held_back = sender.send(table_, node.validation, options_);
    for (std::size_t b = 0; held_back.shared != nullptr && b < held_back.child.size(); ++b) {
      for (std::size_t i = 0; held_back.share[b] > 0.0 && i < held_back.shared->size(); ++i)
        held_back.child[b].add(held_back.shared->row[i], held_back.share[b] * held_back.shared->weight[i]);
    }
  }
  held_back.child.resize(rows.child.size());
  if (!given && after_->asks_for_children()) {
    const std::vector<NodeStats> children = stats_of_children(node.stats, rows);
    std::vector<Holding> parts = held_back.child;
    parts.push_back(held_back.stay);
    const AfterSplit::Verdict verdict = after_->validated(node.stats, node.validation, children, parts);
    if (!verdict.serves) {
      if (options_.refused != nullptr) refuse(at, sender, children, verdict);
      return false;
    }
  }
  node.surrogates = std::move(sender.surrogates);
  node.majority = sender.majority;
  node.first_child = static_cast<std::int32_t>(nodes_.size());
  node.children = static_cast<std::int32_t>(rows.child.size());
  for (std::size_t b = 0; b < rows.child.size(); ++b) {
    OpenNode child;
    child.own = std::move(rows.child[b]);
    if (rows.shared != nullptr && rows.share[b] > 0.0) {
      child.shared = rows.shared;
      child.share = rows.share[b];
    }
    child.validation = std::move(held_back.child[b]);
    child.depth = node.depth + 1;
    child.key = node.key * 0x100000001b3U + b + 1;
    if (options_.given != nullptr) child.given = (*options_.given)[static_cast<std::size_t>(node.given)].child[b];
    child.place = expert_.below(node.place, static_cast<std::int32_t>(b));
    child.stats = node.stats;  // what a branch without rows answers
    nodes_.push_back(std::move(child));
  }
  return true;
}

void OpenGrower::grow_in_turn() {
  std::deque<std::int32_t> waiting = {0};
  const bool breadth = after_->breadth_first();
  while (!waiting.empty()) {
    const std::int32_t at = breadth ? waiting.front() : waiting.back();
    if (breadth) {
      waiting.pop_front();
    } else {
      waiting.pop_back();
    }
    OpenNode& node = nodes_[static_cast<std::size_t>(at)];
    join_shares(node);
    if (at != 0) node.stats = stats_or_empty(node.own, node.stats);
    watch_.poll(node.own.size());
    search(node);
    if (node.tests.empty() || !split(at)) node.tests.clear();
    free_rows(node);
    for (std::int32_t b = 0; b < node.children; ++b) {
      // A stack takes the last first.
      waiting.push_back(node.first_child + (breadth ? b : node.children - 1 - b));
    }
  }
}

void OpenGrower::grow_best_first() {
  struct Waiting {
    double decrease;
    std::int32_t node;
    bool operator<(const Waiting& other) const {
      return decrease != other.decrease ? decrease < other.decrease : node > other.node;
    }
  };
  std::priority_queue<Waiting> frontier;
  const auto enter = [&](std::int32_t at) {
    OpenNode& node = nodes_[static_cast<std::size_t>(at)];
    if (at != 0) node.stats = stats_or_empty(node.own, node.stats);
    search(node);
    if (node.tests.empty()) {
      free_rows(node);
      return;
    }
    // What an expert gives comes first, whatever it gains.
    const bool given = expert_.forced(node.place) != nullptr;
    const double first = std::numeric_limits<double>::infinity();
    frontier.push({given ? first : node.tests.front().gain * node.stats.effective, at});
  };
  const auto refuse_to_drop = [&](const OpenNode& node) {
    if (expert_.forced(node.place) == nullptr) return;
    throw InvalidInput(expert_.name(node.place), "the tests that are given make more than the " +
                                                     std::to_string(options_.max_leaf_nodes) +
                                                     " leaves that the tree may have");
  };
  enter(0);
  std::int64_t leaves = 1;
  while (!frontier.empty() && leaves < options_.max_leaf_nodes) {
    const std::int32_t at = frontier.top().node;
    frontier.pop();
    OpenNode& node = nodes_[static_cast<std::size_t>(at)];
    // Branches come together: a test with too many for what is left makes its node a leaf.
    const std::int64_t more = TestReader(table_, node.tests.front()).branches() - 1;
    const bool too_many = leaves + more > options_.max_leaf_nodes;
    if (too_many) refuse_to_drop(node);
    if (too_many || !split(at)) {
      node.tests.clear();
      free_rows(node);
      continue;
    }
    free_rows(node);
    leaves += more;
    for (std::int32_t b = 0; b < node.children; ++b) enter(node.first_child + b);
  }
  while (!frontier.empty()) {
    refuse_to_drop(nodes_[static_cast<std::size_t>(frontier.top().node)]);
    nodes_[static_cast<std::size_t>(frontier.top().node)].tests.clear();
    frontier.pop();
  }
}

Tree OpenGrower::assemble() {
  Sprout whole(table_, target_, options_, centre_, distinct_.get());
  std::vector<std::pair<std::int32_t, std::int32_t>> stack = {{0, -1}};  // node, number of the parent
  std::vector<std::int32_t> numbers(nodes_.size(), -1);
  while (!stack.empty()) {
    const auto [at, parent] = stack.back();
    stack.pop_back();
    OpenNode& node = nodes_[static_cast<std::size_t>(at)];
    const std::int32_t number = whole.add_node(parent, node.stats);
    numbers[static_cast<std::size_t>(at)] = number;
    if (options_.choices != nullptr && node.choice.chosen >= 0 && node.children > 0) {
      node.choice.node = number;
      options_.choices->push_back(node.choice);
    }
    if (node.children == 0) continue;
    whole.add_splits(node.tests, node.surrogates, 0, node.majority);
    for (std::int32_t b = node.children; b-- > 0;) stack.emplace_back(node.first_child + b, number);
  }
  if (options_.refused != nullptr) {
    for (RefusedSplit& split : *options_.refused) split.node = numbers[static_cast<std::size_t>(split.node)];
    std::ranges::sort(*options_.refused, {}, &RefusedSplit::node);
  }
  return std::move(whole).finish();
}

Tree OpenGrower::run() {
  nodes_.emplace_back();
  OpenNode& root = nodes_.front();
  double sum = 0.0;
  double weight = 0.0;
  for (std::size_t row = 0; row < table_.rows; ++row) {
    const auto number = static_cast<std::uint32_t>(row);
    const double w = target_.weight.empty() ? 1.0 : target_.weight[row];
    if (w > 0.0) {
      root.own.add(number, w);
      weight += w;
      if (target_.classes == 0) sum += w * target_.value[row];
    }
    const std::vector<double>& validation = options_.stop.validation;
    if (!validation.empty() && validation[row] > 0.0) root.validation.add(number, validation[row]);
  }
  if (root.own.size() == 0) throw InvalidInput("weight", "no row has a positive weight");
  centre_ = target_.classes == 0 ? round_centre(sum / weight, target_, root.own.row) : 0.0;
  after_ = std::make_unique<AfterSplit>(target_, options_, centre_);
  if (options_.selection.search == SearchRule::omnivariate && options_.given == nullptr) {
    omnivariate_ = std::make_unique<Omnivariate>(table_, target_, search_options_, *judge_, rule_, watch_, centre_);
  }
  if (options_.ahead.depth > 1)
    ahead_ = std::make_unique<LookingAhead>(table_, target_, options_, *judge_, rule_, watch_);
  root.given = 0;
  if (options_.cut == CutRule::data_value) distinct_ = std::make_unique<DistinctRows>(table_, options_.threads);
  root.stats = stats_of(root.own, target_, options_, *judge_, centre_);
  root.place = expert_.root();
  stopping_.begin(root.stats);
  if (options_.max_leaf_nodes > 0) {
    grow_best_first();
  } else {
    grow_in_turn();
  }
  expert_.check_reached();
  return assemble();
}

}  // namespace

Tree grow_open(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch) {
  return OpenGrower(table, target, options, watch).run();
}

}  // namespace bough
