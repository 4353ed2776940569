#include "bough/engine/open/expert.hpp"

#include <algorithm>

#include "bough/base/error.hpp"

namespace bough {

Expert::Expert(const ExpertOptions& options, std::size_t columns)
    : options_(options), reached_(options.forced.size(), 0) {
  if (options.empty()) return;
  places_.emplace_back();
  for (std::size_t i = 0; i < options.forced.size(); ++i) {
    const std::int32_t place = place_of(options.forced[i].path);
    if (places_[static_cast<std::size_t>(place)].forced >= 0)
      throw InvalidInput("forced[" + std::to_string(i) + "]", "another split is given for the same node");
    places_[static_cast<std::size_t>(place)].forced = static_cast<std::int32_t>(i);
  }
  for (const ColumnsBelow& below : options.columns) {
    std::vector<std::uint8_t> mask(columns, 0);
    for (const std::int32_t column : below.columns) mask[static_cast<std::size_t>(column)] = 1;
    places_[static_cast<std::size_t>(place_of(below.path))].columns = static_cast<std::int32_t>(masks_.size());
    masks_.push_back(std::move(mask));
  }
}

std::int32_t Expert::place_of(const std::vector<std::int32_t>& path) {
  std::int32_t at = 0;
  for (const std::int32_t branch : path) {
    const auto found = places_[static_cast<std::size_t>(at)].below.find(branch);
    if (found != places_[static_cast<std::size_t>(at)].below.end()) {
      at = found->second;
      continue;
    }
    const auto made = static_cast<std::int32_t>(places_.size());
    places_[static_cast<std::size_t>(at)].below[branch] = made;
    places_.emplace_back();
    at = made;
  }
  return at;
}

// What is said of a node replaces what was said above it.
ExpertPlace Expert::entered(ExpertPlace place) const {
  if (place.place < 0) return place;
  const Place& here = places_[static_cast<std::size_t>(place.place)];
  if (here.columns >= 0) place.columns = here.columns;
  if (here.forced >= 0) reached_[static_cast<std::size_t>(here.forced)] = 1;
  return place;
}

ExpertPlace Expert::below(const ExpertPlace& place, std::int32_t branch) const {
  ExpertPlace next{-1, place.columns};
  if (place.place < 0) return next;
  const auto& ways = places_[static_cast<std::size_t>(place.place)].below;
  const auto found = ways.find(branch);
  if (found != ways.end()) next.place = found->second;
  return entered(next);
}

const ForcedSplit* Expert::forced(const ExpertPlace& place) const {
  if (place.place < 0) return nullptr;
  const std::int32_t forced = places_[static_cast<std::size_t>(place.place)].forced;
  return forced < 0 ? nullptr : &options_.forced[static_cast<std::size_t>(forced)];
}

const std::vector<std::uint8_t>& Expert::allowed(const ExpertPlace& place) const {
  return place.columns < 0 ? all_ : masks_[static_cast<std::size_t>(place.columns)];
}

std::string Expert::name(const ExpertPlace& place) const {
  return "forced[" + std::to_string(places_[static_cast<std::size_t>(place.place)].forced) + "]";
}

void Expert::check_reached() const {
  const auto missed = std::find(reached_.begin(), reached_.end(), 0);
  if (missed == reached_.end()) return;
  throw InvalidInput("forced[" + std::to_string(missed - reached_.begin()) + "]",
                     "the tree has no such node: the one above it is a leaf");
}

}  // namespace bough
