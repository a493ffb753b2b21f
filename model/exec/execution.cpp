#include "model/exec/execution.h"

#include <fmt/format.h>

#include "model/memory/blit.h"

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

DispatchRun Execution::dispatchRun() const {
  const Plan& plan = plans_[dispatch_];
  DispatchRun run{plan.program, {}, schedule_, plan.workgroups};
  Environment& env = run.environment;
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
  env.dispatch = dispatch_;
  env.profile = &profile_;
  env.subgroupSize = plan.program->subgroupSize;
  env.maxSteps = job_->limits.maxSteps;
  return run;
}

Environment Execution::environmentOf(std::uint32_t slot) {
  return lanewise::environmentOf(part_, slot, dispatchRun());
}

// What the resources leave of the memory limit.
std::uint64_t Execution::memoryLeft() const {
  std::uint64_t taken = 0;
  for (const Resource& r : resources_) taken += r.bytes().size();
  return job_->limits.maxMemory - std::min(taken, job_->limits.maxMemory);
}

// How many workgroups of the current dispatch may be resident: as many as the schedule wants and the memory limit allows.
std::uint64_t Execution::mostResident() const {
  constexpr std::uint64_t kMost = 1 << 16;
  const std::uint64_t fit = std::max<std::uint64_t>(1, memoryLeft() / stateBytes(*plans_[dispatch_].program));
  return std::min({schedule_.resident == 0 ? kMost : schedule_.resident, fit, plans_[dispatch_].workgroups, kMost});
}

// Goes to the next dispatch that has workgroups.
void Execution::endDispatch() {
  part_.next = 0;
  part_.turns = 0;
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
  Observers observers(all);
  const bool unwatched = std::ranges::any_of(plans_, [](const Plan& p) { return p.program->flavour == ir::Flavour::kUnwatched; });
  if (unwatched && observers.want(watch::kFlow))
    return Error{Outcome::kBadInput, "a program that is decoded to run unwatched is watched", plans_[0].program->module.name, ""};
  while (!finished() && !observers.stopping()) {
    if (part_.running == 0 && part_.next == 0) {
      doBlits(observers);
      if (finished() || observers.stopping()) break;
      part_.end = plans_[dispatch_].workgroups;
      part_.residents.resize(mostResident());
    }
    if (Status error = runDispatch(observers, !given.empty())) return error;
  }
  return {};
}

// Until the dispatch ends, or an observer stops it.
Status Execution::runDispatch(Observers& observers, bool watched) {
  const DispatchRun run = dispatchRun();
  PartRunner runner(part_, run, observers);
  ParallelWatch parallel(parallel_, part_, run, watched);
  while (!part_.finished()) {
    runner.fillSlots();
    if (observers.stopping()) return {};
    if (Status error = runner.takeTurn()) {
      countedMore_ = runner.countedMore();
      return error;
    }
    if (const auto left = parallel.left(); left && runParallel(run, *left)) break;
    if (observers.stopping() && !part_.finished()) return {};
  }
  endDispatch();
  return {};
}

// Runs what is left of the dispatch in parts side by side. False where that cannot be: then nothing has changed.
bool Execution::runParallel(const DispatchRun& run, std::chrono::nanoseconds left) {
  const auto bytesOf = [this](std::uint32_t resource) {
    PaddedImage& image = images_[resource];
    if (image.levels.empty()) return std::span(resources_[resource].bytes());
    return std::span(image.bytes.data(), image.bytes.size());
  };
  if (!runInParallel(plans_[dispatch_], run, part_, parallel_, {left, memoryLeft()}, bytesOf)) return false;
  part_.next = part_.end;
  ++ranParallel_;
  return true;
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
