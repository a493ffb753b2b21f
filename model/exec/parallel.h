// Workgroups of one dispatch on several threads, with the bytes of the run in order.
//
// A part (part.h) is a range of workgroups. Parts run side by side and claim what they access in resources that the dispatch stores to
// (state/claims.h). If no two parts have touched the same place, no order can show. Otherwise, or after a fault, the job begins again, or
// the resources are put back, and the rest of the dispatch runs in order; its program is remembered. Sums by atomics whose results nobody
// uses are made in each part and joined. Workgroups run ahead of atomics that tell their order (ahead.h). What else could tell it (atomics
// of images, pointers as values, printed lines) runs in order from the start.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <span>

#include "model/exec/bound_dispatch.h"
#include "model/exec/compiled_run.h"
#include "model/exec/marks.h"
#include "model/exec/part.h"
#include "model/state/scratch.h"

namespace lanewise {

struct ParallelRule {
  bool allowed = true;
  bool mayMeet = true;  // the job may begin again where parts meet (Execution::met)
  // From so many workgroups of a dispatch on, the interpreter executes small ones together (ir/together.h); 0: never.
  std::uint64_t together = 32;
  // A dispatch runs in order for so long before anything else is tried, and what is left must be worth at least `least`.
  std::chrono::microseconds inOrder{200}, least{400};
  // The number of parts; 0: as many as are worth while. Tests set it.
  std::uint32_t parts = 0;
  static constexpr std::uint32_t kMostParts = 126;
  // What copies of resources and claims are made in.
  std::shared_ptr<Scratch> memory = std::make_shared<Scratch>();
  std::shared_ptr<ZeroMemory> zeros = std::make_shared<ZeroMemory>();
};

// Says when a dispatch that runs in order should go on in parts: between two workgroups, and once. If parts were much quicker, the next
// dispatch of so many workgroups runs in parts from its first one on. If not, it runs in order, and from then on what was quicker; now and
// then the other one is tried again.
class ParallelWatch {
 public:
  // `part`: the whole dispatch. `watched`: somebody sees the order. `byCode`: compiled code runs it from the beginning.
  ParallelWatch(const ParallelRule& rule, const Part& part, const DispatchRun& dispatch, bool watched, bool byCode);
  // It may still say so.
  bool isPossible() const { return possible_; }
  // It was not yet time to say so.
  bool waits() const { return possible_ && !asked_; }
  // If it is time: how long what is left takes in order. `byCode`: compiled code runs it.
  std::optional<std::chrono::nanoseconds> left(bool byCode = false);
  // The dispatch has ended, all of it by one tier.
  void ended(bool inParts) const;

 private:
  using Clock = std::chrono::steady_clock;
  const ParallelRule& rule_;
  const Part& part_;
  lanewise::Program::SideBySide::Pace& pace_;
  bool possible_, asked_ = false;
  std::uint64_t first_;
  Clock::time_point begin_ = Clock::now();
  std::chrono::nanoseconds next_;  // when it is time
  double estimate_ = 0;            // nanoseconds of a workgroup in order
};

// How many threads parts would run on.
std::uint32_t threadsForParts();

struct ParallelLimits {
  std::chrono::nanoseconds inOrder;         // that the run in order takes
  std::uint64_t memory = 0;                 // bytes
  const std::atomic<bool>* stop = nullptr;  // set from another thread: parts end between two workgroups, and nothing has changed
};

// kNo: nothing has changed. kGaveUp: stopped, or as compiled code gives a run up (compiled_run.h). kMet: the order could show, a part
// failed, or memory ended, which is remembered of the program. After these two the bytes of the resources are not those of any run.
enum class InParts : std::uint8_t { kNo, kDone, kGaveUp, kMet };
// The bytes of a resource as the views of a dispatch see them.
using BytesOf = std::function<std::span<std::byte>(std::uint32_t resource)>;

// Runs the workgroups that `rest` has not opened.
InParts runInParallel(const BoundDispatch& bound, const DispatchRun& dispatch, const Part& rest, const ParallelRule& rule,
                      const ParallelLimits& limits, const BytesOf& bytesOf);

}  // namespace lanewise
