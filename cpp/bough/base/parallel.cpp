#include "bough/base/parallel.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace bough {

void parallel_for(std::size_t items, int threads, const std::function<void(std::size_t, int)>& task) {
  const int workers = static_cast<int>(std::min<std::size_t>(items, static_cast<std::size_t>(std::max(threads, 1))));
  if (workers <= 1) {
    for (std::size_t item = 0; item < items; ++item) task(item, 0);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&](int worker) {
    try {
      for (std::size_t item = next++; item < items; item = next++) task(item, worker);
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = items;
    }
  };
  std::vector<std::thread> pool;
  pool.reserve(static_cast<std::size_t>(workers) - 1);
  for (int worker = 1; worker < workers; ++worker) {
    try {
      pool.emplace_back(run, worker);
    } catch (const std::system_error&) {
      break;  // the system gives no more threads: the ones at hand do the work
    }
  }
  run(0);
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bough
