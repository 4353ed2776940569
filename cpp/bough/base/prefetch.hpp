// Asks the processor to fetch memory that will be read soon; without effect on results.
#pragma once

namespace bough {

inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#endif
}

}  // namespace bough
