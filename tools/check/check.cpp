#include "tools/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "model/base/parallel_for.h"
#include "model/check/race_text.h"
#include "model/parting.h"
#include "tools/check/loop_faults.h"
#include "tools/check/subgroup_use.h"
#include "tools/run/job_place.h"

namespace lanewise {
namespace {

using What = CheckFinding::What;

// With stale memory, behind every order: how many seeds, and turns in all of them.
constexpr std::uint64_t kStaleSeeds = 48, kStaleTurns = 100'000;

// The first value that differs in the run of another way.
std::optional<WrongResult> differenceOf(const Job& job, const std::vector<Resource>& a, const std::string& way,
                                        const std::vector<Resource>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const auto [x, y] = std::ranges::mismatch(a[i].bytes(), b[i].bytes());
    if (x == a[i].bytes().end()) continue;
    const auto byte = static_cast<std::uint64_t>(x - a[i].bytes().begin());
    const JobPlace place = placeOf(job, a[i], byte);
    return WrongResult{fmt::format("{} is {} under {}, and {}", place.name, place.value(a[i].bytes()), way, place.value(b[i].bytes())),
                       fmt::format("{} {}", a[i].name, placeIn(a[i], place.first))};
  }
  return {};
}

// Where the runs of a job in two ways part.
std::optional<Parting> partOf(const CheckWay& first, const CheckWay& second, const Job& job) {
  const Job one = jobIn(first, job), other = jobIn(second, job);
  return partingOf({one, *first.model}, {other, *second.model});
}

// The finding of a run, with its count apart.
CheckFinding reported(RunFinding f) {
  const std::uint64_t count = std::exchange(f.count, 1);
  std::string says = f.text();
  return {.what = What::kReported, .finding = std::move(f), .says = std::move(says), .count = count};
}
CheckFinding ofError(const Error& error) {
  return {.what = What::kError, .error = error, .says = error.text(), .outcome = error.outcome};
}

std::size_t bytesOf(const Job& job) {
  std::size_t bytes = 0;
  for (const Resource& r : job.resources) bytes += r.bytes().size();
  return bytes;
}

RunResult runOn(const CheckWay& way, const CheckJob& subject) {
  if (way.axis == Axis::kDevice && subject.cannotRunOn)
    if (const std::string why = subject.cannotRunOn(way.device->profile()); !why.empty())
      return {Error{Outcome::kUnsupported, why, "", ""}, {}, 0};
  return runIn(way, subject.job);
}

// Runs one job in all ways. The results are merged in the order of the jobs, so they do not depend on threads.
class JobCheck {
 public:
  JobCheck(const CheckJob& job, const std::vector<CheckWay>& ways, const CheckLimits& limits)
      : subject_(job), ways_(ways), limits_(limits), subgroups_(usesSubgroups(job.job)) {}

  CheckResult take() && {
    const bool large = limits_.mostBytes != 0 && bytesOf(subject_.job) > limits_.mostBytes;
    result_.large = large;
    for (const CheckWay& way : ways_) {
      if (isStopped()) break;
      // Of many jobs those whose first run proves that no order changes them need no other orders.
      const bool isProved = limits_.mostBytes != 0 && result_.orderFree != 0;
      result_.spared = isProved;
      if (!(way.slow && large) && !(isProved && isOfOrder(way.axis)) && result_.leftOut.empty() && (!waits_ || isInterleaved(way)))
        run(way);
      if (limits_.progress) ++limits_.progress->done;
    }
    const bool ended = result_.leftOut.empty() && !waits_;
    if (!isStopped() && ended) certify(large);
    if (limits_.coverage && !large && !isStopped()) cover(ended);
    return std::move(result_);
  }

 private:
  bool isStopped() const { return limits_.stop && *limits_.stop; }

  // Whether a way changes only what no order decides: who runs when, and which invocations are a subgroup of a job without subgroups.
  bool isOfOrder(Axis axis) const {
    const bool mapping = axis == Axis::kSubgroupSize || axis == Axis::kMapping;
    return axis == Axis::kSchedule || axis == Axis::kMemory || (mapping && !subgroups_);
  }

  // Subgroups of several workgroups take turns, observed.
  static bool isInterleaved(const CheckWay& way) { return way.axis == Axis::kSchedule && way.findings; }

  void run(const CheckWay& way) {
    RunResult run = runOn(way, subject_);
    if (run.error && run.error->outcome == Outcome::kInterrupted) return;
    ++result_.runs;
    for (const RunFinding& f : run.findings) add(reported(f), way);
    addJudged(run.forgottenUses, run.refereed, way);
    if (&way == &ways_[0] && run.orderFree) ++result_.orderFree;
    const bool isUnable = run.error && run.error->outcome == Outcome::kUnsupported;
    if (!isUnable) result_.ran.insert(way.name);
    if (run.error) {
      if (!isUnable) result_.failed.insert(way.axis);
      // An error that a finding already reports is not reported again.
      if (run.error->outcome != Outcome::kFinding || run.findings.empty()) trouble(*run.error, way);
      // A job that does not end normally in order is not run in the other ways: they would report the same, slowly. But who waits for a
      // workgroup that has not started may end where both take turns, and what is behind the wait is seen there alone.
      if (&way == &ways_[0] && !isUnable) {
        waits_ = std::ranges::count(run.findings, FindingKind::kWaits, &RunFinding::kind) != 0;
        if (waits_) result_.failed.insert(Axis::kSchedule);
        if (waits_)
          result_.waiting[subject_.name];
        else
          result_.leftOut.push_back(subject_.name);
      }
      return;
    }
    ++result_.tried[way.axis];
    if (waits_) result_.waiting[subject_.name].push_back(way.name);
    const bool isFault = compare(way, run);
    if (subject_.judge && !isFault) judge(way, run);
  }

  void addJudged(std::uint64_t forgotten, const Refereed& refereed, const CheckWay& way) {
    result_.forgottenUses += forgotten;
    lanewise::add(result_.refereed, refereed);
    for (const std::string& text : std::exchange(result_.refereed.disagreements, {}))
      add(ofError({Outcome::kInternal, "the axioms of the memory model disagree with the race checker: a bug of lanewise", text, ""}), way);
  }

  // What is proved of all orders.
  void certify(bool large) {
    Certificate& c = result_.certificate;
    if (dependsOnOrder() || hasRace()) result_.orderFree = 0;
    const bool onlyDepends = std::ranges::all_of(result_.findings, [](const CheckFinding& f) { return f.what == What::kDependence; });
    const bool open = onlyDepends && result_.orderFree == 0 && result_.unsupported != result_.runs;
    if (open && !large && limits_.explore) exploreOrders();
    if (c.explored != 0 && loadsAtomically(subject_.job)) tryStale();
    if (!subgroups_) c.withoutSubgroups = result_.orderFree + c.explored;
  }

  bool dependsOnOrder() const {
    return std::ranges::any_of(result_.depends, [this](const auto& d) { return isOfOrder(d.first); });
  }
  bool hasRace() const {
    return std::ranges::any_of(result_.findings, [](const CheckFinding& f) { return f.what == What::kReported && isRace(f.finding.kind); });
  }

  void exploreOrders() {
    // Where the bytes depend on something, there is nothing to prove, but orders have more to show.
    const bool toProve = result_.findings.empty();
    Job job = subject_.job;
    if (!subgroups_) job.subgroupSize = 1;
    const Expected<Explored> explored = limits_.explore(job);
    Certificate& c = result_.certificate;
    const bool whole = explored && explored->open.empty();
    if (explored) {
      addJudged(explored->forgottenUses, explored->refereed, ways_[0]);
      for (const Explored::Found& f : explored->found)
        for (const RunFinding& one : f.findings) add(reported(one), wayOf(f.schedule));
      for (const Explored::Ending& e : explored->endings)
        if (!isTold(*explored, e)) tellEnding(explored->endings[0], e);
      if (whole) compareWithFirst(*explored);
    }
    if (!toProve) return;
    if (!whole) c.open = explored ? explored->open : explored.error().text();
    const bool alike = whole && result_.findings.empty() && !dependsOnOrder() && explored->endings.size() == 1;
    if (alike) c.open = whyNotProved(*explored, job);
    if (!c.open.empty()) {
      ++c.opened;
      if (alike && !explored->endings[0].error) c.alike = explored->executions;
    } else if (alike) {
      c = {.explored = 1, .executions = explored->executions, .repeated = explored->repeated, .turns = explored->turns};
      (subgroups_ ? c.bySubgroups : c.byInvocations) = ExploredOrders{explored->executions, explored->subgroups};
    }
  }

  // The orders that were run have no atomic load that sees an older value. That is tried by seeds.
  void tryStale() {
    Certificate& c = result_.certificate;
    const std::uint64_t turnsEach = std::max<std::uint64_t>(1, c.turns / (c.executions + c.repeated));
    const auto seeds = std::min<std::uint64_t>(kStaleSeeds, kStaleTurns / turnsEach);
    while (c.staleSeeds < seeds && !isStopped()) run(staleWay(ways_[0], ++c.staleSeeds, subgroups_ ? 0 : 1));
    if (!result_.findings.empty() || dependsOnOrder()) c = {};
  }

  // One of all orders gives the bytes of the first way.
  void compareWithFirst(const Explored& explored) {
    const auto gives = [&](const Explored::Ending& e) {
      return e.error || !differenceOf(subject_.job, outputs_[firstWay_], firstWay_, e.outputs);
    };
    if (result_.findings.empty() && outputs_.contains(firstWay_) && std::ranges::none_of(explored.endings, gives))
      add(ofError({Outcome::kInternal, "no order gives the bytes of the run in order: a bug of lanewise", subject_.name, ""}), ways_[0]);
  }

  // Although every order was run and all came to the same; empty: it is proved.
  std::string whyNotProved(const Explored& explored, const Job& job) const {
    if (explored.endings[0].error) return explored.endings[0].error->text();
    if (subgroups_ && job.subgroupSize != 1 && !explored.lanesAlone) return "the lanes of a subgroup were not taken apart";
    if (result_.forgottenUses != 0) return "uses of memory with many users were forgotten, and a race with one of them is not found";
    return "";
  }

  CheckWay wayOf(const Schedule& order) const {
    CheckWay way;
    way.name = order.token();
    way.axis = Axis::kSchedule;
    way.run = {ways_[0].run.profile, way.name, subgroups_ ? 0u : 1u};
    return way;
  }

  // Whether the findings of an order report its error.
  static bool isTold(const Explored& explored, const Explored::Ending& e) {
    return e.error && e.error->outcome == Outcome::kFinding &&
           std::ranges::count(explored.found, e.schedule, &Explored::Found::schedule) != 0;
  }

  // What an order comes to.
  void tellEnding(const Explored::Ending& first, const Explored::Ending& e) {
    const CheckWay way = wayOf(e.schedule);
    if (e.error) return trouble(*e.error, way);
    if (subject_.judge) {
      RunResult run;
      run.outputs = e.outputs;
      judge(way, run);
    }
    if (first.error || &first == &e || result_.depends.contains(Axis::kSchedule)) return;
    const std::string token = first.schedule.turns.empty() ? "turns in ascending order" : first.schedule.token();
    const std::optional<WrongResult> difference = differenceOf(subject_.job, first.outputs, token, e.outputs);
    if (!difference) return;
    const std::optional<Parting> part = partOfOrders(first.schedule, e.schedule);
    const std::string says = fmt::format("{} under {}{}", difference->says, way.name, part ? "; " + part->text : "");
    result_.depends.try_emplace(Axis::kSchedule, Dependence{fmt::format("{}: {}", subject_.name, says), way.name, part.has_value()});
    if (subject_.judge) return;
    CheckFinding finding;
    finding.what = What::kDependence;
    finding.axis = Axis::kSchedule;
    finding.says = says;
    finding.at = difference->at;
    if (part) finding.finding.at = part->at;
    add(std::move(finding), way, wayOf(first.schedule).run);
  }

  // Where two of all orders part.
  std::optional<Parting> partOfOrders(const Schedule& first, const Schedule& second) const {
    if (!ways_[0].model) return {};
    Job job = subject_.job;
    if (!subgroups_) job.subgroupSize = 1;
    ModelOptions one = *ways_[0].model, other = one;
    one.schedule = first;
    other.schedule = second;
    return partingOf({job, one}, {job, other});
  }

  // In order; but what waits so is interleaved.
  void cover(bool ended) {
    const auto interleaved = std::ranges::find_if(ways_, isInterleaved);
    const CheckWay& way = waits_ && interleaved != ways_.end() ? *interleaved : ways_[0];
    if (!way.model) return;
    Expected<JobCoverage> covered = coverageOf(*makeModel(*way.model), subject_.job, ended);
    ++result_.runs;
    if (!covered) return;
    result_.coverage = std::move(covered->lines);
    result_.cut = covered->ended ? 0 : 1;
    for (const std::string& one : covered->unread) result_.unread.push_back(fmt::format("{}, in {}", one, subject_.name));
  }

  // Whether the bytes differ by a known fault of a device.
  bool compare(const CheckWay& way, const RunResult& run) {
    if (firstWay_.empty()) firstWay_ = way.name;
    if (firstWay_ == way.name || std::ranges::count(ways_, way.name, &CheckWay::against) != 0) outputs_[way.name] = run.outputs;
    if (firstWay_ == way.name) return false;
    const std::string other = way.against.empty() ? firstWay_ : way.against;
    if (!outputs_.contains(other)) return false;
    const std::optional<WrongResult> difference = differenceOf(subject_.job, outputs_[other], other, run.outputs);
    if (!difference) return false;
    std::string says = fmt::format("{} under {}", difference->says, way.name);
    std::optional<Parting> part;
    // Once for an axis, and for each device.
    const bool isFinding =
        !subject_.judge && way.axis != Axis::kChoices && (way.axis == Axis::kDevice || !result_.depends.contains(way.axis));
    const CheckWay& base = *std::ranges::find(ways_, other, &CheckWay::name);
    if (way.model && base.model && isFinding) part = partOf(base, way, subject_.job);
    if (isStopped()) part.reset();
    if (part) says += "; " + part->text;
    // A device may differ where the bytes depend on a choice that Vulkan leaves to it.
    const bool mayDiffer = !subject_.judge && way.axis == Axis::kDevice && result_.depends.contains(Axis::kChoices);
    std::string fault;
    if ((isFinding || subject_.judge) && !mayDiffer) fault = loopFault(way, outputs_[other]);
    const bool isFault = !fault.empty();
    if (isFault) ++result_.excused[way.name];
    if (isFault) fault = fmt::format("; {} the bytes are the same there, so this is the known fault and no finding", fault);
    const std::string why = mayDiffer ? "; devices may choose here, so this is no finding" : fault;
    result_.depends.try_emplace(way.axis, Dependence{fmt::format("{}: {}{}", subject_.name, says, why), way.name, part.has_value()});
    if (!isFinding || mayDiffer || isFault) return isFault;
    CheckFinding finding;
    finding.what = What::kDependence;
    finding.axis = way.axis;
    finding.says = says;
    finding.at = difference->at;
    if (part) finding.finding.at = part->at;
    add(std::move(finding), way, base.run);
    return false;
  }

  // What is different of a job for which a device gives these bytes, and has no fault of loops; empty: there is none.
  std::string loopFault(const CheckWay& way, const std::vector<Resource>& outputs) const {
    const auto isSame = [&](const std::optional<Job>& job) {
      if (!job) return false;
      const RunResult run = runIn(way, *job);
      return !run.error && !differenceOf(*job, outputs, "", run.outputs);
    };
    const std::optional<Job> unfenced = way.leavesFencedLoops ? withoutFencesOfLoops(subject_.job) : std::nullopt;
    if (isSame(unfenced)) return "without the kernel's memory barriers";
    if (!way.losesLoopValues) return "";
    if (isSame(withLocalsInMemory(subject_.job))) return "with the kernel's local variables in memory";
    if (unfenced && isSame(withLocalsInMemory(*unfenced)))
      return "without the kernel's memory barriers, and with its local variables in memory,";
    return "";
  }

  void addWrong(const WrongResult& wrong, const CheckWay& way) {
    CheckFinding finding;
    finding.what = What::kWrongResult;
    finding.says = wrong.says;
    finding.at = wrong.at;
    add(std::move(finding), way);
  }

  void judge(const CheckWay& way, RunResult& run) {
    const Expected<std::optional<WrongResult>> bad = subject_.judge(subject_.job, run);
    if (!bad)
      trouble(bad.error(), way);
    else if (*bad)
      addWrong(**bad, way);
  }

  void trouble(const Error& error, const CheckWay& way) {
    if (error.outcome == Outcome::kInterrupted) return;
    if (error.outcome != Outcome::kUnsupported) return add(ofError(error), way);
    ++result_.unsupported;
    result_.unable.try_emplace(way.name, error.text());
  }
  // `other`: of a dependence, the run that the bytes are compared with.
  void add(CheckFinding finding, const CheckWay& way, const std::optional<DebugWay>& other = {}) {
    if (limits_.progress) ++limits_.progress->failed;
    finding.group = subject_.group;
    finding.subject = subject_.name;
    finding.way = way.name;
    finding.run = way.run;
    if (other) std::tie(finding.run, finding.against) = besides(*other, way);
    result_.findings.push_back(std::move(finding));
  }

  const CheckJob& subject_;
  const std::vector<CheckWay>& ways_;
  const CheckLimits& limits_;
  bool subgroups_;
  bool waits_ = false;                                    // for ever, in order
  std::string firstWay_;                                  // the first that gave bytes
  std::map<std::string, std::vector<Resource>> outputs_;  // of the ways that others are compared with
  CheckResult result_;
};

// Where the runs part of which no finding tells that.
void tellPartings(CheckResult& result, const std::function<Expected<CheckJob>(std::size_t)>& makeJob, const std::vector<CheckWay>& ways,
                  const CheckLimits& limits) {
  for (auto& [axis, d] : result.depends) {
    const auto way = std::ranges::find(ways, d.way, &CheckWay::name);
    if (d.isParted || way == ways.end() || !way->model || (limits.stop && *limits.stop)) continue;
    const auto base = way->against.empty() ? ways.begin() : std::ranges::find(ways, way->against, &CheckWay::name);
    const Expected<CheckJob> job = makeJob(d.job);
    if (!job || !base->model || (limits.mostBytes != 0 && bytesOf(job->job) > limits.mostBytes)) continue;
    const std::optional<Parting> part = partOf(*base, *way, job->job);
    if (!part || (limits.stop && *limits.stop)) continue;
    d.text += "; " + part->text;
    d.isParted = true;
  }
}

}  // namespace

Outcome CheckResult::outcome() const {
  if (interrupted || reducingInterrupted) return Outcome::kInterrupted;
  std::vector<Outcome> seen;
  for (const CheckFinding& f : findings)
    if (f.accepted.empty()) seen.push_back(f.outcome);
  if (!unmatched.empty()) seen.push_back(Outcome::kFinding);
  return seen.empty() && unsupported == runs ? Outcome::kUnsupported : gravest(seen);
}

CheckResult runCheck(std::size_t count, const std::function<Expected<CheckJob>(std::size_t)>& makeJob, const std::vector<CheckWay>& ways,
                     const CheckLimits& limits) {
  const auto begin = std::chrono::steady_clock::now();
  if (limits.progress) limits.progress->total = count * ways.size();
  std::vector<CheckResult> parts(count);
  parallelFor(count, [&](std::size_t i) {
    if (limits.stop && *limits.stop) return;
    const Expected<CheckJob> job = makeJob(i);
    if (job) {
      parts[i] = JobCheck(*job, ways, limits).take();
    } else if (job.error().outcome != Outcome::kInterrupted) {
      CheckFinding finding = ofError(job.error());
      finding.group = finding.subject = fmt::format("job {}", i);
      parts[i].findings.push_back(std::move(finding));
    }
  });
  std::size_t tried = 0;
  for (std::size_t i = 0; i < count; ++i) {
    tried += parts[i].runs != 0 || !parts[i].findings.empty() ? 1 : 0;
    for (CheckFinding& f : parts[i].findings) f.job = i;
    for (auto& [axis, d] : parts[i].depends) d.job = i;
  }
  CheckResult result = merged(std::move(parts));
  tellMends(result, makeJob, ways, limits);
  tellPartings(result, makeJob, ways, limits);
  for (const CheckWay& way : ways)
    if (result.ran.contains(way.name)) result.ways.push_back(way.name + (way.findings ? "*" : ""));
  result.interrupted = limits.stop && *limits.stop;
  result.jobs = result.interrupted ? tried : count;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace lanewise
