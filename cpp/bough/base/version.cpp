// The version as a string: the only file that is compiled again when it changes.
#include "bough/base/version.hpp"

namespace bough {

std::string_view version() noexcept { return BOUGH_VERSION; }

}  // namespace bough
