#include "bough/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace bough {

void share_among_threads(std::size_t items, int threads, const std::function<void()>& meanwhile,
                         const std::function<void(std::size_t, int)>& task) {
  const int workers = static_cast<int>(std::min<std::size_t>(items, static_cast<std::size_t>(std::max(threads, 1))));
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;  // of `failure` and `running`
  std::condition_variable ended;
  int running = 0;
  const auto fail = [&](bool caller) {
    const std::lock_guard lock(mutex);
    // What the calling thread says counts most: the others only notice that it has given up.
    if (!failure || caller) failure = std::current_exception();
    next = items;
  };
  const auto run = [&](int worker) {
    try {
      for (std::size_t item = next++; item < items; item = next++) task(item, worker);
    } catch (...) {
      fail(worker == 0);
    }
    if (worker == 0) return;
    const std::lock_guard lock(mutex);
    --running;
    ended.notify_one();
  };
  std::vector<std::thread> pool;
  pool.reserve(static_cast<std::size_t>(workers) - 1);
  for (int worker = 1; worker < workers; ++worker) {
    const std::lock_guard lock(mutex);
    try {
      pool.emplace_back(run, worker);
      ++running;
    } catch (...) {
      break;  // no more threads or no memory for one: those at hand do the work, and none is left behind unjoined
    }
  }
  run(0);
  if (meanwhile) {
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, std::chrono::milliseconds(50), [&] { return running == 0; })) {
      lock.unlock();
      try {
        meanwhile();
      } catch (...) {
        fail(true);
        break;
      }
      lock.lock();
    }
  }
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bough
