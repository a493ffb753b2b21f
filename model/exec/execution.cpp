#include "model/exec/execution.h"

#include <fmt/format.h>

#include "model/exec/lanes.h"
#include "model/exec/start.h"
#include "model/memory/blit.h"
#include "model/state/control.h"
#include "model/state/workgroup.h"

namespace lanewise {

Expected<Execution> Execution::start(const Job& job, const Profile& profile, Schedule schedule, const ProgramSource& programs) {
  Execution e;
  e.job_ = &job;
  e.profile_ = profile;
  e.schedule_ = schedule;
  e.subgroupSize_ = job.subgroupSize ? job.subgroupSize : profile.subgroupSize;
  if (!std::has_single_bit(e.subgroupSize_) || e.subgroupSize_ > kMaxLanes)
    return Error{Outcome::kBadInput, fmt::format("a subgroup size of {} is not a power of two from 1 to 128", e.subgroupSize_), "", ""};
  if (Status error = checkBlits(job)) return *error;
  std::uint64_t bytes = 0;
  for (const Resource& r : job.resources) bytes += r.bytes().size();
  if (bytes > job.limits.maxMemory)
    return Error{Outcome::kBadInput, fmt::format("the resources take {} bytes, above the limit of {}", bytes, job.limits.maxMemory), "",
                 "raise the memory limit"};
  e.resources_ = job.resources;
  if (Status error = e.layOutImages()) return *error;
  if (Status error = e.placeAddresses()) return *error;
  e.viewBuffers();
  for (const Dispatch& d : job.dispatches)
    if (Status error = e.prepare(d, programs)) return *error;
  while (e.dispatch_ < e.plans_.size() && e.plans_[e.dispatch_].workgroups == 0) ++e.dispatch_;
  return e;
}

Environment Execution::environment(const WorkgroupState& w) const {
  const Plan& plan = plans_[dispatch_];
  Environment env;
  env.program = plan.program.get();
  env.descriptors = plan.descriptors.data();
  env.buffers = plan.buffers.data();
  env.images = plan.images.data();
  env.addressable = addressable_.data();
  env.addressableCount = static_cast<std::uint32_t>(addressable_.size());
  env.samplers = plan.samplers.data();
  env.push = plan.push.data();
  env.pushBytes = static_cast<std::uint32_t>(plan.push.size());
  env.groups = plan.dispatch->groups;
  env.group = w.id;
  env.dispatch = dispatch_;
  env.place = w.place;
  env.slot = static_cast<std::uint32_t>(&w - residents_.data());
  env.profile = &profile_;
  env.subgroupSize = plan.program->subgroupSize;
  env.maxSteps = job_->limits.maxSteps;
  return env;
}

Environment Execution::environmentOf(std::uint32_t slot) {
  Environment env = environment(residents_[slot]);
  env.workgroupMemory = residents_[slot].memory.data();
  return env;
}

// How many workgroups of the current dispatch may be resident: as many as the schedule wants and the memory limit allows.
std::uint64_t Execution::mostResident() const {
  constexpr std::uint64_t kMost = 1 << 16;
  const Program& p = *plans_[dispatch_].program;
  const std::uint64_t batch = p.registerBytes + std::uint64_t{p.laneWords} * p.width * 4 + sizeof(Batch);
  std::uint64_t taken = 0;
  for (const Resource& r : resources_) taken += r.bytes().size();
  const std::uint64_t left = job_->limits.maxMemory - std::min(taken, job_->limits.maxMemory);
  const std::uint64_t fit = std::max<std::uint64_t>(1, left / (batch * p.batches + p.workgroupBytes + sizeof(WorkgroupState)));
  return std::min({schedule_.resident == 0 ? kMost : schedule_.resident, fit, plans_[dispatch_].workgroups, kMost});
}

void Execution::openWorkgroup(WorkgroupState& w) {
  const Plan& plan = plans_[dispatch_];
  w.place = nextWorkgroup_++;
  w.id = workgroupAt(schedule_.at(w.place, plan.workgroups), plan.dispatch->groups);
  w.memory.assign(plan.program->workgroupBytes, kPoisonByte);
  for (const auto& [offset, size] : plan.program->workgroupZero) std::memset(w.memory.data() + offset, 0, size);
  const bool fresh = w.program != plan.program;
  if (fresh) {
    w.batches.clear();
    w.batches.resize(plan.program->batches);
    w.program = plan.program;
  }
  const Environment env = environment(w);
  for (std::uint32_t i = 0; i < w.batches.size(); ++i) prepareBatch(w.batches[i], *plan.program, env, i, fresh);
  w.next = 0;
  w.running = true;
  ++running_;
}

namespace {

// Runs until the batch is at a barrier, is done, has faulted, or is stopped. A stopped batch is ready.
void runTogether(Batch& b) {
  const Instr* ip = b.base + b.pc;
  while (ip != nullptr) ip = ip->run(ip, b);
}

// The same, with a report of each instruction to the observers. Returns true after one of the switch points `kinds`.
bool runOneByOne(Batch& b, std::uint8_t kinds) {
  Observers& observers = *b.env->observers;
  const std::vector<std::uint8_t>& points = b.env->program->switchPoints;
  for (const Instr* ip = b.base + b.pc; ip != nullptr;) {
    const auto pc = static_cast<std::uint32_t>(ip - b.base);
    b.pc = pc;
    if (!observers.before(b, pc)) return false;
    const LaneMask lanes = b.mask;
    ip = ip->run(ip, b);
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
  const Program& program = *env.program;
  for (const Batch& b : w.batches)
    for (std::uint32_t first = 0; first < b.width; first += program.subgroupSize) {
      LaneMask lanes;
      for (std::uint32_t lane = first; lane < first + program.subgroupSize && lane < b.width; ++lane)
        if (b.live.test(lane)) lanes.set(lane);
      if (lanes.any()) observers.moment(SubgroupBegins{b, program.subgroupOf({b.index, first}), lanes});
    }
}

}  // namespace

// Sets what a resident's batches need to run and what is not part of the state.
void Execution::attach(Watched& run, std::uint32_t slot) {
  WorkgroupState& w = residents_[slot];
  Environment& env = run.environments[slot];
  env = environmentOf(slot);
  env.observers = &run.observers;
  env.watches = run.observers.watches();
  const std::vector<Instr>& code = run.observers.want(watch::kObservedCode) ? env.program->observed : env.program->code;
  for (Batch& b : w.batches) {
    b.env = &env;
    b.base = code.data();
    b.regs = b.registers.data();
    b.singleStep = run.observers.want(watch::kEachInstruction) || env.program->separateLanes || switchesAt(schedule_) != 0;
  }
}

void Execution::fillSlots(Watched& run) {
  for (std::uint32_t slot = 0; slot < residents_.size() && nextWorkgroup_ < plans_[dispatch_].workgroups; ++slot) {
    if (residents_[slot].running) continue;
    openWorkgroup(residents_[slot]);
    attach(run, slot);
    tellWorkgroup(run.observers, residents_[slot], run.environments[slot]);
  }
}

// Continues the turn that has begun, or takes the next one.
Status Execution::takeTurn(Watched& run) {
  if (!turn_) {
    turn_ = nextTurn(schedule_, turns_++, residents_);
    if (!turn_) return Error{Outcome::kInternal, "no subgroup can run", plans_[dispatch_].program->module.name, ""};
  }
  WorkgroupState& w = residents_[turn_->slot];
  Batch& b = w.batches[turn_->batch];
  const std::uint8_t kinds = switchesAt(schedule_);
  bool switches = false, stopped = false;
  if (w.program->separateLanes)
    stopped = runLanes(b, schedule_);
  else if (kinds != 0 || run.observers.want(watch::kEachInstruction))
    switches = runOneByOne(b, kinds);
  else
    runTogether(b);
  countedMore_ = b.fault == Fault::kStepLimit && w.program->countsMore;
  if (b.status == Batch::Status::kFaulted) return faultError(w, b);
  const bool ends = switches || (!stopped && b.status != Batch::Status::kReady);
  if (!ends) return {};
  const std::uint32_t slot = turn_->slot;
  turn_.reset();
  return switches ? Status{} : settle(run, slot);
}

// If no batch of the workgroup is ready, opens its barrier or ends it.
Status Execution::settle(Watched& run, std::uint32_t slot) {
  WorkgroupState& w = residents_[slot];
  const std::uint64_t count = w.batches.size();
  const auto isReady = [&](std::uint64_t i) { return w.batches[schedule_.at(i, count)].status == Batch::Status::kReady; };
  while (w.next < count && !isReady(w.next)) ++w.next;
  if (w.next < count) return {};
  w.next = 0;
  if (std::ranges::any_of(w.batches, [](const Batch& b) { return b.status == Batch::Status::kAtBarrier; })) return openBarrier(w);
  w.running = false;
  --running_;
  run.observers.moment(WorkgroupEnds{run.environments[slot]});
  if (running_ == 0 && nextWorkgroup_ == plans_[dispatch_].workgroups) {
    run.observers.moment(DispatchEnds{run.environments[slot]});
    endDispatch();
  }
  return {};
}

// Called when every batch is at a barrier or done. The barrier opens if it is the same one for all.
Status Execution::openBarrier(WorkgroupState& w) {
  const Batch* waiting = nullptr;
  for (Batch& b : w.batches) {
    if (b.status != Batch::Status::kAtBarrier) continue;
    if (waiting && waiting->pc != b.pc) {
      trap(b, b.base + b.pc - 1, Fault::kDivergentBarrier);
      return faultError(w, b);
    }
    b.status = Batch::Status::kReady;
    waiting = &b;
  }
  if (!watched(*waiting->env, watch::kBarrier)) return {};
  for (const Batch& b : w.batches)
    if (b.status == Batch::Status::kReady)
      b.env->observers->moment(BarrierReleased{b, b.pc - 1, b.live, b.base[b.pc - 1].as<kind::Barrier>().execution});
  return {};
}

// Goes to the next dispatch that has workgroups.
void Execution::endDispatch() {
  nextWorkgroup_ = 0;
  turns_ = 0;
  do ++dispatch_;
  while (dispatch_ < plans_.size() && plans_[dispatch_].workgroups == 0);
}

void Execution::doBlits(Observers& observers) {
  for (; nextBlit_ < job_->blits.size() && job_->blits[nextBlit_].before <= dispatch_; ++nextBlit_) {
    const Blit& blit = job_->blits[nextBlit_];
    const std::size_t image = resourceNamed(resources_, blit.resource);
    blitLevel(blit, std::get<ImageData>(resources_[image].data), images_[image].levels, profile_, &observers);
  }
}

Status Execution::run(Observer& observer) {
  Observer* const one[] = {&observer};
  return run(one);
}

Status Execution::run(std::span<Observer* const> given) {
  PrintObserver printer(*printed_);
  std::vector<Observer*> all{&printer};
  all.insert(all.end(), given.begin(), given.end());
  Watched run{Observers(all), std::vector<Environment>(residents_.size())};
  const bool unwatched = std::ranges::any_of(plans_, [](const Plan& p) { return p.program->flavour == ir::Flavour::kUnwatched; });
  if (unwatched && run.observers.want(watch::kFlow))
    return Error{Outcome::kBadInput, "a program that is decoded to run unwatched is watched", plans_[0].program->module.name, ""};
  for (std::uint32_t slot = 0; slot < residents_.size(); ++slot)
    if (residents_[slot].running) attach(run, slot);
  while (!finished() && !run.observers.stopping()) {
    if (running_ == 0 && nextWorkgroup_ == 0) {
      doBlits(run.observers);
      if (finished() || run.observers.stopping()) break;
      residents_.resize(mostResident());
      run.environments.resize(residents_.size());
    }
    if (running_ < residents_.size()) fillSlots(run);
    if (run.observers.stopping()) break;
    if (Status error = takeTurn(run)) return error;
  }
  return {};
}

Error Execution::faultError(const WorkgroupState& w, const Batch& b) const {
  const Program& program = *plans_[dispatch_].program;
  const std::string line = program.lineOf(b.pc);
  std::string where =
      fmt::format("{}{}{}, workgroup {},{},{}", program.module.name, line.empty() ? "" : ", ", line, w.id.x, w.id.y, w.id.z);
  switch (b.fault) {
    case Fault::kStepLimit:
      return {Outcome::kFinding, fmt::format("the step limit of {} was reached in {}", job_->limits.maxSteps, program.loopOf(b.pc)), where,
              "an endless loop, or raise the step limit"};
    case Fault::kDivergentBarrier:
      return {Outcome::kFinding, "a control barrier that not all invocations reach together", where,
              "move the barrier out of divergent control flow"};
    case Fault::kUnreachable:
      return {Outcome::kFinding, "OpUnreachable was reached", where, ""};
    default:
      return {Outcome::kInternal, "a batch stopped without a reason", where, ""};
  }
}

const std::vector<Resource>& Execution::resources() {
  for (std::size_t i = 0; i < resources_.size(); ++i)
    if (std::holds_alternative<ImageData>(resources_[i].data)) copyImage(i, false);
  return resources_;
}

std::vector<Resource> Execution::takeOutputs() {
  resources();
  std::vector<Resource> outputs;
  for (Resource& r : resources_)
    if (r.output) outputs.push_back(std::move(r));
  return outputs;
}

}  // namespace lanewise
