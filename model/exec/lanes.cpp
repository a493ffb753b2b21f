#include "model/exec/lanes.h"

#include <limits>

#include "model/state/control.h"
#include "model/state/observer.h"

namespace lanewise {
namespace {

using State = LoneLane::Status;

// An instruction writes all lanes of its results; those outside the mask get theirs back.
class Keep {
 public:
  Keep(const Batch& b, std::uint32_t pc) : b_(b), info_(b.env->program->info[pc]) {
    std::byte* to = saved_;
    forEachResult([&](std::byte* row, std::size_t bytes) {
      std::memcpy(to, row, bytes * b_.width);
      to += bytes * b_.width;
    });
  }
  // `mask`: the lanes that executed it.
  void giveBack(const LaneMask& mask) {
    const std::byte* from = saved_;
    forEachResult([&](std::byte* row, std::size_t bytes) {
      for (std::uint32_t lane = 0; lane < b_.width; ++lane)
        if (!mask.test(lane)) std::memcpy(row + lane * bytes, from + lane * bytes, bytes);
      from += bytes * b_.width;
    });
  }

 private:
  template <class Use>
  void forEachResult(const Use& use) const {
    for (std::uint32_t i = 0; i < info_.results; ++i) {
      const DescribedOperand& result = b_.env->program->described[info_.firstOperand + info_.arguments + i];
      if (result.slot.offset != 0) use(b_.regs + result.slot.offset, isWide(result.type) ? std::size_t{8} : std::size_t{4});
    }
  }
  const Batch& b_;
  const InstrInfo& info_;
  std::byte saved_[4 * 8 * kMaxLanes];  // an instruction has at most four results (decode.cpp, projections)
};

// One instruction for the lanes of the mask; nullptr as its handler says. `stopped`: the observer did not let it run.
const Instr* execute(Batch& b, const Instr* ip, ExecutionObserver* observer, bool& stopped) {
  const auto pc = static_cast<std::uint32_t>(ip - b.base);
  if (observer && !observer->beforeInstruction(b, pc)) {
    b.pc = pc;
    stopped = true;
    return nullptr;
  }
  const LaneMask lanes = b.mask;
  Keep keep(b, pc);
  const Instr* next = ip->run(ip, b);
  keep.giveBack(lanes);
  if (observer) {
    ++b.steps;
    observer->afterInstruction(b, pc, lanes);
  }
  return next;
}

// The lane that runs, until it ends, stands at a meeting point, faults, or is stopped.
void runLane(Batch& b, ExecutionObserver* observer, bool& stopped) {
  LoneLane& own = b.lone[b.lane];
  const std::vector<std::uint8_t>& meets = b.env->program->meets;
  const Instr* ip = b.base + b.pc;
  while (ip != nullptr) {
    const auto pc = static_cast<std::uint32_t>(ip - b.base);
    if (meets[pc] && own.status != State::kMet) {
      own.status = State::kWaiting;
      own.pc = pc;
      break;
    }
    ip = execute(b, ip, observer, stopped);
    if (stopped || b.status == Batch::Status::kFaulted) return;
    own.status = State::kReady;
    if (ip == nullptr) own.status = State::kAbsent;  // it returned
  }
  own.fuel = b.fuel;
  b.lane = kNoLane;
  b.status = Batch::Status::kReady;
}

void resume(Batch& b, std::uint32_t lane) {
  LaneMask one;
  one.set(lane);
  b.setMask(one);
  b.lane = lane;
  b.pc = b.lone[lane].pc;
  b.fuel = b.lone[lane].fuel;
}

// Every lane waits: those furthest behind meet. False if the batch is done, at a control barrier of its workgroup, faulted or stopped.
bool meet(Batch& b, ExecutionObserver* observer, bool& stopped) {
  std::uint32_t pc = std::numeric_limits<std::uint32_t>::max();
  for (const LoneLane& l : b.lone)
    if (l.status == State::kWaiting) pc = std::min(pc, l.pc);
  LaneMask lanes;
  for (std::uint32_t i = 0; i < b.lone.size(); ++i)
    if (b.lone[i].status == State::kWaiting && b.lone[i].pc == pc) lanes.set(i);
  if (!lanes.any()) {
    b.status = Batch::Status::kDone;
    return false;
  }
  b.setMask(lanes);
  const ir::Code op = b.env->program->info[pc].op;
  const bool together = op == ir::kSubgroup || op == ir::kControlBarrier;
  if (together) {
    static_cast<void>(execute(b, b.base + pc, observer, stopped));
    if (stopped || b.status == Batch::Status::kFaulted) return false;
  }
  for (std::uint32_t i = 0; i < b.lone.size(); ++i) {
    if (!lanes.test(i)) continue;
    b.lone[i].status = together ? State::kReady : State::kMet;
    b.lone[i].pc = together ? pc + 1 : pc;
  }
  return b.status == Batch::Status::kReady;
}

}  // namespace

void startLanes(Batch& b) {
  b.lane = kNoLane;
  b.lone.assign(b.width, {});
  for (std::uint32_t i = 0; i < b.width; ++i)
    if (b.live.test(i)) b.lone[i] = {State::kReady, 0, b.fuel};
}

bool runLanes(Batch& b, const Schedule& schedule, ExecutionObserver* observer) {
  bool stopped = false;
  while (!stopped && b.status == Batch::Status::kReady) {
    for (std::uint64_t i = 0; i < b.lone.size() && b.lane == kNoLane; ++i) {
      const auto lane = static_cast<std::uint32_t>(schedule.at(i, b.lone.size()));
      if (b.lone[lane].status == State::kReady || b.lone[lane].status == State::kMet) resume(b, lane);
    }
    if (b.lane != kNoLane)
      runLane(b, observer, stopped);
    else if (!meet(b, observer, stopped))
      break;
  }
  return stopped;
}

}  // namespace lanewise
