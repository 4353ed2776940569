// See policy.hpp.
#include "bough/missing/policy.hpp"

namespace bough {
namespace {

Otherwise fallback_of(const GrowOptions& options) {
  switch (options.missing) {
    case MissingRule::surrogate:
      return options.fallback;
    case MissingRule::stop:
      return Otherwise::stop;
    case MissingRule::fractional:
      return Otherwise::spread;
    case MissingRule::majority:
    case MissingRule::own_branch:
    case MissingRule::learned:
      break;
  }
  return Otherwise::majority;
}

}  // namespace

Routing routing_of(const GrowOptions& options) {
  return {options.missing == MissingRule::surrogate, fallback_of(options), options.absent, options.unseen};
}

}  // namespace bough
