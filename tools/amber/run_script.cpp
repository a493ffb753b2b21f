#include "tools/amber/run_script.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/amber/requirements.h"
#include "tools/run/then.h"

namespace lanewise::amber {
namespace {

// More dispatches are several jobs.
constexpr std::size_t kMostDispatches = 64;
// Of a script that is one job.
constexpr std::size_t kMostInOneJob = 4096;

Error unsupportedAsOne(const Script& script, Place at, std::string what) {
  return {Outcome::kUnsupported, std::move(what), script.where(at), "`lanewise run` runs it"};
}

}  // namespace

ScriptRun::ScriptRun(std::shared_ptr<const ReadyScript> ready, const Profile& profile, const Limits& limits, std::uint32_t subgroupSize)
    : ready_(std::move(ready)), profile_(profile), subgroupSize_(subgroupSize), limits_(limits) {
  for (const Buffer& b : ready_->script.buffers) bytes_.push_back(b.bytes);
  limits_.timeoutSeconds = std::max(limits_.timeoutSeconds, ready_->script.timeout);
  all_.error = checkRequirements(ready_->script, profile_);
}

std::uint32_t ScriptRun::sizeFor(const Subgroups& s) const {
  using Required = Subgroups::Required;
  if (s.required == Required::kLeast) return profile_.minSubgroupSize;
  if (s.required == Required::kGreatest) return profile_.maxSubgroupSize;
  return s.required == Required::kSize ? s.size : subgroupSize_;
}

// The job has the buffer as it is now, if it does not have it yet.
void ScriptRun::use(std::size_t buffer, bool writes) {
  const Buffer& b = ready_->script.buffers[buffer];
  const std::size_t at = resourceNamed(job_.resources, b.name);
  if (at == job_.resources.size()) job_.resources.push_back(resourceOf(b, bytes_[buffer]));
  if (writes) job_.resources[at].output = true;
}

// Whether runs of the job may have written the run's push constants: the host knows them again when the job is done.
bool ScriptRun::awaitsPush(const RunCommand& run) const {
  if (ready_->pipelines[run.pipeline].entry->pushBytes == 0) return false;
  const Script& script = ready_->script;
  const std::size_t at = resourceNamed(job_.resources, script.buffers[*script.pipelines[run.pipeline].push].name);
  return at != job_.resources.size() && job_.resources[at].output;
}

Status ScriptRun::append(const RunCommand& run) {
  const Pipeline& p = ready_->script.pipelines[run.pipeline];
  const ReadyPipeline& made = ready_->pipelines[run.pipeline];
  Dispatch d = made.dispatch;
  d.groups = run.groups;
  if (made.entry->pushBytes != 0) {
    d.push = bytes_[*p.push];
    d.push.resize((made.entry->pushBytes + 3) / 4 * 4);
  }
  job_.subgroupSize = sizeFor(p.subgroups);
  const std::uint32_t size = job_.subgroupSize != 0 ? job_.subgroupSize : profile_.subgroupSize;
  if (p.subgroups.full && made.entry->localSize[0] % size != 0)
    return Error{
        Outcome::kBadInput,
        fmt::format("'{}' wants full subgroups, and its workgroups are {} wide, no multiple of {}", p.name, made.entry->localSize[0], size),
        ready_->script.where(run.at), "SUBGROUP ... REQUIRED_SIZE"};
  for (const std::size_t b : made.uses) use(b, std::ranges::find(made.writes, b) != made.writes.end());
  job_.dispatches.push_back(std::move(d));
  return {};
}

Status ScriptRun::refuseSizes(const CopyCommand& copy) const {
  if (bytes_[copy.from].size() == bytes_[copy.to].size()) return {};
  return Error{Outcome::kBadInput, "the buffers have different sizes", ready_->script.where(copy.at), ""};
}

void ScriptRun::execute(const Command& command) {
  if (const auto* copy = std::get_if<CopyCommand>(&command)) {
    all_.error = refuseSizes(*copy);
    if (!all_.error) bytes_[copy->to] = bytes_[copy->from];
  } else if (const auto* write = std::get_if<WriteCommand>(&command)) {
    std::ranges::copy(write->bytes, bytes_[write->buffer].begin() + static_cast<std::ptrdiff_t>(write->offset));
  } else {
    const std::size_t number = expectations_++;
    const Unmet wrong = checkExpectation(ready_->script, command, bytes_);
    const Place at = std::visit(
        [](const auto& c) {
          return [&] {
            if constexpr (requires { c.at; })
              return c.at;
            else
              return Place{};
          }();
        },
        command);
    if (!wrong.text.empty()) failed_.push_back({number, fmt::format("{}: {}", ready_->script.where(at), wrong.text), wrong.at});
  }
}

// The command that comes now, behind REPEAT; nullptr at the end.
const Command* ScriptRun::command() {
  const std::vector<Command>& commands = ready_->script.commands;
  for (;;) {
    if (repeatLeft_ != 0 && command_ == repeatEnd_) {
      if (--repeatLeft_ != 0) command_ = repeatBegin_;
      continue;
    }
    if (command_ == commands.size()) return nullptr;
    const auto* repeat = std::get_if<RepeatCommand>(&commands[command_]);
    if (repeat == nullptr) return &commands[command_];
    repeatBegin_ = ++command_;
    repeatEnd_ = repeat->end;
    repeatLeft_ = repeatBegin_ == repeatEnd_ ? 0 : repeat->count;
  }
}

const Job* ScriptRun::next() {
  while (!all_.error && !waiting_) {
    const Command* now = command();
    if (now == nullptr && job_.dispatches.empty()) return nullptr;
    if (now != nullptr) {
      const auto* run = std::get_if<RunCommand>(now);
      const bool fits =
          run != nullptr && (job_.dispatches.empty() || (job_.dispatches.size() < kMostDispatches && !awaitsPush(*run) &&
                                                         job_.subgroupSize == sizeFor(ready_->script.pipelines[run->pipeline].subgroups)));
      if (fits) {
        if (Status bad = append(*run)) all_.error = std::move(bad);
        ++command_;
        continue;
      }
      if (job_.dispatches.empty()) {
        execute(*now);
        ++command_;
        continue;
      }
    }
    job_.limits = limits_;
    waiting_ = true;
    return &job_;
  }
  return nullptr;
}

void ScriptRun::take(RunResult result) {
  waiting_ = false;
  all_.seconds += result.seconds;
  for (Printed& p : result.printed) p.dispatch += runs_;
  for (RunFinding& f : result.findings) f.dispatch += runs_;
  runs_ += static_cast<std::uint32_t>(job_.dispatches.size());
  std::ranges::move(result.printed, std::back_inserter(all_.printed));
  std::ranges::move(result.findings, std::back_inserter(all_.findings));
  all_.unprinted += result.unprinted;
  all_.error = std::move(result.error);
  if (all_.error) return;
  for (Resource& output : result.outputs) {
    const auto b = std::ranges::find(ready_->script.buffers, output.name, &Buffer::name);
    bytes_[static_cast<std::size_t>(b - ready_->script.buffers.begin())] = std::move(output.bytes());
  }
  job_ = {};
}

RunResult ScriptRun::result() && {
  for (std::size_t i = 0; i < bytes_.size() && !all_.error; ++i)
    if (ready_->outputs[i]) {
      all_.outputs.push_back(resourceOf(ready_->script.buffers[i], std::move(bytes_[i])));
      all_.outputs.back().output = true;
    }
  return std::move(all_);
}

std::string ScriptRun::failedText() const {
  constexpr std::size_t kMost = 8;
  std::string out;
  for (std::size_t i = 0; i < failed_.size() && i < kMost; ++i) out += (i == 0 ? "" : "\n") + failed_[i].text;
  if (failed_.size() > kMost) out += fmt::format("\nand {} more", failed_.size() - kMost);
  return out;
}

Status ScriptRun::refuseMore(Place at) const {
  if (job_.dispatches.size() < kMostInOneJob) return {};
  return unsupportedAsOne(ready_->script, at, fmt::format("it has more than {} runs and copies", kMostInOneJob));
}

// A copy between runs. What no run has yet is copied before them.
Status ScriptRun::appendCopy(const CopyCommand& copy) {
  const Script& script = ready_->script;
  if (Status bad = refuseSizes(copy)) return bad;
  const auto inJob = [&](std::size_t b) { return resourceNamed(job_.resources, script.buffers[b].name) != job_.resources.size(); };
  if (!inJob(copy.from) && !inJob(copy.to)) {
    execute(copy);
    return all_.error;
  }
  for (const Pipeline& p : script.pipelines)
    if (p.push == copy.to) return unsupportedAsOne(script, copy.at, "push constants are copied between its runs");
  if (Status bad = refuseMore(copy.at)) return bad;
  use(copy.from, false);
  use(copy.to, true);
  auto known = copies_.find({copy.from, copy.to});
  if (known == copies_.end()) {
    Expected<Dispatch> d = copyDispatch(job_, script.buffers[copy.from].name, script.buffers[copy.to].name);
    if (!d) return Error{d.error().outcome, d.error().what, script.where(copy.at), d.error().hint};
    known = copies_.emplace(std::pair(copy.from, copy.to), std::move(*d)).first;
  }
  job_.dispatches.push_back(known->second);
  return {};
}

Status ScriptRun::appendWhole(const Command& command) {
  const Script& script = ready_->script;
  const bool isFirst = job_.dispatches.empty();
  if (const auto* run = std::get_if<RunCommand>(&command)) {
    if (!isFirst && job_.subgroupSize != sizeFor(script.pipelines[run->pipeline].subgroups))
      return unsupportedAsOne(script, run->at, "its runs have subgroups of different sizes");
    if (awaitsPush(*run)) return unsupportedAsOne(script, run->at, "push constants are written by its runs");
    if (Status bad = refuseMore(run->at)) return bad;
    whole_.runs.push_back(static_cast<std::uint32_t>(job_.dispatches.size()));
    return append(*run);
  }
  if (const auto* copy = std::get_if<CopyCommand>(&command); copy != nullptr && !isFirst) return appendCopy(*copy);
  if (const auto* write = std::get_if<WriteCommand>(&command); write != nullptr && !isFirst)
    if (resourceNamed(job_.resources, script.buffers[write->buffer].name) != job_.resources.size())
      return unsupportedAsOne(script, {}, fmt::format("'{}' is given data between its runs", script.buffers[write->buffer].name));
  if (std::holds_alternative<CopyCommand>(command) || std::holds_alternative<WriteCommand>(command))
    execute(command);
  else
    whole_.expectations.push_back(static_cast<std::uint32_t>(job_.dispatches.size()));
  return all_.error;
}

Expected<WholeScript> ScriptRun::whole() && {
  if (all_.error) return *all_.error;
  while (const Command* now = command()) {
    ++command_;
    if (Status bad = appendWhole(*now)) return *bad;
  }
  if (job_.dispatches.empty()) return Error{Outcome::kBadInput, "the script runs nothing", ready_->script.file, ""};
  whole_.job = std::move(job_);
  return std::move(whole_);
}

Expected<WholeScript> wholeScript(const ReadyScript& ready) {
  const Profile profile;
  return ScriptRun(std::make_shared<const ReadyScript>(ready), profile, {}).whole();
}

}  // namespace lanewise::amber
