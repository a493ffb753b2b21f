// See worker_device.h.
#include "gpu/worker_device.h"

#include <fmt/format.h>

#include "gpu/patience.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kMostStarts = 3;
constexpr std::size_t kMostModules = 512;  // a worker remembers at most this many
// The worker limits its own waits. After this much longer the host gives up on the worker.
constexpr double kGraceSeconds = 0.5;
constexpr double kSecondsBetweenLooks = 0.02;  // at whether the run was stopped

std::string tailOf(WorkerProcess& process) {
  std::string text = process.channel().lastText();
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text.empty() ? "" : "; the last it printed: " + text;
}

// Ends the process and says why it is gone.
Error endWorker(WorkerProcess& process, const std::string& name, ChannelTrouble trouble, const std::string& during, double seconds) {
  std::string what;
  if (trouble == ChannelTrouble::kTimedOut) {
    what = fmt::format("the device timed out after {:g} s while {}; its worker process was killed", seconds, during);
    process.kill();
  } else if (trouble == ChannelTrouble::kGarbled) {
    what = "the device's worker process sent a garbled message while " + during + " and was killed";
    process.kill();
  } else {
    what = "the device's worker process " + process.howItEnded() + " while " + during;
  }
  return {Outcome::kDeviceTrouble, what + tailOf(process), name, ""};
}

}  // namespace

Expected<Greeting> startAndReceive(const WorkerCommand& command, const std::string& name, MessageKind kind, double seconds) {
  Expected<std::unique_ptr<WorkerProcess>> process = WorkerProcess::start(command);
  if (!process) return process.error();
  auto received = (*process)->channel().receive(deadlineIn(seconds));
  Message* message = std::get_if<Message>(&received);
  if (!message) return endWorker(**process, name, *std::get_if<ChannelTrouble>(&received), "starting", seconds);
  if (message->kind != kind) return endWorker(**process, name, ChannelTrouble::kGarbled, "starting", seconds);
  return Greeting{std::move(*process), std::move(message->payload)};
}

Expected<std::unique_ptr<WorkerDevice>> WorkerDevice::open(WorkerDeviceOptions options) {
  std::unique_ptr<WorkerDevice> device(new WorkerDevice(std::move(options)));
  if (Status wrong = device->start()) return *wrong;
  return device;
}

Status WorkerDevice::start() {
  Expected<Greeting> greeting = startAndReceive(options_.command, options_.name, MessageKind::kProfile, options_.startSeconds);
  if (!greeting) return greeting.error();
  Expected<Profile> profile = decodeProfile(greeting->payload);
  if (!profile) {
    if (profile.error().where.empty()) profile.error().where = options_.name;
    return profile.error();
  }
  // The profile of the first start stays, because references to it may be in use.
  if (profile_.description.empty()) {
    profile_ = std::move(*profile);
    profile_.name = options_.name;
  }
  worker_ = std::move(greeting->process);
  sent_.clear();
  return {};
}

Status WorkerDevice::restart() {
  if (failedStarts_ >= kMostStarts)
    return Error{Outcome::kDeviceTrouble, fmt::format("its worker process failed to start {} times: it is not started again", kMostStarts),
                 options_.name, ""};
  const Status wrong = start();
  failedStarts_ = wrong ? failedStarts_ + 1 : 0;
  return wrong;
}

int WorkerDevice::workerPid() {
  const std::lock_guard lock(mutex_);
  return worker_ ? worker_->pid() : 0;
}

RunResult WorkerDevice::run(const Job& job, const std::atomic<bool>* stop) {
  const std::lock_guard lock(mutex_);
  stop_ = stop;
  if (std::optional<Error> slow = options_.slowBuilds->of(job, profile_)) return {std::move(slow), {}, 0};
  if (!worker_) {
    if (Status wrong = restart()) return {*wrong, {}, 0};
  }
  return converse(job);
}

Error WorkerDevice::gone(ChannelTrouble trouble, const std::string& during, double seconds) {
  const std::unique_ptr<WorkerProcess> process = std::move(worker_);
  return endWorker(*process, options_.name, trouble, during, seconds);
}

Status WorkerDevice::sendModules(const Job& job, Deadline deadline) {
  const std::string during = "receiving a module";
  if (sent_.size() > kMostModules) {
    if (const auto t = worker_->channel().send(MessageKind::kForget, {}, deadline)) return gone(*t, during, job.limits.timeoutSeconds);
    sent_.clear();
  }
  for (const Dispatch& d : job.dispatches) {
    if (!sent_.insert(hashModule(*d.module)).second) continue;
    const auto trouble = worker_->channel().send(MessageKind::kModule, encodeModule(*d.module), deadline);
    if (trouble) return gone(*trouble, during, job.limits.timeoutSeconds);
  }
  return {};
}

// False: the time has passed, or the run was stopped.
bool WorkerDevice::arrivesWithin(double seconds) {
  if (!stop_) return worker_->channel().arrives(deadlineIn(seconds));
  const Deadline end = deadlineIn(seconds);
  while (!isStopped()) {
    const Deadline soon = deadlineIn(kSecondsBetweenLooks);
    const bool last = end && *end <= *soon;
    if (worker_->channel().arrives(last ? end : soon)) return true;
    if (last) return false;
  }
  return false;
}

std::variant<Message, ChannelTrouble> WorkerDevice::answerWithin(double seconds) {
  Channel& channel = worker_->channel();
  Patience patience(seconds, options_.onCpu, processorSeconds(worker_->pid()));
  while (!arrivesWithin(seconds))
    if (isStopped() || !patience.waitsOn(processorSeconds(worker_->pid()))) return ChannelTrouble::kTimedOut;
  return channel.receive(deadlineIn(seconds));
}

RunResult WorkerDevice::converse(const Job& job) {
  const double limit = job.limits.timeoutSeconds;
  for (const Dispatch& d : job.dispatches) {
    if (!d.module) return {Error{Outcome::kBadInput, "a dispatch has no module", options_.name, ""}, {}, 0};
  }
  if (Status wrong = sendModules(job, deadlineIn(limit + kGraceSeconds))) return {*wrong, {}, 0};
  std::string phase = "receiving the job";
  if (const auto trouble = worker_->channel().send(MessageKind::kJob, encodeJob(job), deadlineIn(limit + kGraceSeconds))) {
    return {gone(*trouble, phase, limit), {}, 0};
  }
  std::string builds;  // the key of the pipeline that is built now
  for (;;) {
    const double most = builds.empty() ? limit : options_.buildSeconds;
    auto received = answerWithin(most + kGraceSeconds);
    Message* message = std::get_if<Message>(&received);
    if (!message && isStopped()) {
      worker_.reset();
      return {Error{Outcome::kInterrupted, "the run was stopped", options_.name, ""}, {}, 0};
    }
    if (!message) {
      const ChannelTrouble trouble = *std::get_if<ChannelTrouble>(&received);
      const Error error = gone(trouble, phase, most);
      if (!builds.empty() && trouble == ChannelTrouble::kTimedOut) options_.slowBuilds->add(builds, error);
      return {error, {}, 0};
    }
    if (message->kind == MessageKind::kPhase || message->kind == MessageKind::kBuild) {
      const bool phases = message->kind == MessageKind::kPhase;
      if (phases) builds.clear();
      if (Expected<std::string> text = decodeText(message->payload)) (phases ? phase : builds) = std::move(*text);
      continue;
    }
    Expected<WorkerResult> answer = decodeResult(message->payload, job.limits.maxMemory);
    if (message->kind != MessageKind::kResult || !answer) return {gone(ChannelTrouble::kGarbled, phase, limit), {}, 0};
    if (!answer->usable) {
      worker_->kill();
      worker_.reset();
    }
    return std::move(answer->result);
  }
}

}  // namespace lanewise
