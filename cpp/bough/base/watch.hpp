// A long call's link to its caller: asks now and then whether to stop, and says how far it has come.
// Any thread may poll; only the thread that made the call talks to the caller.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>

namespace bough {

struct Interrupted : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

class Watch {
 public:
  // `ask(share)` gets the share of the work done and throws to end it.
  explicit Watch(std::function<void(double)> ask = {}, double total = 1.0)
      : ask_(std::move(ask)), total_(total), owner_(std::this_thread::get_id()), last_(Clock::now()) {}

  void done(double amount) { done_.fetch_add(amount, std::memory_order_relaxed); }

  // Cheap enough for every node: counts the entries worked on and looks at the clock every 2^16 of them.
  void poll(std::size_t entries) {
    if (stopped_.load(std::memory_order_relaxed)) throw Interrupted();
    if (!ask_ || std::this_thread::get_id() != owner_) return;
    pending_ += entries;
    if (pending_ < (std::size_t{1} << 16)) return;
    pending_ = 0;
    ask();
  }

  // The same at once, from the thread that made the call: for when it waits for the others.
  void ask() {
    if (!ask_) return;
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return;
    last_ = now;
    try {
      // Rows that are in several branches are done several times.
      ask_(total_ > 0 ? std::min(1.0, done_.load(std::memory_order_relaxed) / total_) : 0.0);
    } catch (...) {
      stopped_ = true;
      throw;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::function<void(double)> ask_;
  double total_;
  std::thread::id owner_;
  Clock::time_point last_;
  std::size_t pending_ = 0;
  std::atomic<double> done_{0.0};
  std::atomic<bool> stopped_{false};
};

}  // namespace bough
