// Threads started inside a call and joined before it returns: fork-safe, and no second runtime in the process.
// Work is handed out item by item, and every item writes to its own place, so the result never depends on the number of
// threads.
#pragma once

#include <cstddef>
#include <functional>

namespace bough {

// parallel_for on two threads or more.
void share_among_threads(std::size_t items, int threads, const std::function<void()>& meanwhile,
                         const std::function<void(std::size_t, int)>& task);

// Calls task(item, worker) for item in [0, items) on up to `threads` workers; the calling thread is worker 0.
// The first exception thrown by a task ends the others early and is thrown again here. While the calling thread waits
// for the last of the others, it calls meanwhile() several times a second, which may throw as well. A single worker is
// a plain loop that the compiler sees through: small nodes come here a hundred thousand times.
template <class Task>
void parallel_for(std::size_t items, int threads, const std::function<void()>& meanwhile, const Task& task) {
  if (threads <= 1 || items <= 1) {
    for (std::size_t item = 0; item < items; ++item) task(item, 0);
  } else {
    share_among_threads(items, threads, meanwhile, std::cref(task));
  }
}

template <class Task>
void parallel_for(std::size_t items, int threads, const Task& task) {
  parallel_for(items, threads, {}, task);
}

}  // namespace bough
