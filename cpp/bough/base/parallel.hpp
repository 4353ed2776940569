// Threads started inside a call and joined before it returns: fork-safe, and no second runtime in the process.
// Work is handed out item by item, and every item writes to its own place, so the result never depends on the number of
// threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace bough {

// Calls task(item, worker) for item in [0, items) on up to `threads` workers; the calling thread is worker 0.
// The first exception thrown by a task ends the others early and is thrown again here.
void parallel_for(std::size_t items, int threads, const std::function<void(std::size_t, int)>& task);

}  // namespace bough
