// A condition variable's wait with a limit.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace lanewise {

// Whether `done()` holds within `most`. By the system's clock: ThreadSanitizer of GCC 12 does not know the wait by the steady one, and
// takes the mutex for held meanwhile.
template <class Done>
bool waitAtMost(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, std::chrono::milliseconds most, Done done) {
  return changed.wait_until(lock, std::chrono::system_clock::now() + most, std::move(done));
}

}  // namespace lanewise
