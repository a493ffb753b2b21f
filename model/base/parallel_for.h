// A loop on all cores: TBB's, which splits it and lets a thread that waits do other work of it.
//
// What is before the loop happens before every turn of it, and that before what follows it. TBB makes it so, and two atomics say it again
// where ThreadSanitizer sees it: Debian's TBB is not instrumented.
#pragma once

#include <tbb/parallel_for.h>

#include <atomic>
#include <cstdint>

namespace lanewise {

// body(0) to body(count - 1), in any order and side by side; a body that throws ends the loop with its exception. `partitioner`: TBB's;
// tbb::simple_partitioner makes every turn a task of its own.
template <class Index, class Body, class Partitioner = tbb::auto_partitioner>
void parallelFor(Index count, const Body& body, const Partitioner& partitioner = {}) {
  std::atomic<std::uint32_t> begun = 0, ended = 0;
  begun.store(1, std::memory_order_release);
  tbb::parallel_for(
      Index{0}, count,
      [&](Index i) {
        static_cast<void>(begun.load(std::memory_order_acquire));
        body(i);
        ended.fetch_add(1, std::memory_order_release);
      },
      partitioner);
  static_cast<void>(ended.load(std::memory_order_acquire));
}

}  // namespace lanewise
