// See tree_shap.hpp. A node e that player j leads to, with the products one_e and zero_e of j's edges down to e, has
// the factor f_e(t) = t * one_e + (1 - t) * zero_e; `a` is the last such node of j above e, or the root, whose factor
// is 1. Down: the product P_e = P_parent * f_e / f_a. Up: G_e is the sum of answer * P over the ends below e, and j
// earns the integral of ((one_e - zero_e) / f_e - (one_a - zero_a) / f_a) * G_e: for ends below a later edge of j the
// part of an earlier one is taken back there. Mostly one is 0 or 1, and then both functions of t are the same for all
// rows.
#include "bough/explain/tree_shap.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "bough/base/parallel.hpp"
#include "bough/explain/quadrature.hpp"
#include "bough/explain/shap_plan.hpp"
#include "bough/predict/compile.hpp"
#include "bough/predict/route.hpp"

namespace bough {
namespace {

constexpr std::size_t most_lanes = 8;                       // rows that go down the tree together
constexpr std::size_t lane_room = std::size_t{1} << 22U;  // numbers on the stack of a walk, before lanes are given up
constexpr std::size_t table_room = std::size_t{1} << 23U;  // numbers in the table of edges
constexpr std::int64_t chunk_rows = 8 * std::int64_t{most_lanes};

// The `one` and `zero` of a player at two nodes of its.
struct Edge {
  double one;
  double zero;
  double one_above;
  double zero_above;
};

// What an edge multiplies the products by, and what its player earns of the sums below it, at each point.
struct Terms {
  const double* factor;
  const double* credit;
};

void write_terms(const Quadrature& points, const Edge& edge, double* factor, double* credit) {
  for (std::size_t k = 0; k < points.at.size(); ++k) {
    const double own = points.at[k] * edge.one + points.rest[k] * edge.zero;
    const double above = points.at[k] * edge.one_above + points.rest[k] * edge.zero_above;
    factor[k] = own / above;
    credit[k] = own > 0.0
                    ? points.weight[k] * ((edge.one - edge.zero) / own - (edge.one_above - edge.zero_above) / above)
                    : 0.0;
  }
}

// Terms by node for rows that were with the player's edges so far and go on to the node (one = 1) or elsewhere (0).
class EdgeTable {
 public:
  EdgeTable(const Tree& tree, const ShapPlan& plan, const Quadrature& points) : points_(points.at.size()) {
    if (tree.parent.size() * points_ * 4 > table_room) return;
    terms_.resize(tree.parent.size() * points_ * 4);
    for (std::int32_t e = 1; e < tree.size(); ++e) {
      const double above = plan.zero[plan.last[tree.parent[e]]];
      for (int one = 0; one < 2; ++one) {
        double* own = terms_.data() + place(e, one);
        write_terms(points, {static_cast<double>(one), plan.zero[e], 1.0, above}, own, own + points_);
      }
    }
  }

  [[nodiscard]] bool ready() const { return !terms_.empty(); }
  [[nodiscard]] Terms at(std::int32_t node, bool one) const {
    const double* own = terms_.data() + place(node, one ? 1 : 0);
    return {own, own + points_};
  }

 private:
  [[nodiscard]] std::size_t place(std::int32_t node, int one) const {
    return (static_cast<std::size_t>(node) * 2 + static_cast<std::size_t>(one)) * 2 * points_;
  }

  std::size_t points_;
  std::vector<double> terms_;
};

// All that the walks of one call share.
struct Game {
  const Tree& tree;
  ShapPlan plan;
  Quadrature points;
  EdgeTable table;
  Router router;
  HotTree hot;

  Game(const Tree& given, std::span<const ColumnView> columns, const Smoothing& smoothing)
      : tree(given),
        plan(given, smoothing),
        points(gauss_legendre(points_for(plan.most_players))),
        table(given, plan, points),
        router(given, columns),
        hot(compile(given, columns, router)) {}

  [[nodiscard]] std::size_t lanes() const {
    const std::size_t frame = points.at.size() * (1 + plan.solved);
    return (static_cast<std::size_t>(plan.deepest) + 1) * frame * most_lanes <= lane_room ? most_lanes : 1;
  }
};

// The rows of one worker, a few at a time; `fixed` is the number of points where the compiler may know it, else 0.
template <std::size_t fixed>
class Walk {
 public:
  explicit Walk(const Game& game)
      : game_(game), plan_(game.plan), points_(game.points.at.size()), lanes_(game.lanes()) {
    const auto frames = static_cast<std::size_t>(plan_.deepest) + 1;
    product_.resize(frames * lanes_ * points());
    sum_.resize(frames * lanes_ * points() * plan_.solved);
    one_.resize(frames * lanes_);
    next_.resize(frames * lanes_);
    path_.resize(frames);
    keys_.resize(lanes_ * game.hot.slots.size());
    earned_.resize(lanes_ * plan_.players.size() * plan_.solved);
    scratch_.resize(2 * points());
    reached_.resize(points());
  }

  // Values of the rows from `first` on, no more than lanes(), into [row][column][output].
  void run(std::int64_t first, std::size_t rows, std::size_t columns, double* out) {
    first_ = first;
    rows_ = rows;
    std::fill(earned_.begin(), earned_.end(), 0.0);
    const std::size_t slots = game_.hot.slots.size();
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t s = 0; s < slots; ++s) {
        keys_[r * slots + s] = key_at(game_.hot.slots[s], first + static_cast<std::int64_t>(r));
      }
    }
    const Tree& tree = game_.tree;
    std::int32_t open = -1;  // the depth of the inner node at the end of the path
    for (std::int32_t i = 0; i < tree.size(); ++i) {
      for (; open >= plan_.depth[i]; --open) close(path_[open]);
      if (i > 0 && tree.is_leaf(i)) {
        reach_leaf(i);
      } else {
        path_[++open] = i;
        enter(i);
      }
    }
    for (; open >= 0; --open) close(path_[open]);
    hand_out(columns, out);
  }

  [[nodiscard]] std::size_t lanes() const { return lanes_; }

 private:
  [[nodiscard]] std::size_t points() const {
    if constexpr (fixed > 0) return fixed;
    return points_;
  }
  // By node (through its depth) and lane.
  [[nodiscard]] std::size_t cell(std::int32_t node, std::size_t r) const {
    return static_cast<std::size_t>(plan_.depth[node]) * lanes_ + r;
  }
  [[nodiscard]] double* product(std::int32_t node, std::size_t r) { return product_.data() + cell(node, r) * points(); }
  [[nodiscard]] double* sum(std::int32_t node, std::size_t r) {
    return sum_.data() + cell(node, r) * points() * plan_.solved;
  }
  [[nodiscard]] double* earned(std::int32_t player, std::size_t r) {
    return earned_.data() + (r * plan_.players.size() + static_cast<std::size_t>(player)) * plan_.solved;
  }

  // What the rows that come to a node find there, whichever they are.
  struct Gate {
    std::int32_t node;
    double share;
    double zero;
    double zero_above;
    const double* one_above;  // by lane: what the rows have brought of the player's last edge
    const std::int32_t* next;  // by lane: where they go from the parent
    Terms to;  // of rows that go to the node, and
    Terms past;  // of those that do not; null without a table
  };

  [[nodiscard]] Gate gate_to(std::int32_t node) const {
    const std::int32_t parent = game_.tree.parent[node];
    const std::int32_t above = plan_.last[parent];
    const bool ready = game_.table.ready();
    return {node,
            plan_.share[node],
            plan_.zero[node],
            plan_.zero[above],
            one_.data() + cell(above, 0),
            next_.data() + cell(parent, 0),
            ready ? game_.table.at(node, true) : Terms{nullptr, nullptr},
            ready ? game_.table.at(node, false) : Terms{nullptr, nullptr}};
  }

  // Which part of the row in a lane comes through, if its player is in the coalition.
  [[nodiscard]] static double part(const Gate& gate, std::size_t r) {
    const double here = gate.next[r] == gate.node ? 1.0 : 0.0;
    return gate.one_above[r] * (gate.next[r] == Router::spreads ? gate.share : here);
  }

  // The terms of a row of which `one` comes through. Null if it had left the way of the player before: then nothing is
  // left to earn, and the product falls by the share.
  [[nodiscard]] Terms terms(const Gate& gate, std::size_t r, double one) {
    const double one_above = gate.one_above[r];
    if (one_above == 0.0) return {nullptr, nullptr};
    if (one_above == 1.0 && gate.to.factor != nullptr) {
      if (one == 1.0) return gate.to;
      if (one == 0.0) return gate.past;
    }
    return computed({one, gate.zero, one_above, gate.zero_above});
  }

  [[nodiscard]] Terms computed(const Edge& edge) {
    write_terms(game_.points, edge, scratch_.data(), scratch_.data() + points());
    return {scratch_.data(), scratch_.data() + points()};
  }

  [[nodiscard]] double dot(const double* a, const double* b) const {
    double even = 0.0;
    double odd = 0.0;
    for (std::size_t k = 0; k < points(); k += 2) {
      even += a[k] * b[k];
      odd += a[k + 1] * b[k + 1];
    }
    return even + odd;
  }

  void enter(std::int32_t node) {
    const Tree& tree = game_.tree;
    std::fill_n(sum(node, 0), rows_ * points() * plan_.solved, 0.0);
    double* one = one_.data() + cell(node, 0);
    double* own = product(node, 0);
    if (node == 0) {
      std::fill_n(one, rows_, 1.0);
      std::fill_n(own, rows_ * points(), 1.0);
      if (tree.is_leaf(0)) return;
    } else {
      const Gate gate = gate_to(node);
      const double* from = product(tree.parent[node], 0);
      for (std::size_t r = 0; r < rows_; ++r, own += points(), from += points()) {
        one[r] = part(gate, r);
        const Terms found = terms(gate, r, one[r]);
        if (found.factor != nullptr) {
          for (std::size_t k = 0; k < points(); ++k) own[k] = from[k] * found.factor[k];
        } else {
          for (std::size_t k = 0; k < points(); ++k) own[k] = from[k] * gate.share;
        }
      }
    }
    const bool keeps = plan_.keeps[node] != 0;
    const std::size_t slots = game_.hot.slots.size();
    for (std::size_t r = 0; r < rows_; ++r) {
      const std::int32_t child = game_.hot.step(node, keys_.data() + r * slots);
      std::int32_t& next = next_[cell(node, r)];
      next = child >= 0 ? child : game_.router.step(node, first_ + static_cast<std::int64_t>(r));
      const bool stops = next == Router::stops || (next == Router::spreads && keeps);
      if (stops || keeps) [[unlikely]]
        end_here(node, r, stops ? 1.0 : 0.0);
    }
  }

  // A row that ends in an inner node: as if it went down one more branch, whose leaf has the answer of the node.
  void end_here(std::int32_t node, std::size_t r, double stops) {
    const std::int32_t above = plan_.last[node];
    const double one_above = one_[cell(above, r)];
    const double zero = plan_.keeps[node] != 0 ? plan_.zero[above] : 0.0;
    const double* from = product(node, r);
    const double* answer = plan_.answer.data() + static_cast<std::size_t>(node) * plan_.solved;
    double* own = sum(node, r);
    if (one_above == 0.0) {  // the product stays as it is
      if (plan_.keeps[node] == 0) return;
      for (std::size_t c = 0; c < plan_.solved; ++c) {
        for (std::size_t k = 0; k < points(); ++k) own[c * points() + k] += answer[c] * from[k];
      }
      return;
    }
    const Terms found = computed({one_above * stops, zero, one_above, plan_.zero[above]});
    double share = 0.0;
    for (std::size_t k = 0; k < points(); ++k) {
      const double reached = from[k] * found.factor[k];
      share += found.credit[k] * reached;
      for (std::size_t c = 0; c < plan_.solved; ++c) own[c * points() + k] += answer[c] * reached;
    }
    for (std::size_t c = 0; c < plan_.solved; ++c) earned(plan_.player[node], r)[c] += share * answer[c];
  }

  void reach_leaf(std::int32_t leaf) {
    const std::int32_t parent = game_.tree.parent[leaf];
    const double* answer = plan_.answer.data() + static_cast<std::size_t>(leaf) * plan_.solved;
    const Gate gate = gate_to(leaf);
    const double* from = product(parent, 0);
    double* above = sum(parent, 0);
    double* gets = earned(plan_.player[parent], 0);
    for (std::size_t r = 0; r < rows_; ++r, from += points(), gets += plan_.players.size() * plan_.solved) {
      const Terms found = terms(gate, r, part(gate, r));
      if (found.factor == nullptr) {
        for (std::size_t c = 0; c < plan_.solved; ++c, above += points()) {
          const double scaled = answer[c] * gate.share;
          for (std::size_t k = 0; k < points(); ++k) above[k] += scaled * from[k];
        }
        continue;
      }
      double* reached = reached_.data();
      for (std::size_t k = 0; k < points(); ++k) reached[k] = from[k] * found.factor[k];
      const double share = dot(found.credit, reached);
      for (std::size_t c = 0; c < plan_.solved; ++c, above += points()) {
        gets[c] += share * answer[c];
        for (std::size_t k = 0; k < points(); ++k) above[k] += answer[c] * reached[k];
      }
    }
  }

  void close(std::int32_t node) {
    if (node == 0) return;
    const std::int32_t parent = game_.tree.parent[node];
    const Gate gate = gate_to(node);
    const double* own = sum(node, 0);
    double* above = sum(parent, 0);
    const std::size_t width = points() * plan_.solved;
    for (std::size_t k = 0; k < rows_ * width; ++k) above[k] += own[k];
    const double* one = one_.data() + cell(node, 0);
    double* gets = earned(plan_.player[parent], 0);
    for (std::size_t r = 0; r < rows_; ++r, own += width, gets += plan_.players.size() * plan_.solved) {
      const Terms found = terms(gate, r, one[r]);
      if (found.credit == nullptr) continue;
      for (std::size_t c = 0; c < plan_.solved; ++c) gets[c] += dot(found.credit, own + c * points());
    }
  }

  void hand_out(std::size_t columns, double* out) const {
    const std::size_t outputs = plan_.outputs;
    std::fill_n(out, rows_ * columns * outputs, 0.0);
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t p = 0; p < plan_.players.size(); ++p) {
        const double* gets = earned_.data() + (r * plan_.players.size() + p) * plan_.solved;
        const auto among = static_cast<double>(plan_.players[p].size());
        for (const std::int32_t column : plan_.players[p]) {
          double* own = out + (r * columns + static_cast<std::size_t>(column)) * outputs;
          for (std::size_t c = 0; c < plan_.solved; ++c) {
            own[c] += gets[c] / among;
            if (plan_.solved < outputs) own[outputs - 1] -= gets[c] / among;
          }
        }
      }
    }
  }

  const Game& game_;
  const ShapPlan& plan_;
  const std::size_t points_;
  const std::size_t lanes_;
  std::int64_t first_ = 0;
  std::size_t rows_ = 0;
  std::vector<double> product_;  // by depth, lane and point: P
  std::vector<double> sum_;  // by depth, lane, output and point: G
  std::vector<double> one_;  // by depth and lane
  std::vector<std::int32_t> next_;  // by depth and lane: where the model sends the row, as Router::step says
  std::vector<std::int32_t> path_;
  std::vector<std::int64_t> keys_;
  std::vector<double> earned_;  // by lane, player and output
  std::vector<double> scratch_;
  std::vector<double> reached_;
};

template <std::size_t fixed>
void walk_all(const Game& game, std::int64_t n_rows, std::size_t columns, std::int32_t n_threads, Watch& watch,
              std::vector<double>& values) {
  const std::int32_t threads = std::max(n_threads, 1);
  std::vector<std::optional<Walk<fixed>>> walks(static_cast<std::size_t>(threads));
  const std::size_t width = columns * game.plan.outputs;
  const std::size_t work = game.tree.parent.size() * game.points.at.size() * (1 + game.plan.solved);
  const auto chunk = [&](std::size_t k, int w) {
    std::optional<Walk<fixed>>& walk = walks[static_cast<std::size_t>(w)];
    if (!walk) walk.emplace(game);
    const std::int64_t from = static_cast<std::int64_t>(k) * chunk_rows;
    const std::int64_t to = std::min(n_rows, from + chunk_rows);
    for (std::int64_t at = from; at < to; at += static_cast<std::int64_t>(walk->lanes())) {
      const auto rows = static_cast<std::size_t>(std::min(static_cast<std::int64_t>(walk->lanes()), to - at));
      watch.poll(work * rows);
      walk->run(at, rows, columns, values.data() + static_cast<std::size_t>(at) * width);
    }
  };
  parallel_for(static_cast<std::size_t>((n_rows + chunk_rows - 1) / chunk_rows), threads, [&] { watch.ask(); }, chunk);
}

}  // namespace

Shapley shapley_values(const Tree& tree, std::span<const ColumnView> columns, std::int64_t n_rows,
                       const Smoothing& smoothing, std::int32_t n_threads, Watch& watch) {
  const Game game(tree, columns, smoothing);
  Shapley found;
  found.base = game.plan.base;
  found.values.resize(static_cast<std::size_t>(n_rows) * columns.size() * game.plan.outputs);
  const auto run = [&]<std::size_t fixed>() {
    walk_all<fixed>(game, n_rows, columns.size(), n_threads, watch, found.values);
  };
  switch (game.points.at.size()) {
    case 2:
      run.template operator()<2>();
      break;
    case 4:
      run.template operator()<4>();
      break;
    case 6:
      run.template operator()<6>();
      break;
    case 8:
      run.template operator()<8>();
      break;
    case 10:
      run.template operator()<10>();
      break;
    default:
      run.template operator()<0>();
  }
  return found;
}

}  // namespace bough
