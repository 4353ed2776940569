#include "bough/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace bough {

void share_among_threads(std::size_t items, int threads, const std::function<void(std::size_t, int)>& task) {
  const int workers = static_cast<int>(std::min<std::size_t>(items, static_cast<std::size_t>(std::max(threads, 1))));
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&](int worker) {
    try {
      for (std::size_t item = next++; item < items; item = next++) task(item, worker);
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      // What the calling thread says counts most: the others only notice that it has given up.
      if (!failure || worker == 0) failure = std::current_exception();
      next = items;
    }
  };
  std::vector<std::thread> pool;
  pool.reserve(static_cast<std::size_t>(workers) - 1);
  for (int worker = 1; worker < workers; ++worker) {
    try {
      pool.emplace_back(run, worker);
    } catch (...) {
      break;  // no more threads or no memory for one: those at hand do the work, and none is left behind unjoined
    }
  }
  run(0);
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bough
