// What the checkers find in a session's run, with the moment of each; races by a second run, as in Model::run.
#include <fmt/format.h>

#include <utility>

#include "model/check/access_checker.h"
#include "model/check/race_checker.h"
#include "model/check/race_sieve.h"
#include "model/check/race_text.h"
#include "model/debug/advice.h"
#include "model/debug/session.h"
#include "model/state/workgroup.h"

namespace lanewise::debug {
namespace {

// A seeker of findings: a hit is where the checker has new findings, and its reason is their number so far.
class FindingSeeker final : public Seeker {
 public:
  explicit FindingSeeker(const Job& job) : checker_(job), sieve_(job) {}
  std::uint32_t watches() const override { return checker_.watches() | sieve_.watches(); }
  std::optional<Hit> access(const AccessEvent& event) override {
    checker_.access(event);
    sieve_.access(event);
    return grown();
  }
  std::optional<Hit> moment(const Moment& moment) override {
    checker_.moment(moment);
    sieve_.moment(moment);
    return grown();
  }
  const std::vector<RunFinding>& findings() const { return checker_.soFar(); }
  const race::Suspects& suspects() { return sieve_.suspects(); }

 private:
  std::optional<Hit> grown() {
    if (checker_.soFar().size() == known_) return {};
    known_ = checker_.soFar().size();
    Hit hit;
    hit.reason = static_cast<std::uint32_t>(known_);
    return hit;
  }
  FindingsObserver checker_;
  race::Sieve sieve_;
  std::size_t known_ = 0;
};

// The same for races.
class RaceSeeker final : public Seeker {
 public:
  RaceSeeker(const Job& job, const race::Suspects& only) : checker_(job, &only) {}
  std::uint32_t watches() const override { return checker_.watches(); }
  std::optional<Hit> access(const AccessEvent& event) override {
    checker_.access(event);
    if (checker_.races().size() == known_) return {};
    Hit hit;
    hit.reason = static_cast<std::uint32_t>(known_ = checker_.races().size());
    return hit;
  }
  std::optional<Hit> moment(const Moment& moment) override {
    checker_.moment(moment);
    return {};
  }
  const race::RaceChecker& checker() const { return checker_; }

 private:
  race::RaceChecker checker_;
  std::size_t known_ = 0;
};

// Behind all that runs.
constexpr Time kEnd{~0u, 0, 0};

TimedFinding::Access firstOf(const Job& job, const race::Segment& segment, const race::Race& r) {
  const race::Party& p = r.first;
  const Program::LanePlace at = segment.program(p.dispatch).placeOf(p.lane);
  TimedFinding::Access out{
      {p.dispatch, workgroupAt(p.workgroup, job.dispatches[p.dispatch].groups), at.batch, at.lane}, p.pc, {}, p.reads, p.writes};
  Region& region = out.region;
  region.who = out.who;
  region.resource = r.resource;
  region.begin = r.offset;
  region.end = r.offset + std::max<std::uint64_t>(1, r.before.size());
  region.place = r.in == race::kWorkgroupMemory ? Place::kWorkgroup : r.in == race::kImageMemory ? Place::kImage : Place::kBuffer;
  return out;
}

}  // namespace

std::optional<std::pair<std::uint32_t, Time>> Session::nextFinding(bool forward) {
  if (stopsAtFindings.empty() || !findings()) return {};
  std::optional<std::pair<std::uint32_t, Time>> best;
  for (std::uint32_t i = 0; i < findings_->size(); ++i) {
    const Time t = (*findings_)[i].time;
    if (!stopsAtFindings.contains((*findings_)[i].finding.kind)) continue;
    const bool isAhead = forward ? t > time() : t < time() || atEnd();
    if (isAhead && (!best || (forward ? t < best->second : t > best->second))) best = {i, t};
  }
  return best;
}

Expected<const std::vector<TimedFinding>*> Session::findings() {
  if (findings_) return &*findings_;
  FindingSeeker seeker(job_);
  const Expected<std::vector<Hit>> hits = line_.every(seeker);
  if (!hits) return hits.error();
  if (line_.interrupted()) return Error{Outcome::kInterrupted, "the search for findings was stopped", "", ""};
  findings_.emplace();
  for (const Hit& hit : *hits)
    while (findings_->size() < hit.reason) findings_->push_back({seeker.findings()[findings_->size()], hit.time, {}});
  Status failed;
  if (seeker.suspects().any()) failed = addRaces(*findings_, seeker.suspects());
  if (!failed && checks_ && !isChanged()) failed = addChecks(*findings_);
  if (!failed) return &*findings_;
  findings_.reset();
  return *failed;
}

Status Session::addRaces(std::vector<TimedFinding>& known, const race::Suspects& suspects) {
  RaceSeeker races(job_, suspects);
  const Expected<std::vector<Hit>> found = line_.every(races);
  if (!found) return found.error();
  if (line_.interrupted()) return Error{Outcome::kInterrupted, "the search for races was stopped", "", ""};
  const race::Segment& segment = races.checker().segment();
  std::size_t told = 0;
  for (const Hit& hit : *found)
    for (; told < hit.reason; ++told) {
      const race::Race& r = races.checker().races()[told];
      known.push_back({race::findingOf(job_, segment, r), hit.time, firstOf(job_, segment, r)});
    }
  return {};
}

// What is known already is only told better: a read of unwritten memory then says where its value goes.
Status Session::addChecks(std::vector<TimedFinding>& known) {
  const std::size_t first = known.size();
  std::vector<Stopper> stoppers;
  std::vector<std::uint8_t> seen;
  for (RunFinding& f : checks_()) {
    const auto before = std::span(known).first(first);
    const auto same = std::ranges::find_if(before, [&](const TimedFinding& k) {
      return k.finding.kind == f.kind && k.finding.dispatch == f.dispatch && sameLine(k.finding.at, f.at);
    });
    if (same != before.end()) {
      if (f.kind == FindingKind::kUninitialised) same->finding.other = f.other;
      continue;
    }
    const auto number = static_cast<std::uint32_t>(known.size() - first);
    seen.push_back(0);
    known.push_back({f, kEnd, {}});
    const std::optional<Who> who = whoOf({f.invocation[0], f.invocation[1], f.invocation[2]}, f.dispatch);
    if (says(f.kind, finding::kEndless) || f.at.empty() || !who) continue;
    const Program& p = line_.execution().programOf(f.dispatch);
    Stopper stopper;
    stopper.number = number;
    stopper.only = who;
    for (std::uint32_t pc = 0; pc < p.info.size(); ++pc)
      if (p.instructionPlace(pc).word == f.at.word) stopper.at[&p].insert(pc);
    stopper.counts = [&seen, number] { return std::exchange(seen[number], std::uint8_t{1}) == 0; };
    stoppers.push_back(std::move(stopper));
  }
  if (stoppers.empty()) return {};
  StopSeeker seeker(std::move(stoppers), {});
  const Expected<std::vector<Hit>> hits = line_.every(seeker);
  if (!hits) return hits.error();
  if (line_.interrupted()) return Error{Outcome::kInterrupted, "the search for findings was stopped", "", ""};
  for (const Hit& hit : *hits) known[first + hit.reason].time = hit.time;
  return {};
}

Expected<Stop> Session::toFinding(std::uint32_t index) {
  const auto all = findings();
  if (!all) return all.error();
  if (index >= (*all)->size())
    return Error{Outcome::kBadInput, fmt::format("there is no finding {}", index + 1), "", textOf(Advice::kFindings)};
  const TimedFinding& f = (**all)[index];
  if (Status bad = line_.goTo(f.time)) return *bad;
  focus_ = {f.finding.invocation[0], f.finding.invocation[1], f.finding.invocation[2]};
  return settle({Why::kFinding, index, {}, {}});
}

Expected<Stop> Session::toOther(std::uint32_t index) {
  const auto all = findings();
  if (!all) return all.error();
  if (index >= (*all)->size() || !(**all)[index].first) return Error{Outcome::kBadInput, "this is no race", "", textOf(Advice::kFindings)};
  const TimedFinding::Access& first = *(**all)[index].first;
  Stopper s;
  s.region = first.region;
  s.onRead = first.reads;
  s.onWrite = first.writes;
  s.only = first.who;
  s.condition = [pc = first.pc](const LaneState&, std::uint32_t at) { return at == pc; };
  if (Status bad = line_.goTo((**all)[index].time)) return *bad;
  // Of one instruction both may be lanes.
  std::vector<Stopper> one;
  one.push_back(std::move(s));
  StopSeeker own(std::move(one), first.who);
  Time behind = line_.time();
  ++behind.step;
  if (Status bad = line_.goTo(behind)) return *bad;
  Expected<std::optional<Hit>> hit = line_.backward(own, {});
  if (!hit) return hit.error();
  if (line_.interrupted()) return settle(arrived(Why::kInterrupted));
  if (!*hit) return toFinding(index);
  return settle({Why::kOther, index, **hit, {}});
}

}  // namespace lanewise::debug
