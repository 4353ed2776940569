// The interpreter's lock, given up for long work and taken back. When the interpreter ends while a thread is away from
// it, Python up to 3.13 ends that thread by unwinding its stack, which C++ answers with std::terminate and so with an
// abort of a process that was about to end well. Such a thread is put to sleep instead, as Python 3.14 does itself.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace bough::python {

// Calls take(), which takes the lock; a thread that can have it no more does not come back.
template <class Take>
auto take_or_sleep(const Take& take) noexcept {
  try {
    return take();
  } catch (...) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

// The interpreter is free for others as long as this lives.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  ~Unlocked() {
    take_or_sleep([this] { PyEval_RestoreThread(state_); });
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  Unlocked(Unlocked&&) = delete;
  Unlocked& operator=(Unlocked&&) = delete;

 private:
  PyThreadState* state_;
};

// Inside the life of an Unlocked: back in the interpreter as long as this lives.
class Locked {
 public:
  Locked() : state_(take_or_sleep([] { return PyGILState_Ensure(); })) {}
  ~Locked() { PyGILState_Release(state_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  Locked(Locked&&) = delete;
  Locked& operator=(Locked&&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace bough::python
