// An expert's hand on the growth: splits that are given and columns that are allowed, by the path from the root.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bough/engine/options.hpp"

namespace bough {

// Where a node stands in what the expert has said: a place of the paths, and the columns that are allowed.
struct ExpertPlace {
  std::int32_t place = -1;    // -1: nothing is said of what lies below
  std::int32_t columns = -1;  // -1: all
};

class Expert {
 public:
  Expert(const ExpertOptions& options, std::size_t columns);

  [[nodiscard]] ExpertPlace root() const { return entered({places_.empty() ? -1 : 0, -1}); }
  [[nodiscard]] ExpertPlace below(const ExpertPlace& place, std::int32_t branch) const;
  // The split that is given here, or null.
  [[nodiscard]] const ForcedSplit* forced(const ExpertPlace& place) const;
  // By column: whether it may be asked; empty: all.
  [[nodiscard]] const std::vector<std::uint8_t>& allowed(const ExpertPlace& place) const;
  // What an error calls the split given here.
  [[nodiscard]] std::string name(const ExpertPlace& place) const;
  // Throws InvalidInput if a split was given for a node that never came to be.
  void check_reached() const;

 private:
  struct Place {
    std::map<std::int32_t, std::int32_t> below;
    std::int32_t forced = -1;
    std::int32_t columns = -1;
  };
  std::int32_t place_of(const std::vector<std::int32_t>& path);
  [[nodiscard]] ExpertPlace entered(ExpertPlace place) const;

  const ExpertOptions& options_;
  std::vector<Place> places_;
  std::vector<std::vector<std::uint8_t>> masks_;
  std::vector<std::uint8_t> all_;
  mutable std::vector<std::uint8_t> reached_;  // by forced split
};

}  // namespace bough
