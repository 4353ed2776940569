// What a covering is asked for: the parts of the one loop that IREP, IREP*, RIPPER and JRip share, and the limits that
// hold in its result. Defaults are RIPPER's of Cohen (1995), with stratified splits.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "bough/cover/written.hpp"

namespace bough {

// How much a literal adds, p and t being the positive and the total weight that stay covered, P and T before:
//   foil      p (log2 p/t - log2 P/T)
//   laplace   p (log2 (p+1)/(t+1) - log2 (P+1)/(T+1))
enum class RuleGain : std::uint8_t { foil, laplace };

// What a rule is worth on the rows it is pruned on, of which P are positive and N not, and p and n covered:
//   difference   (p - n) / (p + n), -1 if nothing is covered
//   laplace      (p + 1) / (p + n + 2)
//   accuracy     (p + N - n) / (P + N): of the rule together with its rejections
enum class PruneValue : std::uint8_t { difference, laplace, accuracy };

// One of these, or what the caller writes.
struct RuleWorth {
  RuleWorth(PruneValue value) : value(value) {}
  RuleWorth(WrittenParts::Values values) : written(std::move(values)) {}

  PruneValue value = PruneValue::difference;
  WrittenParts::Values written;
};

// What pruning may take from a rule: its last literals, or one literal after the other, any of them.
enum class Deletions : std::uint8_t { last, single };

// Where thresholds lie: halfway between two values with <= and >, or at a value with <= and >=.
enum class CutAt : std::uint8_t { midpoint, data_value };

// Kinds of literals that may be used.
struct AllowedLiterals {
  bool equal = true;
  bool unequal = false;
  bool one_of = false;
  bool at_most = true;
  bool above = true;
  bool missing = false;
};

struct CoverOptions {
  RuleGain gain = RuleGain::foil;
  AllowedLiterals allowed;
  CutAt cut_at = CutAt::midpoint;
  double min_positive = 0.0;  // growing ends at a literal that keeps less positive weight than this
  std::vector<std::uint8_t> forbidden;  // by column; empty: none
  std::vector<std::uint8_t> required;   // by column: every rule that is learnt asks it; empty: none
  std::vector<std::int8_t> monotone;    // by column, two classes: the second gets likelier (1) or unlikelier (-1)

  bool prune = true;  // false: rules grow on all rows, and nothing is pruned or optimised
  RuleWorth prune_value = PruneValue::difference;
  RuleWorth optimise_value = PruneValue::accuracy;  // in place of prune_value while rules are optimised
  Deletions deletions = Deletions::last;
  std::uint32_t folds = 3;  // one of these parts is for pruning
  bool stratified = true;
  std::vector<std::uint8_t> held_out;  // by row: 1 for pruning, whatever is drawn; empty: rows are drawn for each rule

  double slack = 64.0;  // bits above the shortest description at which no rule is added any more
  double max_error =
      0.5;  // a rule that is wrong on this share of what it covers, or more, ends a class; above 1: never
  double max_pruning_error = std::numeric_limits<double>::infinity();  // the same above this share of the pruning rows
  std::uint32_t rounds = 2;  // of optimisation
  bool reduce = true;  // rules that make the description longer are deleted also before the first round

  double min_weight = 0.0;  // that a rule covers in its turn
  double min_precision = 0.0;  // of a rule in its turn
  std::uint32_t max_literals = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t max_rules = std::numeric_limits<std::uint32_t>::max();

  WrittenParts written;

  // What JRip does otherwise: it draws by Java's generator and orders classes by it; the rule without literals is worth
  // (P + 1) / (P + N + 2) in every pruning, and may be kept; a threshold may cover every known value; after the rule of
  // an optimisation that leaves no positive row, one old rule is dropped; a description of undefined length is an
  // error.
  bool jrip = false;
  std::uint64_t seed = 0;  // a key of our own draws, or the seed of JRip's main generator, as an int64
  int threads = 1;
};

}  // namespace bough
