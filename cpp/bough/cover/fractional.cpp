// See fractional.hpp. 64 rows at a time, whose cells are first turned into keys; a rule looks only at rows of which
// something is left.
#include "bough/cover/fractional.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "bough/base/error.hpp"
#include "bough/base/parallel.hpp"
#include "bough/feature/row.hpp"
#include "bough/split/low_key.hpp"
#include "bough/table/keys.hpp"

namespace bough {
namespace {

constexpr std::int64_t kLanes = 64;
constexpr std::int64_t kRowsAtOnce = 16 * kLanes;

// A literal in the keys of the table at hand: the keys from `first` to `last` pass it.
struct KeyLiteral {
  std::size_t slot = 0;
  std::int64_t first = std::numeric_limits<std::int64_t>::min();
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
  bool other = false;  // all other keys pass instead
  double share = 0.0;
  std::int32_t column = 0;

  [[nodiscard]] bool passes(std::int64_t key) const { return (first <= key && key <= last) != other; }
};

class Sharing {
 public:
  Sharing(const FractionalRules& rules, std::span<const ColumnView> columns, const FractionalOptions& options)
      : rules_(rules), columns_(columns), options_(options) {
    std::vector<std::size_t> slot(columns.size(), columns.size());
    literals_.reserve(rules.column.size());
    for (std::size_t i = 0; i < rules.column.size(); ++i) {
      const ColumnView& view = column_of_kind(columns, rules.column[i], FractionalRules::is_nominal(rules.asks[i]));
      KeyLiteral literal = in_keys(i, view);
      const auto column = static_cast<std::size_t>(literal.column = rules.column[i]);
      if (slot[column] == columns.size()) {
        slot[column] = slots_.size();
        slots_.push_back(column);
      }
      literal.slot = slot[column];
      literals_.push_back(literal);
    }
  }

  void chunk(std::int64_t begin, std::int64_t end, Watch& watch, const TakePart& take) const {
    std::vector<std::int64_t> keys(std::max<std::size_t>(1, slots_.size()) * kLanes);
    for (std::int64_t first = begin; first < end; first += kLanes) {
      const std::int64_t rows = std::min(kLanes, end - first);
      for (std::size_t s = 0; s < slots_.size(); ++s)
        fill_keys(columns_[slots_[s]], first, rows, keys.data() + s * kLanes);
      watch.poll(tile(first, rows, keys.data(), take));
    }
  }

 private:
  [[nodiscard]] KeyLiteral in_keys(std::size_t i, const ColumnView& view) const {
    KeyLiteral literal;
    literal.share = rules_.share[i];
    const Asks asks = rules_.asks[i];
    literal.other = asks == Asks::other_level || asks == Asks::above;
    if (FractionalRules::is_nominal(asks)) {
      literal.first = literal.last = rules_.code[i];
      return literal;
    }
    const KeyFamily family = view.kind == ColumnKind::numeric ? family_of(view.type) : KeyFamily::integer;
    const std::optional<std::int64_t> last =
        last_low_key({rules_.value_bits[i], rules_.value_type[i], Side::le}, family);
    if (last) {
      literal.last = *last;
    } else {  // nothing is so low
      std::swap(literal.first, literal.last);
    }
    return literal;
  }

  // What of a row a rule takes.
  [[nodiscard]] double cover(std::size_t rule, std::int64_t row, const std::int64_t* keys) const {
    double part = 1.0;
    for (std::int64_t i = rules_.begin[rule]; i < rules_.begin[rule + 1]; ++i) {
      const KeyLiteral& literal = literals_[static_cast<std::size_t>(i)];
      const std::int64_t key = keys[literal.slot * kLanes];
      if (key == unknown_key) [[unlikely]] {
        const bool nominal = columns_[static_cast<std::size_t>(literal.column)].kind == ColumnKind::nominal;
        const std::int32_t state = ValueRow(columns_, row, options_.unseen_is_missing).state(literal.column, nominal);
        if (state == State::missing) {
          part *= literal.share;
          continue;
        }
      }
      if (!literal.passes(key)) return 0.0;
    }
    return part;
  }

  // The literals asked, or so.
  std::size_t tile(std::int64_t first, std::int64_t rows, const std::int64_t* keys, const TakePart& take) const {
    std::array<double, kLanes> rest{};
    std::array<std::int64_t, kLanes> left{};
    rest.fill(1.0);
    std::iota(left.begin(), left.end(), 0);
    auto n = static_cast<std::size_t>(rows);
    std::size_t asked = 0;
    for (std::size_t rule = 0; rule < rules_.size() && n > 0; ++rule) {
      std::size_t still = 0;
      asked += n;
      for (std::size_t j = 0; j < n; ++j) {
        const std::int64_t r = left[j];
        double& of_row = rest[static_cast<std::size_t>(r)];
        const double part = cover(rule, first + r, keys + r);
        if (part > options_.epsilon) {
          take(first + r, rule, of_row * part);
          of_row *= 1.0 - part;
        }
        left[still] = r;
        still += of_row > options_.epsilon ? 1 : 0;
      }
      n = still;
    }
    return asked;
  }

  const FractionalRules& rules_;
  std::span<const ColumnView> columns_;
  const FractionalOptions& options_;
  std::vector<KeyLiteral> literals_;
  std::vector<std::size_t> slots_;  // the columns that are asked for
};

void require(bool holds, const std::string& place, const char* problem) {
  if (!holds) throw InvalidInput(place, problem);
}

}  // namespace

void check_rules(const FractionalRules& rules) {
  const std::size_t literals = rules.column.size();
  require(!rules.begin.empty() && rules.begin.front() == 0 && std::ranges::is_sorted(rules.begin) &&
              rules.begin.back() == static_cast<std::int64_t>(literals),
          "rule_begin", "expected numbers that rise from 0 to the number of literals");
  require(rules.asks.size() == literals, "kind", "one for each literal is needed");
  require(rules.code.size() == literals, "code", "one for each literal is needed");
  require(rules.value_type.size() == literals, "value_type", "one for each literal is needed");
  require(rules.value_bits.size() == literals, "value_bits", "one for each literal is needed");
  require(rules.share.size() == literals, "share", "one for each literal is needed");
  require(rules.counts.size() == rules.size() * rules.classes, "counts", "one for each rule and class is needed");
  for (std::size_t i = 0; i < literals; ++i) {
    std::string place = "[";  // one by one: GCC 12 warns of a sum that begins with a single character
    place.append(std::to_string(i)).append("]");
    require(rules.column[i] >= 0, "column" + place, "must not be negative");
    require(rules.asks[i] <= Asks::other_level, "kind" + place, "must be 0 to 3");
    require(rules.value_type[i] <= ValueType::u64, "value_type" + place, "must be 0 to 2");
    require(rules.share[i] >= 0.0 && rules.share[i] <= 1.0, "share" + place, "must be from 0 to 1");
    if (FractionalRules::is_nominal(rules.asks[i])) require(rules.code[i] >= 0, "code" + place, "must not be negative");
  }
}

void share_out(const FractionalRules& rules, std::span<const ColumnView> columns, std::int64_t rows,
               const FractionalOptions& options, Watch& watch, const TakePart& take) {
  const Sharing sharing(rules, columns, options);
  parallel_for(
      static_cast<std::size_t>((rows + kRowsAtOnce - 1) / kRowsAtOnce), options.threads, [&] { watch.ask(); },
      [&](std::size_t k, int) {
        const std::int64_t begin = static_cast<std::int64_t>(k) * kRowsAtOnce;
        sharing.chunk(begin, std::min(rows, begin + kRowsAtOnce), watch, take);
      });
}

std::vector<double> fractional_probabilities(const FractionalRules& rules, std::span<const ColumnView> columns,
                                             std::int64_t rows, const FractionalOptions& options, Watch& watch) {
  const std::size_t classes = rules.classes;
  std::vector<double> shares(rules.counts);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    double* of_rule = shares.data() + r * classes;
    const double sum = std::accumulate(of_rule, of_rule + classes, 0.0);
    for (std::size_t k = 0; k < classes; ++k) of_rule[k] = sum > 0.0 ? of_rule[k] / sum : 0.0;
  }
  std::vector<double> found(static_cast<std::size_t>(rows) * classes, 0.0);
  share_out(rules, columns, rows, options, watch, [&](std::int64_t row, std::size_t rule, double part) {
    double* of_row = found.data() + static_cast<std::size_t>(row) * classes;
    for (std::size_t k = 0; k < classes; ++k) of_row[k] += part * shares[rule * classes + k];
  });
  return found;
}

std::vector<std::int32_t> fractional_apply(const FractionalRules& rules, std::span<const ColumnView> columns,
                                           std::int64_t rows, const FractionalOptions& options, Watch& watch) {
  std::vector<std::int32_t> found(static_cast<std::size_t>(rows), -1);
  std::vector<double> most(static_cast<std::size_t>(rows), 0.0);
  share_out(rules, columns, rows, options, watch, [&](std::int64_t row, std::size_t rule, double part) {
    const auto r = static_cast<std::size_t>(row);
    if (!(part > most[r] + options.epsilon)) return;
    most[r] = part;
    found[r] = static_cast<std::int32_t>(rule);
  });
  return found;
}

}  // namespace bough
