// See look_ahead.hpp.
#include "bough/engine/open/look_ahead.hpp"

#include <algorithm>

#include "bough/engine/open/held_stats.hpp"
#include "bough/engine/open/sending.hpp"

namespace bough {
namespace {

GrowOptions one_column(const GrowOptions& options) {
  GrowOptions plain = options;
  plain.selection.search = SearchRule::exhaustive;
  plain.max_competitors = 0;
  plain.surrogates.most = 0;
  plain.expert = {};
  plain.stop.validation.clear();
  return plain;
}

}  // namespace

LookingAhead::LookingAhead(const RankedTable& table, const Target& target, const GrowOptions& options,
                           const Judge& judge, const GainRule& rule, Watch& watch)
    : table_(table),
      target_(target),
      options_(one_column(options)),
      judge_(judge),
      watch_(watch),
      beam_(options.ahead.beam),
      search_(table, target, options_, judge, rule, watch) {}

double LookingAhead::below(const Candidate& test, const NodeView& node, double centre,
                           const std::vector<std::uint8_t>& allowed,
                           const std::function<bool(const NodeStats&)>& splits) const {
  Sender sender(table_, test);
  settle(sender, table_, send_by_test(sender, test, *node.held), *node.held, allowed, options_, watch_);
  SentRows rows = sender.send(table_, *node.held, options_);
  double gain = 0.0;
  for (std::size_t b = 0; b < rows.child.size(); ++b) {
    Holding& held = rows.child[b];
    for (std::size_t i = 0; rows.shared != nullptr && rows.share[b] > 0.0 && i < rows.shared->size(); ++i)
      held.add(rows.shared->row[i], rows.share[b] * rows.shared->weight[i]);
    if (held.size() == 0) continue;
    const NodeStats stats = stats_of(held, target_, options_, judge_, centre);
    if (!splits(stats)) continue;
    const NodeView view = view_node(held, stats, target_, stat_kind(target_, options_.criterion), centre);
    std::size_t offered = 0;
    const std::vector<Candidate> best = search_.search(view, allowed, offered);
    if (!best.empty()) gain += best.front().gain * stats.effective;
  }
  return gain;
}

void LookingAhead::choose(std::vector<Candidate>& tests, const NodeView& node, double centre,
                          const std::vector<std::uint8_t>& allowed,
                          const std::function<bool(const NodeStats&)>& splits) const {
  const std::size_t most = std::min(tests.size(), static_cast<std::size_t>(beam_));
  std::size_t best = 0;
  double most_gained = 0.0;
  for (std::size_t i = 0; i < most; ++i) {
    const double gain = tests[i].gain * node.stats->effective + below(tests[i], node, centre, allowed, splits);
    if (i > 0 && !(gain > most_gained * (1.0 + options_.tie))) continue;
    best = i;
    most_gained = gain;
  }
  const auto first = tests.begin();
  std::rotate(first, first + static_cast<std::ptrdiff_t>(best), first + static_cast<std::ptrdiff_t>(best) + 1);
}

}  // namespace bough
