#include "model/exec/execution.h"

#include <fmt/format.h>

#include "model/exec/ahead.h"
#include "model/exec/parallel_code.h"
#include "model/exec/sharing.h"
#include "model/exec/weak_memory.h"
#include "model/ir/together.h"
#include "model/memory/blit.h"
#include "model/state/level_bytes.h"

namespace lanewise {
namespace {

bool isWithinBytes(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

// Where a texel's bytes are in the padded levels; nullptr where they are in none, or not in one row.
std::byte* paddedPlace(const PaddedImage& image, std::uint64_t texelBytes, std::uint64_t offset, std::uint64_t bytes) {
  for (const ImageLevel& level : image.levels)
    if (std::byte* const found = bytesInLevel(level, texelBytes, offset, bytes)) return found;
  return nullptr;
}

Error givenUp(const DispatchRun& run) {
  return {Outcome::kInternal, "the run was given up", run.program->module.name, ""};
}

// Recorded turns are of this subject, and name subgroups that there are.
Status checkTurns(const Schedule& schedule, const std::vector<BoundDispatch>& bound, std::uint16_t subject) {
  const auto refused = [](std::string what) {
    return Error{Outcome::kBadInput, "the recorded turns are those of another subject: " + std::move(what), "",
                 "record them again with check"};
  };
  if (schedule.order == Schedule::Order::kTurns && schedule.subject != 0 && schedule.subject != subject)
    return Error{
        Outcome::kBadInput,
        fmt::format("the recorded turns are those of another module, grid or subgroup size: they are of {:04x}, and this is {:04x}",
                    schedule.subject, subject),
        "",
        fmt::format(
            "give the subgroup size, the workgroups and the constants with which they were recorded, record them again with check, or "
            "take them without '{:04x}:'",
            schedule.subject)};
  if (schedule.turns.size() > bound.size())
    return refused(fmt::format("they have {} dispatches, and this one has {}", schedule.turns.size(), bound.size()));
  for (std::size_t d = 0; d < schedule.turns.size(); ++d) {
    const std::uint64_t all = bound[d].workgroups * bound[d].program->batches;
    for (const Schedule::Turns& t : schedule.turns[d])
      if (t.subgroup >= all)
        return refused(fmt::format("they name subgroup {} of dispatch {}, which has {} subgroups", t.subgroup, d, all));
  }
  return {};
}

}  // namespace

Resource Execution::withoutTexels(const Resource& r) {
  const auto* image = std::get_if<ImageData>(&r.data);
  if (!image) return r;
  return {r.name, ImageData{image->format, image->extent, image->levels, image->layers, image->dimensions, {}, image->samples}, r.undefined,
          r.output};
}

Expected<Execution> Execution::start(const Job& job, const Profile& profile, Schedule schedule, const ProgramSource& programs,
                                     Execution* from, const ProgramSource& alone) {
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
  if (from) {
    if (from->part_.running != 0 || from->job_ != &job)
      return Error{Outcome::kBadInput, "a run goes on from one of the same job where no workgroup is open", "", ""};
    e.resources_ = std::move(from->resources_);
    e.images_ = std::move(from->images_);
  } else {
    for (const Resource& r : job.resources) e.resources_.push_back(withoutTexels(r));
    if (Status error = e.layOutImages()) return *error;
    if (Status error = e.placeAddresses()) return *error;
  }
  e.viewBuffers();
  for (const Dispatch& d : job.dispatches)
    if (Status error = e.prepare(d, programs, alone)) {
      if (from) from->takeResources(e);
      return *error;
    }
  if (Status error = checkTurns(e.schedule_, e.bound_, e.schedule_.subject == 0 ? std::uint16_t{0} : e.subject())) {
    if (from) from->takeResources(e);
    return *error;
  }
  if (from) {
    e.goOnFrom(*from);
    return e;
  }
  while (e.dispatch_ < e.bound_.size() && e.bound_[e.dispatch_].workgroups == 0) ++e.dispatch_;
  return e;
}

Environment Execution::environment() const {
  const std::uint32_t last = static_cast<std::uint32_t>(bound_.size()) - 1, d = std::min(dispatch_, last);
  const BoundDispatch& bound = bound_[d];
  Environment env;
  env.program = bound.program.get();
  env.descriptors = bound.descriptors.data();
  env.buffers = bound.buffers.data();
  env.images = bound.images.data();
  env.addressable = addressable_.data();
  env.addressableCount = static_cast<std::uint32_t>(addressable_.size());
  env.samplers = bound.samplers.data();
  env.push = bound.push.data();
  env.pushBytes = static_cast<std::uint32_t>(bound.push.size());
  env.groups = bound.dispatch->groups;
  env.dispatch = d;
  env.profile = &profile_;
  env.subgroupSize = bound.program->subgroupSize;
  env.maxSteps = job_->limits.maxSteps;
  env.stop = stop_;
  return env;
}

DispatchRun Execution::dispatchRun() const {
  const BoundDispatch& bound = bound_[dispatch_];
  DispatchRun run{bound.program, environment(), schedule_, bound.workgroups};
  if (workgroupsTogether(*bound.program) > 1) run.environment.maxSteps = std::min(run.environment.maxSteps, kMostSideBySide);
  run.room = room();
  run.resident = mostResident();
  run.maxMemory = memoryLeft();
  return run;
}

Environment Execution::environmentOf(std::uint32_t slot) {
  const Environment whole = environment();  // of no workgroup, and at the end that of the last dispatch
  return slot < part_.residents.size() ? environmentIn(part_.residents[slot], slot, whole) : whole;
}

// One workgroup after another runs in a slot.
void Execution::takeIdle() {
  if (!idle_ || part_.residents.size() != 1) return;
  if (std::optional<WorkgroupState> idle = idle_->take(*bound_[dispatch_].program)) part_.residents[0] = std::move(*idle);
}

// Goes to the next dispatch that has workgroups.
void Execution::endDispatch() {
  if (idle_ && part_.residents.size() == 1) idle_->keep(std::exchange(part_.residents[0], {}));
  mostTogether_ = mostTogether();
  part_.next = 0;
  part_.ahead.clear();
  part_.turns = 0;
  do ++dispatch_;
  while (dispatch_ < bound_.size() && bound_[dispatch_].workgroups == 0);
  if (WeakMemory* weak = part_.weak.get(); weak && (finished() || beginsSegment())) weak->endSegment();
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

Status Execution::runForStores(Observer& observer, std::span<const std::uint32_t> resources, Until until) {
  Observer* const one[] = {&observer};
  return runAll(one, {resources, until});
}

Status Execution::runUntil(Until until) {
  if (part_.running != 0 || schedule_.resident != 1)
    return Error{Outcome::kBadInput, "a run stops between workgroups only where one at a time is resident", "", ""};
  return runAll({}, {.until = until});
}

Status Execution::run(std::span<Observer* const> given) {
  return runAll(given, {});
}

Status Execution::runChosen(std::span<Observer* const> observers, const TurnChooser& choose) {
  if (!schedule_.switches() || finished())
    return Error{Outcome::kBadInput, "turns are chosen under a schedule that switches, in a dispatch", "", ""};
  return runAll(observers, {.until = {dispatch_, bound_[dispatch_].workgroups}, .chooser = &choose});
}

bool Execution::mayStore(std::uint32_t dispatch, std::span<const std::uint32_t> resources) const {
  const auto isNamed = [&](const Blit& b) {
    return std::ranges::find(resources, resourceNamed(resources_, b.resource)) != resources.end();
  };
  return std::ranges::any_of(job_->blits, isNamed) || !storesTo(bound_[dispatch], resources).empty();
}

Status Execution::runAll(std::span<Observer* const> given, const Manner& manner) {
  PrintObserver printer(*printed_);
  std::vector<Observer*> all{&printer};
  WeakTap tap;
  if (schedule_.weak) all.push_back(&tap);
  all.insert(all.end(), given.begin(), given.end());
  Observers observers(all);
  const bool unwatched = std::ranges::any_of(bound_, [](const BoundDispatch& p) { return p.program->flavour == ir::Flavour::kUnwatched; });
  if (unwatched && observers.want(watch::kFlow))
    return Error{Outcome::kBadInput, "a program that is decoded to run unwatched is watched", bound_[0].program->module.name, ""};
  while (!finished() && !observers.stopping() && progress() < manner.until) {
    if (part_.running == 0 && part_.next == 0) {
      doBlits(observers);
      if (finished() || observers.stopping()) break;
      part_.residents.resize(mostResident());
      takeIdle();
    }
    if (schedule_.weak) attachWeak(tap);
    const std::uint64_t groups = bound_[dispatch_].workgroups;
    part_.end = dispatch_ == manner.until.dispatch ? std::min(groups, manner.until.workgroups) : groups;
    Status error = runTurns(observers, !given.empty() || schedule_.weak, manner);
    const bool isOver = part_.finished() && part_.next == groups;
    part_.end = groups;
    if (error) return error;
    if (isOver) endDispatch();
    if (!isOver && manner.chooser) return {};
  }
  return {};
}

// Until the part ends, or an observer stops it.
Status Execution::runTurns(Observers& observers, bool watched, const Manner& manner) {
  DispatchRun run = dispatchRun();
  std::vector<Instr> told;
  if (!manner.storesTo.empty()) told = codeOfStores(bound_[dispatch_], manner.storesTo), run.code = &told;
  run.chooser = manner.chooser;
  PartRunner runner(part_, run, observers);
  CompiledWatch compiled(tier_, compiled_, part_, run, *bound_[dispatch_].dispatch, watched);
  const auto known = compiled.known();
  ParallelWatch parallel(parallel_, part_, run, watched, known != nullptr);
  const std::uint64_t inParts = ranParallel_, byCode = ranCompiled_;
  if (known && runKnown(*known, run, parallel, {}) == Ran::kGaveUp) return givenUp(run);
  while (!part_.finished()) {
    if (run.environment.isStopped()) observers.stop();
    if (observers.stopping()) return {};
    if (const auto code = parallel.waits() ? nullptr : compiled.code()) {
      const Ran ran = runCompiled(*code, run, compiled, true);
      if (ran == Ran::kGaveUp) return givenUp(run);
      if (ran == Ran::kAll) break;
    }
    runner.fillSlots();
    if (observers.stopping()) return {};
    if (Status error = runner.takeTurn()) {
      countedMore_ = bound_[dispatch_].program->countsMore;
      wait_ = runner.wait();
      return error;
    }
    if (runner.hasNoTurn()) return {};
    compiled.look();
    if (const auto left = parallel.left()) {
      auto code = compiled.codeForParts(std::chrono::duration<double>(*left).count() / threadsForParts());
      if (code && compiled.toTry(*code) != 0) {
        const Ran ran = runCompiled(*code, run, compiled, false);
        if (ran == Ran::kGaveUp) return givenUp(run);
        if (ran == Ran::kAll) break;
        if (ran != Ran::kQuicker) code = nullptr;
      }
      Ran ran = code ? runKnown(*code, run, parallel, left) : Ran::kRefused;
      if (ran == Ran::kRefused) ran = runParallel(nullptr, run, *left);
      if (ran == Ran::kGaveUp) return givenUp(run);
      if (ran == Ran::kAll) break;
    }
  }
  compiled.ended();
  if ((ranCompiled_ != byCode) == (known != nullptr)) parallel.ended(ranParallel_ != inParts);
  return {};
}

// There is a barrier, or a blit with one, before the current dispatch.
bool Execution::beginsSegment() const {
  if (dispatch_ == bound_.size() || bound_[dispatch_].dispatch->barrierBefore) return true;
  return nextBlit_ < job_->blits.size() && job_->blits[nextBlit_].before <= dispatch_;
}

void Execution::attachWeak(WeakTap& tap) {
  if (!part_.weak.get()) part_.weak.reset(std::make_unique<WeakMemory>(*schedule_.weak));
  std::vector<WeakMemory::Host> hosts;
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    std::vector<std::byte>& bytes = resources_[i].bytes();
    hosts.push_back({bytes.data(), job_->resources[i].bytes().size(), nullptr, 1});
    if (images_[i].levels.empty()) continue;
    hosts.back().levels = &images_[i].levels;
    hosts.back().texelBytes = formatInfo(std::get<ImageData>(resources_[i].data).format)->texelBytes;
  }
  part_.weak.get()->attach(std::move(hosts), part_.residents, tap);
}

Execution::Ran Execution::runCompiled(const compiled::Compiled& code, const DispatchRun& run, const CompiledWatch& watch, bool all) {
  std::optional<CompiledRun> compiled = CompiledRun::of(code, bound_[dispatch_], run);
  if (!compiled) return Ran::kRefused;
  const auto go = [&](std::uint64_t count) {
    gaveUp_ = !compiled->run(part_.next, part_.next + count);
    part_.next += count;
  };
  bool quicker = true;
  const compiled::Trial before = code.trial;
  if (const std::uint64_t some = watch.toTry(code)) {
    if (part_.next + some < part_.end) go(1);  // whose time is not counted: it touches everything first
    if (!gaveUp_) quicker = watch.isQuicker(code, some, [&] { go(some); });
  }
  if (quicker && all && !gaveUp_) go(part_.end - part_.next);
  countCompiled();
  if (gaveUp_) code.trial = run.environment.isStopped() ? before : compiled::Trial::kSlower;
  if (gaveUp_) return Ran::kGaveUp;
  return part_.next == part_.end ? Ran::kAll : quicker ? Ran::kQuicker : Ran::kSlower;
}

// What a resource has, as views see it.
std::span<std::byte> Execution::viewedBytes(std::uint32_t resource) {
  PaddedImage& image = images_[resource];
  if (image.levels.empty()) return resources_[resource].bytes();
  return {image.bytes->data(), image.bytes->size()};
}

Execution::Ran Execution::runParallel(const compiled::Compiled* code, const DispatchRun& run, std::chrono::nanoseconds left) {
  const auto bytesOf = [this](std::uint32_t resource) { return viewedBytes(resource); };
  const ParallelLimits limits{left, memoryLeft(), stop_};
  const BoundDispatch& bound = bound_[dispatch_];
  InParts ran = code ? runCodeInParallel(bound, run, part_, parallel_, limits, bytesOf, *code)
                     : runInParallel(bound, run, part_, parallel_, limits, bytesOf);
  if (ran == InParts::kNo && !code) ran = runAhead(bound, run, part_, parallel_, limits, bytesOf, nullptr);
  if (ran == InParts::kNo) return Ran::kRefused;
  met_ = ran == InParts::kMet, gaveUp_ = ran == InParts::kGaveUp;
  if (gaveUp_ && code && !run.environment.isStopped()) code->trial = compiled::Trial::kSlower;
  if (met_ || gaveUp_) return Ran::kGaveUp;
  part_.next = part_.end;
  ++ranParallel_;
  return Ran::kAll;
}

// Compiled code that is known to be the quicker one runs all that is left: some workgroups in order, and then parts where those are worth
// while. `left`: some have run; what the rest takes the interpreter. kRefused: the interpreter should run the rest in its parts.
Execution::Ran Execution::runKnown(const compiled::Compiled& code, const DispatchRun& run, ParallelWatch& parallel,
                                   std::optional<std::chrono::nanoseconds> left) {
  std::optional<CompiledRun> compiled = CompiledRun::of(code, bound_[dispatch_], run);
  if (!compiled) return Ran::kRefused;
  const double timesAsFast = code.timesAsFast;
  if (left)
    left = std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(left->count()) / std::max(timesAsFast, 1.0)));
  else
    left = parallel.left(true);
  for (std::uint64_t count = 1; part_.next != part_.end; count *= 2) {
    if (left) {
      if (const Ran ran = runParallel(&code, run, *left); ran != Ran::kRefused) {
        countCompiled();
        return ran;
      }
      constexpr double kWorth = 2;  // times as many threads: claims take time, and memory is shared
      if (timesAsFast != 0 && threadsForParts() > kWorth * timesAsFast && !partsTakeCode(bound_[dispatch_], parallel_, code)) {
        const auto interpreted = static_cast<std::int64_t>(static_cast<double>(left->count()) * timesAsFast);
        if (const Ran ran = runParallel(nullptr, run, std::chrono::nanoseconds(interpreted)); ran != Ran::kRefused) return ran;
      }
    }
    const std::uint64_t rest = part_.end - part_.next, some = parallel.isPossible() ? std::min(count, rest) : rest;
    const compiled::Trial before = code.trial;
    countCompiled();
    gaveUp_ = !compiled->run(part_.next, part_.next + some);
    part_.next += some;
    if (gaveUp_) code.trial = run.environment.isStopped() ? before : compiled::Trial::kSlower;
    if (gaveUp_) return Ran::kGaveUp;
    left = parallel.left(true);
  }
  return Ran::kAll;
}

bool Execution::hasStarted(std::uint64_t workgroup) const {
  return part_.hasOpened(schedule_.placeOf(workgroup, bound_[dispatch_].workgroups));
}

const std::vector<Resource>& Execution::resources() {
  for (std::size_t i = 0; i < resources_.size(); ++i) copyOut(i);
  return resources_;
}

std::vector<std::byte> Execution::bytesOf(std::uint32_t resource, std::uint64_t begin, std::uint64_t end) {
  if (resource >= resources_.size() || begin >= end) return {};
  if (const auto* image = std::get_if<ImageData>(&resources_[resource].data)) {
    const std::uint64_t texel = formatInfo(image->format)->texelBytes;
    if (const std::byte* at = paddedPlace(images_[resource], texel, begin, end - begin)) return {at, at + (end - begin)};
    copyOut(resource);
  }
  const std::vector<std::byte>& all = resources_[resource].bytes();
  if (!isWithinBytes(begin, end - begin, all.size())) return {};
  return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

bool Execution::change(const Change& c) {
  std::byte* to = nullptr;
  if (c.place == Place::kBuffer || c.place == Place::kImage) {
    if (c.resource >= resources_.size()) return false;
    Resource& r = resources_[c.resource];
    const auto* image = std::get_if<ImageData>(&r.data);
    if (image && ownImage(c.resource)) bindAgain();
    if (image) to = paddedPlace(images_[c.resource], formatInfo(image->format)->texelBytes, c.offset, c.bytes.size());
    if (!image && isWithinBytes(c.offset, c.bytes.size(), r.bytes().size())) to = r.bytes().data() + c.offset;
  } else if (c.slot < part_.residents.size() && part_.residents[c.slot].running) {
    WorkgroupState& w = part_.residents[c.slot];
    if (c.place == Place::kWorkgroup && isWithinBytes(c.offset, c.bytes.size(), w.memory.size())) to = w.memory.data() + c.offset;
    if (c.place == Place::kLaneMemory && c.batch < w.batches.size()) {
      constexpr std::uint64_t kWord = sizeof(std::uint32_t);
      Batch& b = w.batches[c.batch];
      const std::uint64_t lanes = bound_[dispatch_].program->width, all = b.laneMemory.size() / std::max<std::uint64_t>(lanes, 1);
      if (c.lane >= lanes || c.offset % kWord != 0 || c.bytes.size() % kWord != 0 || !isWithinBytes(c.offset, c.bytes.size(), all))
        return false;
      for (std::uint64_t i = 0; i < c.bytes.size(); i += kWord)
        std::memcpy(b.laneMemory.data() + (c.offset + i) * lanes + c.lane * kWord, c.bytes.data() + i, kWord);
      return true;
    }
  }
  if (!to) return false;
  std::memcpy(to, c.bytes.data(), c.bytes.size());
  return true;
}

std::vector<Resource> Execution::takeOutputs() {
  std::vector<Resource> outputs;
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    if (!resources_[i].output) continue;
    copyOut(i);
    outputs.push_back(std::move(resources_[i]));
  }
  return outputs;
}

}  // namespace lanewise
