#include "model/exec/part.h"

#include <fmt/format.h>

#include "model/exec/lanes.h"
#include "model/exec/print.h"
#include "model/exec/start.h"
#include "model/exec/weak_memory.h"
#include "model/ir/together.h"
#include "model/spirv/abort.h"
#include "model/state/control.h"
#include "model/state/lane_masks.h"
#include "model/state/workgroup.h"

namespace lanewise {

void openWorkgroup(Part& part, std::uint64_t place, WorkgroupState& w, const DispatchRun& dispatch) {
  const std::shared_ptr<const Program>& program = dispatch.program;
  Environment env = dispatch.environment;
  w.place = place;
  if (place != part.next) {
    part.ahead.insert(std::ranges::lower_bound(part.ahead, place, std::greater()), place);
  } else {
    ++part.next;
    for (; !part.ahead.empty() && part.ahead.back() == part.next; ++part.next) part.ahead.pop_back();
  }
  const std::uint32_t together = workgroupsTogether(*program);
  w.id = workgroupAt(dispatch.schedule.at(w.place, dispatch.workgroups), placesOf(*program, env.groups));
  w.id.x *= together;
  env.group = w.id;
  w.memory.assign(std::size_t{program->workgroupBytes} * together, kPoisonByte);
  for (std::size_t i = 0; i < together; ++i)
    for (const auto& [offset, size] : program->workgroupZero) std::memset(w.memory.data() + i * program->workgroupBytes + offset, 0, size);
  const bool fresh = w.program != program;
  if (fresh) {
    w.batches.clear();
    w.batches.resize(program->batches);
    w.program = program;
  }
  for (std::uint32_t i = 0; i < w.batches.size(); ++i) prepareBatch(w.batches[i], *program, env, i, fresh);
  w.next = 0;
  w.running = true;
  ++part.running;
}

std::uint64_t registerBytes(const Program& p) {
  const std::uint64_t ofLane = p.separateLanes ? p.registerBytes : 0;  // lanes.h: runLanes()
  return (p.registerBytes + std::uint64_t{p.laneWords} * p.width * 4) * p.batches + ofLane;
}

std::uint64_t stateBytes(const Program& p) {
  return registerBytes(p) + sizeof(Batch) * p.batches + std::uint64_t{p.workgroupBytes} * workgroupsTogether(p) + sizeof(WorkgroupState);
}

Environment environmentIn(const WorkgroupState& w, std::uint32_t slot, Environment env) {
  env.group = w.id;
  env.place = w.place;
  env.slot = slot;
  env.workgroupMemory = const_cast<std::byte*>(w.memory.data());
  return env;
}

namespace {

// Runs until the batch is at a barrier, is done, has faulted, or is stopped. A stopped batch is ready.
void runTogether(Batch& b) {
  const Instr* ip = b.base + b.pc;
  while (ip != nullptr) ip = ip->run(ip, b);
}

// The same, with a report of each instruction to the observers. Returns true after one of the switch points `kinds`.
bool runOneByOne(Batch& b, std::uint8_t kinds, WeakMemory* weak) {
  Observers& observers = *b.env->observers;
  const std::vector<std::uint8_t>& points = b.env->program->switchPoints;
  for (const Instr* ip = b.base + b.pc; ip != nullptr;) {
    const auto pc = static_cast<std::uint32_t>(ip - b.base);
    b.pc = pc;
    if (!observers.before(b, pc)) return false;
    const LaneMask lanes = b.mask;
    ip = weak ? weak->execute(b, ip) : ip->run(ip, b);
    observers.after(b, pc, lanes);
    if (ip != nullptr) b.pc = static_cast<std::uint32_t>(ip - b.base);
    if (b.status != Batch::Status::kReady) return false;
    if ((points[pc] & kinds) != 0) return true;
    if (observers.stopping()) return false;
  }
  return false;
}

void tellWorkgroup(Observers& observers, const WorkgroupState& w, const Environment& env) {
  if (w.place == 0) observers.moment(DispatchBegins{env});
  observers.moment(WorkgroupBegins{env});
  if (!observers.want(watch::kSubgroup)) return;
  for (const Batch& b : w.batches)
    forSubgroups(b, [&](std::uint32_t first, const LaneMask& subgroup) {
      const LaneMask lanes = subgroup & b.live;
      if (lanes.any()) observers.moment(SubgroupBegins{b, env.program->subgroupOf({b.index, first}), lanes});
    });
}

}  // namespace

PartRunner::PartRunner(Part& part, const DispatchRun& dispatch, Observers& observers)
    : part_(part),
      dispatch_(dispatch),
      observers_(observers),
      environments_(part.residents.size()),
      turns_(dispatch.schedule, dispatch.environment.groups, part.residents) {
  part_.askAt.resize(part.residents.size());
  for (std::uint32_t slot = 0; slot < part_.residents.size(); ++slot)
    if (part_.residents[slot].running) attach(slot, observers_);
}

// First after so many steps of an invocation that it costs little, then after four times as many each time, and a last time before the
// limit. Sooner where runs are slow anyway, or others are to have a turn.
std::uint64_t PartRunner::nextAsk(std::uint64_t last) const {
  const Schedule& schedule = dispatch_.schedule;
  const bool soon = schedule.lanes || schedule.weak || switchesAt(schedule) != 0 || schedule.progress != Schedule::Progress::kNone;
  const std::uint64_t first = std::uint64_t{1} << (soon ? 12 : 18), limit = dispatch_.environment.maxSteps;
  const std::uint64_t before = limit - limit / 4, next = last == 0 ? first : 4 * last;
  return last >= before ? limit : std::min(next, before);
}

void PartRunner::setAsk(const Turn& turn) {
  turns_.changed(turn.slot);
  Environment& env = environments_[turn.slot];
  // Those of a part that runs beside others, and workgroups together, are looked at when they run in order.
  if (env.part != 0 || workgroupsTogether(*env.program) > 1) return;
  Batch& b = part_.residents[turn.slot].batches[turn.batch];
  part_.askAt[turn.slot].resize(part_.residents[turn.slot].batches.size());
  std::uint64_t& at = part_.askAt[turn.slot][turn.batch];
  const std::uint64_t limit = dispatch_.environment.maxSteps;
  if (at == 0) at = nextAsk(0);
  if (at < b.steps + b.mostOwnSteps) b.mostOwnSteps = *std::ranges::max_element(b.ownSteps);
  const std::uint64_t made = b.lone.empty() || b.lane != kNoLane ? b.steps + b.mostOwnSteps : 0;
  // One that only others of the batch have passed is due still.
  while (at < limit && nextAsk(at) <= made) at = nextAsk(at);
  env.asks = at < limit;
  env.maxSteps = at;
}

// Sets what a resident's batches need to run and what is not part of the state.
void PartRunner::attach(std::uint32_t slot, Observers& observers) {
  Environment& env = environments_[slot];
  env = environmentIn(part_.residents[slot], slot, dispatch_.environment);
  env.observers = &observers;
  env.watches |= observers.watches();
  const std::vector<Instr>& code = dispatch_.code                         ? *dispatch_.code
                                   : observers.want(watch::kObservedCode) ? env.program->observed
                                                                          : env.program->code;
  for (Batch& b : part_.residents[slot].batches) {
    b.env = &env;
    b.base = code.data();
    b.regs = b.registers.data();
    b.singleStep = observers.want(watch::kEachInstruction) || part_.weak.get() != nullptr || env.program->separateLanes ||
                   switchesAt(dispatch_.schedule) != 0;
  }
}

void PartRunner::fillSlots() {
  while (part_.next < part_.end && part_.running < dispatch_.resident) {
    const std::optional<std::uint32_t> slot = turns_.firstFree();
    if (!slot) return;
    open(part_.next, *slot);
  }
}

void PartRunner::open(std::uint64_t place, std::uint32_t slot) {
  part_.askAt[slot].clear();
  turns_.changed(slot);
  if (highest_) highest_ = std::max(*highest_, dispatch_.schedule.at(place, dispatch_.workgroups));
  openWorkgroup(part_, place, part_.residents[slot], dispatch_);
  if (WeakMemory* const stale = weak()) stale->beginWorkgroup(slot, *dispatch_.program);
  attach(slot, observers_);
  tellWorkgroup(observers_, part_.residents[slot], environments_[slot]);
}

// Continues the turn that has begun, or takes the next one.
Status PartRunner::takeTurn() {
  if (!part_.turn && dispatch_.chooser) {
    part_.turn = (*dispatch_.chooser)(part_.residents);
    noTurn_ = !part_.turn;
    if (noTurn_) return {};
  }
  if (!part_.turn) part_.turn = turns_.next(turnFacts());
  if (!part_.turn) return nobodyElse();
  part_.firstOfSeries = part_.proofs + 1;
  const Turn turn = *part_.turn;
  setAsk(turn);
  if (Status error = runTurn(observers_)) {
    const bool atLimit = part_.residents[turn.slot].batches[turn.batch].fault == Fault::kStepLimit;
    if (!atLimit || (wait_ && !(wait_->turn == turn))) wait_.reset();
    return error;
  }
  return part_.residents[turn.slot].batches[turn.batch].fault == Fault::kAsked ? ask(false) : Status{};
}

// After it, the batch's fault may be kAsked.
Status PartRunner::runTurn(Observers& observers) {
  const Schedule& schedule = dispatch_.schedule;
  const Turn turn = *part_.turn;
  WorkgroupState& w = part_.residents[turn.slot];
  Batch& b = w.batches[turn.batch];
  const std::uint8_t kinds = switchesAt(schedule);
  bool switches = false, stopped = false;
  if (w.program->separateLanes)
    stopped = runLanes(b, schedule, weak(), ofLane_);
  else if (kinds != 0 || observers.want(watch::kEachInstruction) || weak() != nullptr)
    switches = runOneByOne(b, kinds, weak());
  else
    runTogether(b);
  if (b.fault == Fault::kAsked) return {};
  if (b.fault == Fault::kStopped) {
    b.status = Batch::Status::kReady;
    b.fault = Fault::kNone;
    observers.stop();
    return {};
  }
  if (b.status == Batch::Status::kFaulted) return faultError(w, b);
  refused_ = b.status == Batch::Status::kRefused;
  if (refused_) b.status = Batch::Status::kReady;
  const bool ends = switches || (!stopped && (b.status != Batch::Status::kReady || waits(b)));
  if (!ends) return {};
  part_.turn.reset();
  return switches ? Status{} : settle(turn.slot, observers);
}

// If no batch of the workgroup is ready, opens its barrier or ends it.
Status PartRunner::settle(std::uint32_t slot, Observers& observers) {
  WorkgroupState& w = part_.residents[slot];
  const std::uint64_t count = w.batches.size();
  const auto canRun = [&](std::uint64_t i) { return w.batches[dispatch_.schedule.at(i, count)].status == Batch::Status::kReady; };
  while (w.next < count && !canRun(w.next)) ++w.next;
  if (w.next < count) return {};
  w.next = 0;
  if (std::ranges::any_of(w.batches, [](const Batch& b) { return b.status == Batch::Status::kAtBarrier; })) return openBarrier(w);
  if (WeakMemory* const stale = weak()) stale->endWorkgroup(slot);
  w.running = false;
  --part_.running;
  observers.moment(WorkgroupEnds{environments_[slot]});
  if (part_.finished()) observers.moment(DispatchEnds{environments_[slot]});
  return {};
}

// Called when every batch is at a barrier or done. The barrier opens if it is the same one for all.
Status PartRunner::openBarrier(WorkgroupState& w) {
  const Batch* waiting = nullptr;
  for (Batch& b : w.batches) {
    if (b.status != Batch::Status::kAtBarrier) continue;
    if (waiting && waiting->pc != b.pc) {
      trap(b, b.base + b.pc - 1, Fault::kDivergentBarrier);
      return faultError(w, b);
    }
    b.status = Batch::Status::kReady;
    waiting = &b;
    if (WeakMemory* const stale = weak()) stale->released(b, b.pc - 1, b.live);
  }
  if (!watched(*waiting->env, watch::kBarrier)) return {};
  for (const Batch& b : w.batches)
    if (b.status == Batch::Status::kReady)
      b.env->observers->moment(BarrierReleased{b, b.pc - 1, b.live, b.base[b.pc - 1].as<kind::Barrier>().execution});
  return {};
}

namespace {

// Where an invocation executed OpAbortKHR. The instruction before prints its message (ArithmeticLowering::abort).
std::string abortText(const Program& program, const WorkgroupState& w, const Batch& b) {
  const std::uint32_t lane = lowestLane(b.mask);
  const Extent3 who = globalInvocation(program.localSize, w.id, program.invocationOf({b.index, lane}));
  const bool isPrinted = b.pc != 0 && program.info[b.pc - 1].op == ir::kPrint;
  return fmt::format("{}, by invocation {},{},{}", isPrinted ? printedText({b, b.pc - 1, b.mask}, lane) : "OpAbortKHR", who.x, who.y,
                     who.z);
}

}  // namespace

Error PartRunner::faultError(const WorkgroupState& w, const Batch& b) const {
  const Program& program = *dispatch_.program;
  const std::string line = program.lineOf(b.pc);
  std::string where =
      fmt::format("{}{}{}, workgroup {},{},{}", program.module.name, line.empty() ? "" : ", ", line, w.id.x, w.id.y, w.id.z);
  switch (b.fault) {
    case Fault::kStepLimit:
      return {Outcome::kFinding,
              fmt::format("the step limit of {} was reached in {}", dispatch_.environment.maxSteps, program.loopOf(b.pc)), where,
              "an endless loop, or raise the step limit"};
    case Fault::kDivergentBarrier:
      return {Outcome::kFinding, "a control barrier that not all invocations reach together", where,
              "move the barrier out of divergent control flow"};
    case Fault::kWaits:
      return {Outcome::kFinding, fmt::format("{} goes round for ever", program.loopOf(b.pc)), where, ""};
    case Fault::kUnreachable:
      if (program.instructionOf(b.pc).op == spirv::kAbort) return {Outcome::kFinding, abortText(program, w, b), where, ""};
      return {Outcome::kFinding, "OpUnreachable was reached", where, ""};
    default:
      return {Outcome::kInternal, "a batch stopped without a reason", where, ""};
  }
}

}  // namespace lanewise
