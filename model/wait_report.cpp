#include "model/wait_report.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "model/base/text.h"
#include "model/check/place_text.h"
#include "model/check/wait_text.h"
#include "model/state/workgroup.h"

namespace lanewise {
namespace {

using Progress = Schedule::Progress;

// The steps of a run that is only made to see how a wait ends.
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 22;

// Looks for the first store of another value to one of the words where its value was; and for the first after the last one that brought
// that back, which is what counts if the run does not end; and who brought that back. A store of what is there is none.
class EnderSeeker final : public Observer {
 public:
  EnderSeeker(const Job& job, const Wait& wait) : wait_(wait), groups_(job.dispatches[wait.dispatch].groups) {}
  std::uint32_t watches() const override { return watch::kAccess | watch::kValues; }
  Answer access(const AccessEvent& event) override {
    if (!writes(event.kind) || event.batch.env->dispatch != wait_.dispatch) return Answer::kGoOn;
    std::size_t at = 0;
    forEachLane(event, [&](std::uint32_t lane, const LaneRun& run, std::uint64_t offset) {
      if (at + run.size <= event.after.size())
        look(event, lane, run, offset, event.before.subspan(at, run.size), event.after.subspan(at, run.size));
      at += run.size;
    });
    return Answer::kGoOn;
  }
  // The position of the word, and who stores it.
  using Found = std::optional<std::pair<std::size_t, WaitEnder>>;
  const Found& first() const { return first_; }
  const Found& last() const { return last_; }
  const Found& kept() const { return kept_; }

 private:
  static std::uint64_t valueOf(std::span<const std::byte> bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), std::min<std::size_t>(bytes.size(), 8));
    return value;
  }
  void look(const AccessEvent& event, std::uint32_t lane, const LaneRun& run, std::uint64_t offset, std::span<const std::byte> before,
            std::span<const std::byte> after) {
    if (std::ranges::equal(before, after)) return;
    const Environment& env = *event.batch.env;
    const bool sameGroup = env.group == wait_.workgroup;
    for (std::size_t i = 0; i < wait_.words.size(); ++i) {
      const WaitedWord& word = wait_.words[i];
      const bool own = word.place == Place::kWorkgroup;
      if (own != (event.place == Place::kWorkgroup) || (own ? !sameGroup : word.resource != run.resource) || word.offset != offset)
        continue;
      const Found found{{i, WaitEnder{linearOf(env.group, groups_), env.program->invocationOf({event.batch.index, lane}),
                                      env.program->instructionPlace(event.pc)}}};
      if (valueOf(after) == word.value) {
        if (last_ && last_->first == i) last_.reset();
        kept_ = found;
        continue;
      }
      if (valueOf(before) != word.value) continue;
      if (!first_) first_ = found;
      if (!last_) last_ = found;
    }
  }
  const Wait& wait_;
  Extent3 groups_;
  Found first_, last_, kept_;
};

struct Trial {
  bool ends = false, waits = false;
  std::optional<WaitEnder> ender;
  std::size_t word = 0;
  std::optional<std::pair<std::size_t, WaitEnder>> kept = {};
};

// Runs the job again under a schedule.
Trial tried(const Job& job, const Wait& wait, const Reruns& rerun, const Schedule& schedule) {
  Job own = job;
  own.limits.maxSteps = std::min(own.limits.maxSteps, kMostSteps);
  EnderSeeker seeker(job, wait);
  const Rerun run = rerun(own, schedule, seeker);
  if (!run.started) return {};
  Trial trial{!run.error, run.waits, {}};
  trial.kept = seeker.kept();
  if (const EnderSeeker::Found& found = trial.ends ? seeker.first() : seeker.last()) std::tie(trial.word, trial.ender) = *found;
  return trial;
}

// Those that promise more than `now`.
bool isMore(Progress now, Progress other) {
  return now != other && now != Progress::kFair;
}

class WaitReporter {
 public:
  WaitReporter(const Job& job, Execution& ended, const Schedule& schedule, const Reruns& rerun)
      : job_(job),
        ended_(ended),
        schedule_(schedule),
        rerun_(rerun),
        wait_(*ended.wait()),
        environment_(ended.environmentOf(wait_.turn.slot)) {}

  RunFinding report() {
    const Waiting waiting{job_, environment_, ended_.residents(), wait_};
    if (wait_.words.empty()) return findingOf(waiting, nullptr);
    if (!wait_.proved) {
      RunFinding f = findingOf(waiting, &wait_.words[0]);
      f.other = "it may wait for " + waitedName(waiting, wait_.words[0]);
      return f;
    }
    tryModels();
    const WaitedWord& word = wait_.words[best_ ? best_->word : kept_ ? kept_->first : 0];
    RunFinding f = findingOf(waiting, &word);
    if (best_) {
      f.otherAt = best_->ender->at;
      f.other = enderText(waiting, word, *best_->ender, ended_.hasStarted(best_->ender->workgroup));
    } else {
      const std::string stores = storesOf(*environment_.program, word);
      if (kept_) {
        f.otherAt = kept_->second.at;
        f.other = keptText(waiting, word, kept_->second, ended_.hasStarted(kept_->second.workgroup));
      } else {
        f.other = stores.empty() ? "nothing in the module stores to it" : "nobody stores another value there, in any run that was tried";
      }
      if (!stores.empty()) f.other += fmt::format("; stores to it stand at {}", stores);
    }
    f.mend = endsText();
    f.promised = weakest_;
    return f;
  }

 private:
  void tryModels() {
    for (auto progress = std::rbegin(kProgressModels); progress != std::rend(kProgressModels); ++progress) {
      if (*progress == Progress::kNone || !isMore(schedule_.progress, *progress)) continue;
      Schedule schedule = schedule_;
      schedule.progress = *progress;
      note(schedule);
    }
    if (!ends_.empty() || schedule_.lanes) return;
    Schedule lanes = schedule_;
    if (lanes.switches()) {
      lanes = {.resident = lanes.resident};
      lanes.progress = Progress::kFair;
      byOrder_ = tried(job_, wait_, rerun_, lanes).ends;
      if (byOrder_) return;
    }
    lanes.lanes = true;
    lanes.progress = Progress::kFair;
    const Trial trial = tried(job_, wait_, rerun_, lanes);
    byLane_ = trial.ends;
    if (trial.ender && !best_) best_ = trial;
  }
  void note(const Schedule& schedule) {
    const Trial trial = tried(job_, wait_, rerun_, schedule);
    (trial.ends ? ends_ : trial.waits ? waits_ : unknown_).emplace_back(progressName(schedule.progress));
    if (trial.ends) weakest_ = schedule.progress;
    if (trial.ender && (!best_ || (trial.ends && !best_->ends))) best_ = trial;
    if (trial.waits && !kept_) kept_ = trial.kept;
  }
  std::string endsText() const {
    if (byOrder_) return "it ends in order, and under no model of progress where turns are taken so";
    if (byLane_) return "it ends only where the invocations of a subgroup make progress one by one, which Vulkan does not promise";
    std::string out;
    if (!ends_.empty()) out = fmt::format("it ends where progress is {}", eitherOf(ends_));
    if (!waits_.empty()) out += fmt::format("{} where it is {}", out.empty() ? "it does not end" : ", and does not", eitherOf(waits_));
    if (!unknown_.empty()) out += fmt::format("{}for {} that is not known", out.empty() ? "" : "; ", eitherOf(unknown_));
    if (out.empty()) return "it ends under no model of progress";
    return ends_.empty() ? out : out + "; Vulkan promises none";
  }

  const Job& job_;
  Execution& ended_;
  const Schedule& schedule_;
  const Reruns& rerun_;
  const Wait& wait_;
  Environment environment_;
  std::vector<std::string> ends_, waits_, unknown_;
  Progress weakest_{};  // under which it ends
  std::optional<Trial> best_;
  std::optional<std::pair<std::size_t, WaitEnder>> kept_;  // who stored what stays, and in which word
  bool byLane_ = false, byOrder_ = false;
};

}  // namespace

RunFinding waitReport(const Job& job, Execution& ended, const Schedule& schedule, const Reruns& rerun) {
  return WaitReporter(job, ended, schedule, rerun).report();
}

}  // namespace lanewise
