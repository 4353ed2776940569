// Description length of a list of rules, in bits: what it takes to tell the rules, and then the rows on which they are
// wrong (Quinlan 1995, Cohen 1995). A rule stays if telling it is cheaper than telling the errors it saves.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace bough {

// What a rule does in its turn, on the rows that earlier ones left: weights covered, and left uncovered after it.
struct Turn {
  double covered = 0.0;
  double covered_positive = 0.0;
  double left = 0.0;
  double left_positive = 0.0;
  std::size_t conditions = 0;

  [[nodiscard]] double wrong() const { return covered - covered_positive; }
};

// The same of a whole list.
struct ListCounts {
  double covered = 0.0;
  double left = 0.0;
  double wrong = 0.0;          // covered, but not positive
  double left_positive = 0.0;  // positive, but not covered
};

// The bits that tell where a list is wrong. The larger part, what is covered or what is left, is coded with `expected`,
// or the rest, of the errors in it. JRip leaves some lengths undefined.
[[nodiscard]] double exception_bits(double expected, const ListCounts& list, bool jrip = false);

class Description {
 public:
  // `expected` is the share of errors that are expected among what is covered, `literals` the number of literals that
  // there are to choose from. Rules that are wrong on at least `max_error` of their rows count as deleted anyway.
  Description(double expected, double literals, double max_error, bool jrip)
      : expected_(expected), literals_(literals), max_error_(max_error), jrip_(jrip) {}

  [[nodiscard]] double theory(std::size_t conditions) const;
  [[nodiscard]] double data(const ListCounts& list) const { return exception_bits(expected_, list, jrip_); }

  // What deleting a rule saves, if it should be deleted: the list is then without it. May be undefined.
  std::optional<double> saved(const Turn& rule, ListCounts& list) const;

  // The length of the errors of a list less what deleting some of its last rules saves.
  [[nodiscard]] double shortest(ListCounts list, std::span<const Turn> last) const;

 private:
  double expected_;
  double literals_;
  double max_error_;
  bool jrip_;
};

}  // namespace bough
