#include "bough/engine/sorted/grow.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/engine/centre.hpp"
#include "bough/engine/sorted/cohort.hpp"
#include "bough/engine/sorted/column_search.hpp"
#include "bough/engine/sorted/own_blocks.hpp"
#include "bough/engine/sorted/part_many.hpp"
#include "bough/engine/sorted/parting.hpp"
#include "bough/engine/sprout.hpp"
#include "bough/stopping/stopping.hpp"
#include "bough/table/distinct.hpp"

namespace bough {
namespace {

// A node whose best tests are known and which has not been split yet.
struct Bud {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::int64_t depth = 0;
  NodeStats stats;
  double lower = -1e300;  // bounds of answers under monotone constraints
  double upper = 1e300;
  Ranking best;

  [[nodiscard]] std::size_t rows() const { return end - begin; }
};

// The place of a node of a tree with any number of branches: a stretch of a block or, under fractional cases, a stretch
// of rows that are its own and a block of rows of which all branches get a share, from which a block of its own is made
// when it is visited.
template <class Entry>
struct Plot {
  std::shared_ptr<Cohort<Entry>> block;
  std::shared_ptr<const Cohort<Entry>> unknown;
  double share = 0.0;  // 0: the node is a stretch of the block
};

template <class Entry>
struct Worker {
  SearchScratch search;
  std::vector<Entry> moved;
  std::vector<std::size_t> next;         // of part_range_many
  std::vector<std::uint32_t> new_id;     // of merged_block
};

template <class Entry>
class Grower {
 public:
  Grower(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch)
      : table_(table), target_(target), options_(options), watch_(watch), stopping_(options) {}

  Tree run();

 private:
  using Block = Cohort<Entry>;

  // A node of the part of the tree that is grown in the whole cohort, and what became of it.
  struct Limb {
    Bud bud;
    PartedNode parted;
    bool split = false;
    std::int32_t first_child = -1;  // limbs, one after the other
    std::int32_t children = 0;
    std::int32_t task = -1;            // grown in a block of its own
    Plot<Entry> plot;                  // any number of branches
    std::int32_t majority = -1;
  };

  using Workers = std::vector<Worker<Entry>>;  // one a thread, kept from node to node

  void search(const Block& block, Bud& bud, Workers& workers);
  bool part(Block& block, Bud& bud, PartedNode& parted);
  void open_children(Block& block, const Bud& bud, PartedNode& parted, Bud (&child)[2], Workers& workers);
  void settle(const Bud& bud) { watch_.done(static_cast<double>(bud.stats.rows)); }
  [[nodiscard]] NodeRange range_of(const Bud& bud) const {
    NodeRange range{bud.begin, bud.end, &bud.stats, column_search_->limits()};
    range.limits.lower = bud.lower;
    range.limits.upper = bud.upper;
    return range;
  }
  [[nodiscard]] bool worth_splitting(const Bud& bud) const {
    return !bud.best.empty() && stopping_.after_search(bud.stats, bud.best.front().gain);
  }
  Sprout grow_block(Block block, Bud root);
  void visit(Plot<Entry>& plot, Bud& bud, Workers& workers);
  std::vector<Plot<Entry>> open_many(const Plot<Entry>& plot, const Bud& bud, PartedMany& parted,
                                     std::vector<Bud>& child, Workers& workers);
  Sprout grow_block_many(Plot<Entry> plot, Bud root);
  void grow_limbs_many(std::vector<Limb>& limbs, std::vector<Sprout>& grown);
  void grow_limbs(Block& block, std::vector<Limb>& limbs, std::vector<std::int32_t>& tasks);
  void grow_best_first(Block& block, std::vector<Limb>& limbs);
  Tree assemble(std::vector<Limb>& limbs, std::vector<Sprout>& grown);
  [[nodiscard]] Ranking no_tests() const {
    const double tie = options_.ties == TieRule::rounding ? 0.0 : options_.tie;
    const bool all = options_.gain.choice == Choice::above_average;
    return {all ? columns() : static_cast<std::size_t>(options_.max_competitors) + 1, tie};
  }
  [[nodiscard]] Sprout sprout() const { return Sprout(table_, target_, options_, centre_, distinct_.get()); }
  // Whether nodes may have more than two branches, or branches more rows than one.
  [[nodiscard]] bool many() const {
    return options_.branching != Branching::binary || options_.missing == MissingRule::fractional;
  }
  [[nodiscard]] std::vector<Ranking> rankings(std::size_t n) const {
    std::vector<Ranking> made(n);
    std::generate(made.begin(), made.end(), [&] { return no_tests(); });
    return made;
  }
  // What the calling thread does while it waits for the others.
  [[nodiscard]] std::function<void()> asking() {
    return [this] { watch_.ask(); };
  }
  [[nodiscard]] std::size_t columns() const { return table_.columns.size(); }
  // Columns are moved and searched a few at a time, so that they stay in the cache in between.
  [[nodiscard]] std::size_t groups() const { return (columns() + kLanes - 1) / kLanes; }

  const RankedTable& table_;
  const Target& target_;
  const GrowOptions& options_;
  Watch& watch_;
  Stopping stopping_;
  double centre_ = 0.0;
  std::unique_ptr<DistinctRows> distinct_;  // where values of the whole table are asked for
  std::unique_ptr<ColumnSearch<Entry>> column_search_;
};

template <class Entry>
void Grower<Entry>::search(const Block& block, Bud& bud, Workers& workers) {
  const NodeRange range = range_of(bud);
  std::vector<Ranking> by_group = rankings(groups());
  const int threads = bud.rows() > kBlockRows ? static_cast<int>(workers.size()) : 1;
  parallel_for(groups(), threads, asking(), [&](std::size_t group, int worker) {
    watch_.poll(bud.rows() * kLanes);
    const std::size_t begin = group * kLanes;
    column_search_->search(block, begin, std::min(begin + kLanes, columns()), range,
                           workers[static_cast<std::size_t>(worker)].search, by_group[group]);
  });
  bud.best = no_tests();
  for (Ranking& ranking : by_group) bud.best.merge(std::move(ranking));
  column_search_->choose(bud.best);
  bud.best.keep(static_cast<std::size_t>(options_.max_competitors) + 1);
}

// Sends the rows of a node to its branches. False if the node had better stay a leaf: rows with missing values may
// have moved an answer out of its bounds.
template <class Entry>
bool Grower<Entry>::part(Block& block, Bud& bud, PartedNode& parted) {
  parted = part_node(table_, target_, options_, watch_, block, bud.begin, bud.end, bud.best.front(), false);
  if (options_.monotone.empty()) return true;
  CutLimits limits;
  limits.lower = bud.lower;
  limits.upper = bud.upper;
  limits.monotone = options_.monotone[static_cast<std::size_t>(bud.best.front().column)];
  return limits.allows(stopping_.answer(parted.child[parted.low], target_),
                       stopping_.answer(parted.child[1 - parted.low], target_));
}

// Makes the two children: moves their rows together in every column and searches each column of an open child at
// once, while its entries are in the cache.
template <class Entry>
void Grower<Entry>::open_children(Block& block, const Bud& bud, PartedNode& parted, Bud (&child)[2], Workers& workers) {
  Parting parting;
  parting.stays = parted.stays;
  for (int b = 0; b < 2; ++b) {
    child[b].stats = std::move(parted.child[b]);
    child[b].depth = bud.depth + 1;
    child[b].best = no_tests();
    child[b].lower = bud.lower;
    child[b].upper = bud.upper;
    parting.rows[b] = child[b].stats.rows;
    parting.open[b] = stopping_.before_search(child[b].stats, child[b].depth);
  }
  if (!options_.monotone.empty()) {
    const int direction = options_.monotone[static_cast<std::size_t>(bud.best.front().column)];
    if (direction != 0) {
      const double middle =
          0.5 * (stopping_.answer(child[0].stats, target_) + stopping_.answer(child[1].stats, target_));
      Bud& less = child[direction > 0 ? parted.low : 1 - parted.low];
      Bud& more = child[direction > 0 ? 1 - parted.low : parted.low];
      less.upper = std::min(less.upper, middle);
      more.lower = std::max(more.lower, middle);
    }
  }
  const std::size_t open0 = parting.open[0] ? parting.rows[0] : 0;
  const std::size_t open1 = parting.open[1] ? parting.rows[1] : 0;
  child[0].begin = bud.begin;
  child[0].end = bud.begin + open0;
  child[1].begin = bud.begin + open0;
  child[1].end = bud.begin + open0 + open1;
  if (!parting.open[0] && !parting.open[1]) return;

  const std::size_t rows = bud.rows();
  const auto move = [&](std::vector<Entry>& order, Worker<Entry>& worker) {
    if (worker.moved.size() < rows) worker.moved.resize(rows);
    part_range(std::span<Entry>(order.data() + bud.begin, rows), block.side.data(), parting, worker.moved.data());
  };
  if (!block.list.empty()) move(block.list, workers[0]);
  if (!block.value_order.empty()) {
    move(block.value_order, workers[0]);
    for (const Bud& one : child) {
      for (std::size_t i = one.begin; i < one.end; ++i)
        block.value_rank[block.value_order[i].id()] = static_cast<std::uint32_t>(i - one.begin);
    }
  }
  const NodeRange range[2] = {range_of(child[0]), range_of(child[1])};
  const auto move_group = [&](std::size_t group, Worker<Entry>& worker) {
    for (std::size_t c = group * kLanes; c < std::min((group + 1) * kLanes, columns()); ++c) {
      if (block.columns[c].layout == Layout::order) move(block.columns[c].order, worker);
    }
  };
  const auto search_group = [&](std::size_t group, std::size_t b, Worker<Entry>& worker, Ranking& ranking) {
    const std::size_t begin = group * kLanes;
    column_search_->search(block, begin, std::min(begin + kLanes, columns()), range[b], worker.search, ranking);
  };
  if (rows > kBlockRows) {
    std::vector<Ranking> by_group = rankings(2 * groups());
    parallel_for(groups(), static_cast<int>(workers.size()), asking(), [&](std::size_t group, int worker_number) {
      watch_.poll(rows * kLanes);
      Worker<Entry>& worker = workers[static_cast<std::size_t>(worker_number)];
      move_group(group, worker);
      for (std::size_t b = 0; b < 2; ++b) {
        if (parting.open[b]) search_group(group, b, worker, by_group[2 * group + b]);
      }
    });
    for (std::size_t i = 0; i < by_group.size(); ++i) child[i % 2].best.merge(std::move(by_group[i]));
    return;
  }
  watch_.poll(rows * columns());
  // Every column that tells the two rows of a pair apart does it equally well, so the first ones are the best. A third
  // of the inner nodes of a tree of 100,000 different values are pairs.
  const bool pairs_alike = options_.feature_cost.empty() && options_.ties == TieRule::first;
  const auto complete = [&](std::size_t b) {
    return !parting.open[b] || (pairs_alike && child[b].stats.rows == 2 && child[b].best.full());
  };
  for (std::size_t group = 0; group < groups() && !(complete(0) && complete(1)); ++group) {
    move_group(group, workers[0]);
    for (std::size_t b = 0; b < 2; ++b) {
      if (!complete(b)) search_group(group, b, workers[0], child[b].best);
    }
  }
}

// A whole subtree in one block, depth first, so that its nodes come in preorder.
template <class Entry>
Sprout Grower<Entry>::grow_block(Block block, Bud root) {
  Sprout sprout = this->sprout();
  std::vector<std::pair<Bud, std::int32_t>> stack;  // with the number of the parent
  stack.emplace_back(std::move(root), -1);
  Workers workers(1);
  PartedNode parted;
  while (!stack.empty()) {
    Bud bud = std::move(stack.back().first);
    const std::int32_t node = sprout.add_node(stack.back().second, bud.stats);
    stack.pop_back();
    if (!worth_splitting(bud) || !part(block, bud, parted)) {
      settle(bud);
      continue;
    }
    Bud child[2];
    open_children(block, bud, parted, child, workers);
    sprout.add_splits(bud.best.all(), parted.surrogates, parted.low, parted.majority);
    stack.emplace_back(std::move(child[1]), node);
    stack.emplace_back(std::move(child[0]), node);
  }
  sprout.settle();
  return sprout;
}

// A node with a share of rows of other nodes gets a block of its own, in which it is searched.
template <class Entry>
void Grower<Entry>::visit(Plot<Entry>& plot, Bud& bud, Workers& workers) {
  if (plot.share == 0.0) return;
  plot.block = std::make_shared<Block>(
      merged_block(*plot.block, {bud.begin, bud.end}, plot.unknown.get(), plot.share, workers[0].new_id));
  plot.unknown.reset();
  plot.share = 0.0;
  bud.begin = 0;
  bud.end = plot.block->ids;
  search(*plot.block, bud, workers);
}

// Makes the children of a node with any number of branches: moves their rows together in every column and, unless they
// get shares of rows, searches them.
template <class Entry>
std::vector<Plot<Entry>> Grower<Entry>::open_many(const Plot<Entry>& plot, const Bud& bud, PartedMany& parted,
                                                  std::vector<Bud>& child, Workers& workers) {
  Block& block = *plot.block;
  const std::uint32_t branches = parted.branches();
  std::vector<Plot<Entry>> plots(branches);
  child.resize(branches);
  std::vector<std::size_t> start(static_cast<std::size_t>(branches) + 2, kClosed);
  std::size_t place = 0;
  bool any = false;
  for (std::uint32_t b = 0; b < branches; ++b) {
    child[b].stats = std::move(parted.child[b]);
    child[b].depth = bud.depth + 1;
    child[b].best = no_tests();
    if (!stopping_.before_search(child[b].stats, child[b].depth)) continue;
    any = true;
    start[b] = place;
    child[b].begin = bud.begin + place;
    place += parted.known[b];
    child[b].end = bud.begin + place;
    plots[b].block = plot.block;
    plots[b].share = parted.unknown > 0 ? parted.share[b] : 0.0;
  }
  if (!any) return plots;
  if (parted.unknown > 0) start[branches] = place;
  const std::size_t rows = bud.rows();
  const auto move = [&](std::vector<Entry>& order, Worker<Entry>& worker) {
    if (worker.moved.size() < rows) worker.moved.resize(rows);
    part_range_many(std::span<Entry>(order.data() + bud.begin, rows), block.branch.data(), start, worker.next,
                    worker.moved.data());
  };
  if (!block.list.empty()) move(block.list, workers[0]);
  parallel_for(columns(), rows > kBlockRows ? static_cast<int>(workers.size()) : 1, asking(),
               [&](std::size_t c, int worker) {
                 watch_.poll(rows);
                 if (block.columns[c].layout == Layout::order)
                   move(block.columns[c].order, workers[static_cast<std::size_t>(worker)]);
               });
  if (parted.unknown > 0) {
    const Stretch unknown{bud.begin + place, bud.begin + place + parted.unknown};
    const auto shared =
        std::make_shared<const Block>(merged_block<Entry>(block, unknown, nullptr, 1.0, workers[0].new_id));
    for (Plot<Entry>& one : plots) one.unknown = shared;
  }
  for (std::uint32_t b = 0; b < branches; ++b) {
    if (plots[b].block != nullptr && plots[b].share == 0.0) search(block, child[b], workers);
  }
  return plots;
}

// A whole subtree of any number of branches, depth first. Blocks live as long as a node that waits needs them.
template <class Entry>
Sprout Grower<Entry>::grow_block_many(Plot<Entry> plot, Bud root) {
  struct Waiting {
    Plot<Entry> plot;
    Bud bud;
    std::int32_t parent;
  };
  Sprout sprout = this->sprout();
  Workers workers(1);
  std::vector<Waiting> stack;
  stack.push_back({std::move(plot), std::move(root), -1});
  std::vector<Bud> child;
  while (!stack.empty()) {
    Waiting at = std::move(stack.back());
    stack.pop_back();
    const std::int32_t node = sprout.add_node(at.parent, at.bud.stats);
    visit(at.plot, at.bud, workers);
    if (!worth_splitting(at.bud)) {
      settle(at.bud);
      continue;
    }
    PartedMany parted = part_many(table_, target_, options_, *at.plot.block, {at.bud.begin, at.bud.end}, at.bud.stats,
                                  at.bud.best.front());
    sprout.add_splits(at.bud.best.all(), {}, 0, parted.majority);
    child.clear();
    std::vector<Plot<Entry>> plots = open_many(at.plot, at.bud, parted, child, workers);
    at.plot.block.reset();
    for (std::size_t b = child.size(); b-- > 0;) stack.push_back({std::move(plots[b]), std::move(child[b]), node});
  }
  sprout.settle();
  return sprout;
}

// The nodes that are too large for one thread, with all threads on the columns of one node; its small children are
// grown at once, a thread each, so that their blocks need not wait.
template <class Entry>
void Grower<Entry>::grow_limbs_many(std::vector<Limb>& limbs, std::vector<Sprout>& grown) {
  Workers workers(static_cast<std::size_t>(std::max(1, options_.threads)));
  std::vector<std::int32_t> stack = {0};
  const auto is_small = [&](const Limb& limb) { return limb.bud.stats.rows <= kBlockRows; };
  const auto grow_small = [&](const std::vector<std::int32_t>& small) {
    const std::size_t first = grown.size();
    for (const std::int32_t at : small) {
      limbs[at].task = static_cast<std::int32_t>(grown.size());
      grown.push_back(sprout());
    }
    parallel_for(small.size(), options_.threads, asking(), [&](std::size_t i, int worker) {
      Limb& limb = limbs[small[i]];
      Plot<Entry> plot = std::move(limb.plot);
      Bud bud = std::move(limb.bud);
      if (plot.share == 0.0) {
        plot.block = std::make_shared<Block>(merged_block<Entry>(*plot.block, {bud.begin, bud.end}, nullptr, 1.0,
                                                                 workers[static_cast<std::size_t>(worker)].new_id));
        bud.end -= bud.begin;
        bud.begin = 0;
      }
      grown[first + i] = grow_block_many(std::move(plot), std::move(bud));
    });
  };
  if (is_small(limbs[0]) && worth_splitting(limbs[0].bud)) {
    grow_small({0});
    return;
  }
  while (!stack.empty()) {
    const std::int32_t at = stack.back();
    stack.pop_back();
    visit(limbs[at].plot, limbs[at].bud, workers);
    if (!worth_splitting(limbs[at].bud)) {
      settle(limbs[at].bud);
      limbs[at].plot.block.reset();
      continue;
    }
    const Bud& bud = limbs[at].bud;
    PartedMany parted =
        part_many(table_, target_, options_, *limbs[at].plot.block, {bud.begin, bud.end}, bud.stats, bud.best.front());
    std::vector<Bud> child;
    std::vector<Plot<Entry>> plots = open_many(limbs[at].plot, bud, parted, child, workers);
    limbs[at].plot.block.reset();
    limbs[at].split = true;
    limbs[at].majority = parted.majority;
    limbs[at].first_child = static_cast<std::int32_t>(limbs.size());
    limbs[at].children = static_cast<std::int32_t>(child.size());
    std::vector<std::int32_t> small;
    std::vector<std::int32_t> large;
    for (std::size_t b = 0; b < child.size(); ++b) {
      const auto number = static_cast<std::int32_t>(limbs.size());
      limbs.emplace_back();
      limbs.back().bud = std::move(child[b]);
      limbs.back().plot = std::move(plots[b]);
      const bool open = limbs.back().plot.share > 0.0 || worth_splitting(limbs.back().bud);
      if (!open) {
        settle(limbs.back().bud);
      } else {
        (is_small(limbs.back()) ? small : large).push_back(number);
      }
    }
    grow_small(small);
    for (std::size_t i = large.size(); i-- > 0;) stack.push_back(large[i]);
  }
}

// The nodes that are too large for a block, with all threads on the columns of one node.
template <class Entry>
void Grower<Entry>::grow_limbs(Block& block, std::vector<Limb>& limbs, std::vector<std::int32_t>& tasks) {
  Workers workers(static_cast<std::size_t>(std::max(1, options_.threads)));
  std::vector<std::int32_t> stack = {0};
  while (!stack.empty()) {
    const std::int32_t at = stack.back();
    stack.pop_back();
    if (limbs[at].bud.rows() <= kBlockRows && worth_splitting(limbs[at].bud)) {
      limbs[at].task = static_cast<std::int32_t>(tasks.size());
      tasks.push_back(at);
      continue;
    }
    if (!worth_splitting(limbs[at].bud) || !part(block, limbs[at].bud, limbs[at].parted)) {
      settle(limbs[at].bud);
      continue;
    }
    Limb child[2];
    Bud buds[2];
    open_children(block, limbs[at].bud, limbs[at].parted, buds, workers);
    limbs[at].split = true;
    limbs[at].first_child = static_cast<std::int32_t>(limbs.size());
    limbs[at].children = 2;
    for (int b = 0; b < 2; ++b) {
      child[b].bud = std::move(buds[b]);
      limbs.push_back(std::move(child[b]));
    }
    stack.push_back(limbs[at].first_child + 1);
    stack.push_back(limbs[at].first_child);
  }
}

// At most so many leaves: of all nodes that could be split, the one with the largest decrease is split next.
template <class Entry>
void Grower<Entry>::grow_best_first(Block& block, std::vector<Limb>& limbs) {
  struct Waiting {
    double decrease;
    std::int32_t limb;
    bool operator<(const Waiting& other) const {
      return decrease != other.decrease ? decrease < other.decrease : limb > other.limb;
    }
  };
  std::priority_queue<Waiting> frontier;
  const auto enter = [&](std::int32_t at) {
    const Bud& bud = limbs[at].bud;
    if (worth_splitting(bud)) {
      frontier.push({bud.best.front().gain * bud.stats.effective, at});
    } else {
      settle(bud);
    }
  };
  Workers workers(static_cast<std::size_t>(std::max(1, options_.threads)));
  enter(0);
  std::int64_t leaves = 1;
  while (!frontier.empty() && leaves < options_.max_leaf_nodes) {
    const std::int32_t at = frontier.top().limb;
    frontier.pop();
    if (!part(block, limbs[at].bud, limbs[at].parted)) continue;
    Bud buds[2];
    open_children(block, limbs[at].bud, limbs[at].parted, buds, workers);
    limbs[at].split = true;
    ++leaves;
    limbs[at].first_child = static_cast<std::int32_t>(limbs.size());
    limbs[at].children = 2;
    for (Bud& bud : buds) {
      limbs.emplace_back();
      limbs.back().bud = std::move(bud);
      enter(static_cast<std::int32_t>(limbs.size()) - 1);
    }
  }
}

// One tree of the limbs and the subtrees grown apart, in preorder: the number of a node never tells which thread
// grew it, or when.
template <class Entry>
Tree Grower<Entry>::assemble(std::vector<Limb>& limbs, std::vector<Sprout>& grown) {
  Sprout whole = sprout();
  whole.reserve(grown);
  std::vector<std::pair<std::int32_t, std::int32_t>> stack = {{0, -1}};  // limb, number of the parent
  while (!stack.empty()) {
    const auto [at, parent] = stack.back();
    stack.pop_back();
    Limb& limb = limbs[at];
    if (limb.task >= 0) {
      whole.graft(parent, std::move(grown[static_cast<std::size_t>(limb.task)]));
      continue;
    }
    const std::int32_t node = whole.add_node(parent, limb.bud.stats);
    if (!limb.split) continue;
    const std::int32_t majority = many() ? limb.majority : limb.parted.majority;
    whole.add_splits(limb.bud.best.all(), limb.parted.surrogates, limb.parted.low, majority);
    for (std::int32_t b = limb.children; b-- > 0;) stack.emplace_back(limb.first_child + b, node);
  }
  return std::move(whole).finish();
}

template <class Entry>
Tree Grower<Entry>::run() {
  std::vector<std::uint32_t> rows;
  rows.reserve(table_.rows);
  double sum = 0.0;
  double weight = 0.0;
  for (std::size_t row = 0; row < table_.rows; ++row) {
    const double w = target_.weight.empty() ? 1.0 : target_.weight[row];
    if (!(w > 0.0)) continue;
    rows.push_back(static_cast<std::uint32_t>(row));
    weight += w;
    if (target_.classes == 0) sum += w * target_.value[row];
  }
  if (rows.empty()) throw InvalidInput("weight", "no row has a positive weight");
  centre_ = target_.classes == 0 ? round_centre(sum / weight, target_, rows) : 0.0;
  if (options_.cut == CutRule::data_value || options_.gain.value_gap > 0.0)
    distinct_ = std::make_unique<DistinctRows>(table_, options_.threads);
  column_search_ =
      std::make_unique<ColumnSearch<Entry>>(table_, target_, options_, watch_, rows.size(), distinct_.get());

  const bool by_value = options_.criterion == Criterion::absolute_error;
  const bool tables = !by_value && options_.criterion != Criterion::worst_error;
  auto block =
      std::make_shared<Block>(whole_cohort<Entry>(table_, target_, rows, centre_, tables, by_value, options_.threads));
  for (std::size_t i = 0; i < block->value_order.size(); ++i)
    block->value_rank[block->value_order[i].id()] = static_cast<std::uint32_t>(i);

  std::vector<Limb> limbs(1);
  Bud& root = limbs[0].bud;
  root.end = rows.size();
  std::vector<std::uint32_t>().swap(rows);
  root.stats = stats_of_node(target_, options_, *block, 0, root.end);
  stopping_.begin(root.stats);
  if (stopping_.before_search(root.stats, 0)) {
    Workers workers(static_cast<std::size_t>(std::max(1, options_.threads)));
    search(*block, root, workers);
  }

  if (many()) {
    std::vector<Sprout> grown;
    limbs[0].plot.block = std::move(block);
    grow_limbs_many(limbs, grown);
    return assemble(limbs, grown);
  }
  std::vector<std::int32_t> tasks;
  if (options_.max_leaf_nodes > 0) {
    grow_best_first(*block, limbs);
  } else {
    grow_limbs(*block, limbs, tasks);
  }
  std::vector<Sprout> grown(tasks.size(), sprout());
  if (tasks.size() == 1 && tasks[0] == 0) {
    grown[0] = grow_block(std::move(*block), std::move(root));
  } else {
    std::vector<Stretch> nodes;
    nodes.reserve(tasks.size());
    for (const std::int32_t at : tasks) nodes.push_back({limbs[at].bud.begin, limbs[at].bud.end});
    in_own_blocks(*block, nodes, options_.threads, asking(), [&](std::size_t task, Block own) {
      Bud bud = std::move(limbs[tasks[task]].bud);
      bud.begin = 0;
      bud.end = own.ids;
      grown[task] = grow_block(std::move(own), std::move(bud));
    });
  }
  block.reset();
  column_search_.reset();
  return assemble(limbs, grown);
}

}  // namespace

Tree grow_sorted(const RankedTable& table, const Target& target, const GrowOptions& options, Watch& watch) {
  if (EntryOf<std::uint32_t>::fits(table.rows, target.classes)) {
    return Grower<EntryOf<std::uint32_t>>(table, target, options, watch).run();
  }
  return Grower<EntryOf<std::uint64_t>>(table, target, options, watch).run();
}

}  // namespace bough
