#include "model/exec/lanes.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "model/exec/lone_code.h"
#include "model/exec/turns.h"
#include "model/exec/weak_memory.h"
#include "model/state/control.h"
#include "model/state/lane_masks.h"
#include "model/state/observers.h"

namespace lanewise {
namespace {

using State = LoneLane::Status;

// Restores the lanes outside the mask after an instruction, which writes all lanes of its results.
class Keep {
 public:
  Keep(const Batch& b, std::uint32_t pc) : b_(b), results_(b.env->program->resultsOf(pc)) {
    std::byte* to = saved_;
    forEachResult([&](std::byte* row, std::size_t bytes) {
      std::memcpy(to, row, bytes * b_.width);
      to += bytes * b_.width;
    });
  }
  // `mask`: the lanes that executed the instruction.
  void giveBack(const LaneMask& mask) {
    const std::byte* from = saved_;
    forEachResult([&](std::byte* row, std::size_t bytes) {
      if (b_.lane != kNoLane)
        restoreBut(b_.lane, row, from, bytes);
      else
        for (std::uint32_t lane = 0; lane < b_.width; ++lane)
          if (!mask.test(lane)) std::memcpy(row + lane * bytes, from + lane * bytes, bytes);
      from += bytes * b_.width;
    });
  }

 private:
  // All lanes but the one that runs alone.
  void restoreBut(std::uint32_t lane, std::byte* row, const std::byte* from, std::size_t bytes) const {
    std::byte own[8];
    std::memcpy(own, row + lane * bytes, bytes);
    std::memcpy(row, from, bytes * b_.width);
    std::memcpy(row + lane * bytes, own, bytes);
  }
  template <class Use>
  void forEachResult(const Use& use) const {
    for (const DescribedOperand& result : results_)
      if (result.slot.offset != 0) use(b_.regs + result.slot.offset, isWide(result.type) ? std::size_t{8} : std::size_t{4});
  }
  const Batch& b_;
  const std::span<const DescribedOperand> results_;
  std::byte saved_[4 * 8 * kMaxLanes];  // an instruction has at most four results (projections in lay_out.cpp)
};

// The outcome of an instruction.
struct Step {
  const Instr* next = nullptr;  // nullptr: the lanes stopped, as Batch::status says
  bool executed = true;         // false: an observer stopped the run before it
  bool stopped = false;
};

// `next`: what the handler of an executed instruction gave.
Step stepTo(const Batch& b, const Instr* next) {
  if (next == nullptr && b.status == Batch::Status::kReady) next = b.base + b.pc;  // it stopped the run
  return {next, true, b.env->observers->stopping()};
}

// Executes one instruction for the lanes of the mask.
Step execute(Batch& b, const Instr* ip, WeakMemory* weak) {
  Observers& observers = *b.env->observers;
  const auto pc = static_cast<std::uint32_t>(ip - b.base);
  if (!observers.before(b, pc)) {
    b.pc = pc;
    return {ip, false, true};
  }
  const LaneMask lanes = b.mask;
  Keep keep(b, pc);
  const Instr* next = weak ? weak->execute(b, ip) : ip->run(ip, b);
  keep.giveBack(lanes);
  observers.after(b, pc, lanes);
  return stepTo(b, next);
}

// While it is there the batch's lane runs on registers of its own, where an instruction may write the other lanes of its results. Nobody
// looks on then.
class OwnRegisters {
 public:
  OwnRegisters(Batch& b, LoneRun& own) : b_(b), lane_(b.lane), own_(own), base_(b.base) {
    if (b.pc != 0) carry(b.registers, own_.registers, b.pc);
    b.regs = own_.registers.data();
    b.base = own_.code->code(lane_ / kGroup);
    b.singleStep = false;
    b.together = true;
  }
  ~OwnRegisters() {
    const LoneLane& lane = b_.lone[lane_];
    if (lane.status != State::kAbsent) carry(own_.registers, b_.registers, lane.status == State::kWaiting ? lane.pc : b_.pc);
    b_.regs = b_.registers.data();
    b_.base = base_;
    b_.singleStep = true;
    b_.together = b_.mask == b_.live;
  }
  OwnRegisters(const OwnRegisters&) = delete;
  OwnRegisters& operator=(const OwnRegisters&) = delete;

  // Makes `own` fit. Of what no instruction writes, constants are the same in every batch, and inputs are not.
  static void begin(const Batch& b, LoneRun& own) {
    const Program& program = *b.env->program;
    if (!own.code || !own.code->isOf(program, b.base)) {
      own = {std::make_unique<LoneCode>(program, b.base), b.registers};
      return;
    }
    for (const std::optional<Operand>& input : program.inputs) {
      if (!input) continue;
      const std::size_t lanes = input->step == 0 ? kGroup : b.width;
      std::memcpy(own.registers.data() + input->offset, b.registers.data() + input->offset, lanes * sizeof(std::uint32_t));
    }
  }

 private:
  // The lane's values of what instructions write, as far as they are needed at `pc`.
  void carry(const AlignedBytes& from, AlignedBytes& to, std::uint32_t pc) const {
    const auto copy = [own = lane_, source = from.data(), target = to.data()]<class Lane>(std::uint32_t offset, Lane) {
      const std::size_t at = offset + own * sizeof(Lane);
      std::memcpy(target + at, source + at, sizeof(Lane));
    };
    const Program::Rows& rows = own_.code->rowsAt(pc);
    for (const std::uint32_t offset : rows.narrow) copy(offset, std::uint32_t{});
    for (const std::uint32_t offset : rows.wide) copy(offset, std::uint64_t{});
  }
  Batch& b_;
  const std::uint32_t lane_;
  LoneRun& own_;
  const Instr* const base_;
};

// The current lane stands aside. Returns true if an observer stopped the run.
bool endTurn(Batch& b) {
  b.lone[b.lane].steps = b.steps;
  b.lane = kNoLane;
  b.status = Batch::Status::kReady;
  return b.env->observers->stopping();
}

// Each runs the current lane until it ends, is at a meeting point, faults, or an observer stops the run. Returns true in the last case.
bool runLane(Batch& b, WeakMemory* weak) {
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
    const Step step = execute(b, ip, weak);
    if (!step.executed) return true;
    if (b.status == Batch::Status::kFaulted || b.status == Batch::Status::kRefused) return false;
    ip = step.next;
    own.status = ip == nullptr ? State::kAbsent : State::kReady;  // absent: the lane returned
    if (step.stopped && ip != nullptr) {
      b.pc = static_cast<std::uint32_t>(ip - b.base);
      return true;
    }
  }
  return endTurn(b);
}

bool runLaneAlone(Batch& b, LoneRun& lone) {
  LoneLane& own = b.lone[b.lane];
  const OwnRegisters registers(b, lone);
  const Instr* ip = b.base + b.pc;
  const bool met = own.status == State::kMet;
  if (met) ip = lone.code->met(b.pc)(ip, b);
  if (ip != nullptr) own.status = State::kReady;
  while (ip != nullptr) ip = ip->run(ip, b);
  if (b.status == Batch::Status::kFaulted || b.status == Batch::Status::kRefused) return false;
  if (own.status != State::kWaiting) {
    if (b.status == Batch::Status::kReady) {  // an observer stopped the run
      own.status = State::kReady;
      return true;
    }
    own.status = State::kAbsent;  // it returned
  }
  return endTurn(b);
}

void resume(Batch& b, std::uint32_t lane) {
  b.setMask(oneLane(lane));
  b.lane = lane;
  b.pc = b.lone[lane].pc;
  b.steps = b.lone[lane].steps;
}

// Reports that lanes meet for one instruction, or separate after it.
void tellMeeting(const Batch& b, std::uint32_t pc, const LaneMask& lanes, bool join) {
  if (laneCount(lanes) == 1 || !watched(*b.env, watch::kStrand)) return;
  if (join) return b.env->observers->moment(StrandsJoin{b, pc, lanes});
  std::vector<Strand> parts;
  forLanes(lanes, [&](std::uint32_t lane) { parts.push_back({pc + 1, oneLane(lane)}); });
  b.env->observers->moment(StrandSplits{b, pc, parts});
}

// Called when every lane waits: those furthest behind meet. Returns true if an observer stopped the run; the batch's status says whether it
// goes on.
bool meet(Batch& b, WeakMemory* weak) {
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
    tellMeeting(b, pc, lanes, true);
    const Step step = execute(b, b.base + pc, weak);
    if (!step.executed) return true;
    if (b.status == Batch::Status::kFaulted) return false;
    tellMeeting(b, pc, lanes, false);
  }
  forLanes(lanes, [&](std::uint32_t lane) {
    b.lone[lane].status = together ? State::kReady : State::kMet;
    b.lone[lane].pc = together ? pc + 1 : pc;
  });
  return b.env->observers->stopping();
}

}  // namespace

void parkLane(Batch& b) {
  if (b.lane == kNoLane) return;
  b.lone[b.lane].pc = b.pc;
  b.lone[b.lane].steps = b.steps;
  b.lane = kNoLane;
}

void resumeLane(Batch& b, std::uint32_t lane) {
  resume(b, lane);
}

void startLanes(Batch& b) {
  b.lane = kNoLane;
  b.lone.assign(b.width, {});
  forLanes(b.live, [&](std::uint32_t lane) { b.lone[lane] = {State::kReady, 0, 0}; });
}

bool runLanes(Batch& b, const Schedule& schedule, WeakMemory* weak, LoneRun& own) {
  bool hasOwn = weak == nullptr && !b.env->observers->want(~std::uint32_t{watch::kPrint});
  if (hasOwn) OwnRegisters::begin(b, own);
  hasOwn = hasOwn && own.code->isWorth();
  const auto runOne = [&] { return hasOwn ? runLaneAlone(b, own) : runLane(b, weak); };
  bool stopped = false;
  std::uint64_t next = 0;  // no lane before it, in the schedule's order, can go on until lanes meet
  while (!stopped && b.status == Batch::Status::kReady) {
    for (; next < b.lone.size() && b.lane == kNoLane; ++next) {
      const auto lane = static_cast<std::uint32_t>(schedule.at(next, b.lone.size()));
      if (b.lone[lane].waits == 0 && (b.lone[lane].status == State::kReady || b.lone[lane].status == State::kMet)) resume(b, lane);
    }
    if (waits(b)) return false;
    if (b.lane != kNoLane) {
      stopped = runOne();
    } else {
      stopped = meet(b, weak);
      next = 0;
    }
  }
  return stopped;
}

}  // namespace lanewise
