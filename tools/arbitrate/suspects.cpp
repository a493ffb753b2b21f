#include "tools/arbitrate/suspects.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace lanewise {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostCases = 40;   // failing ones that a change is tried on, and half as many passing ones
constexpr std::size_t kMostLines = 3;    // that are told
constexpr std::size_t kMostMends = 400;  // changes that make the smallest case right
constexpr std::size_t kEnough = 4;       // cases that a change has to hold in before it decides anything
constexpr std::uint64_t kMostSteps = 2'000'000;

struct Mend {
  Altered at;
  const Alteration* by = nullptr;
  std::size_t mended = 0, broken = 0;  // of the other cases that were tried
  Extent3 invocation;
};

class Search {
 public:
  explicit Search(const SuspectSearch& s)
      : s_(s), end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s.seconds))) {}

  Suspects run() {
    const Expected<AlterableRun> run = alterableIn(s_.model, s_.smallest.job, kMostSteps);
    if (!run) return {};
    most_ = run->executed * 4 + 10'000;
    everywhere(*run);
    makeCases();
    for (Mend& m : mends_) tryOnCases(m);
    std::ranges::stable_sort(mends_, [](const Mend& a, const Mend& b) {
      return std::tuple(b.mended, a.broken, a.by->weight) < std::tuple(a.mended, b.broken, b.by->weight);
    });
    if (!mends_.empty() && isWhole(mends_.front())) return told();
    mends_.clear();
    inOneExecution(*run);
    return told();
  }

 private:
  bool over() const { return Clock::now() >= end_ || (s_.stop != nullptr && *s_.stop); }
  bool isWhole(const Mend& m) const { return m.mended == failing_.size() && m.broken == 0; }

  bool isRight(const JudgedJob& of, const Mend& m, Extent3* invocation = nullptr) {
    Expected<RunResult> run = runAltered(s_.model, of.job, m.at, *m.by, kMostSteps, invocation);
    return run.ok() && isRightRun(of, *run);
  }
  static bool isRightRun(const JudgedJob& of, RunResult& run) {
    const Expected<Judged> judged = judge(of.expected, run);
    return judged.ok() && !judged->wrong;
  }

  void everywhere(const AlterableRun& run) {
    for (const Alterable& one : run.all)
      for (const Alteration& by : alterations()) {
        if (over() || mends_.size() >= kMostMends) return;
        Mend m;
        m.at = one.at, m.by = &by;
        Expected<RunResult> altered = runAltered(s_.model, s_.smallest.job, m.at, by, most_);
        if (altered && isRightRun(s_.smallest, *altered)) mends_.push_back(m);
      }
  }

  void inOneExecution(const AlterableRun& run) {
    const auto flip = std::ranges::find(alterations(), std::string_view("the other way round"), &Alteration::says);
    for (const Alterable& one : run.all) {
      if (!one.decides || !one.varies) continue;
      for (std::uint64_t e = 0; e < one.executions; ++e) {
        if (over()) return;
        Mend m;
        m.at = one.at, m.by = &*flip;
        m.at.execution = e;
        Expected<RunResult> altered = runAltered(s_.model, s_.smallest.job, m.at, *m.by, most_, &m.invocation);
        if (!altered || !isRightRun(s_.smallest, *altered)) continue;
        mends_.push_back(m);
        break;
      }
    }
  }

  void makeCases() {
    if (mends_.empty()) return;
    const auto make = [&](const std::vector<Case>& from, std::size_t most, std::vector<JudgedJob>& into) {
      for (std::size_t i = 0; i < from.size() && into.size() < most && !over(); ++i)
        if (Expected<JudgedJob> made = s_.make(from[i])) into.push_back(std::move(*made));
    };
    make(s_.failing, kMostCases, failing_);
    make(s_.passing, kMostCases / 2, passing_);
  }

  void tryOnCases(Mend& m) {
    for (const JudgedJob& of : failing_) {
      if (over() || !isRight(of, m)) break;
      ++m.mended;
    }
    if (m.mended != failing_.size()) return;
    // Where nothing is altered the case stays as it is.
    for (const JudgedJob& of : passing_) {
      if (over()) return;
      Expected<RunResult> run = runAltered(s_.model, of.job, m.at, *m.by, kMostSteps);
      if (run ? !isRightRun(of, *run) : run.error().what != "nothing was altered") ++m.broken;
    }
  }

  std::string placeOf(const Mend& m) const {
    const Dispatch& dispatch = s_.smallest.job.dispatches[m.at.dispatch];
    const std::uint32_t size = s_.smallest.job.subgroupSize != 0 ? s_.smallest.job.subgroupSize : s_.model.profile().subgroupSize;
    const Expected<std::shared_ptr<const Program>> program = s_.model.program(dispatch, size);
    if (!program) return {};
    std::string line = (*program)->lineOf(m.at.pc);
    if (line.starts_with("./")) line.erase(0, 2);
    return fmt::format("{}: {}", line.empty() ? "unknown line" : line, (*program)->opOf(m.at.pc));
  }

  std::string textOf(const Mend& m) const {
    const std::string place = placeOf(m);
    if (m.at.execution)
      return fmt::format("{}, were it {} for invocation ({}, {}, {}): the smallest case would be right", place, m.by->says, m.invocation.x,
                         m.invocation.y, m.invocation.z);
    const std::string others = passing_.empty() ? "" : fmt::format(", and {} that pass stay right", passing_.size());
    const bool all = s_.failing.size() == failing_.size();
    return fmt::format("{}: {} makes {} {} failing cases right{}", place, m.by->says, all ? "all" : "the smallest", failing_.size() + 1,
                       others);
  }

  Suspects told() const {
    Suspects out;
    std::set<std::string> lines;
    for (const Mend& m : mends_) {
      if (!m.at.execution && !isWhole(m)) continue;
      if (out.lines.size() == kMostLines) break;
      const std::string place = placeOf(m);
      if (!lines.insert(place.substr(0, place.rfind(": "))).second) continue;
      const bool enough = failing_.size() + passing_.size() + 1 >= kEnough;
      out.mendsAll = out.mendsAll || (!m.at.execution && enough);
      out.lines.push_back(textOf(m));
    }
    return out;
  }

  const SuspectSearch& s_;
  const Clock::time_point end_;
  std::uint64_t most_ = 0;
  std::vector<Mend> mends_;
  std::vector<JudgedJob> failing_, passing_;
};

}  // namespace

Suspects suspectsOf(const SuspectSearch& search) {
  return Search(search).run();
}

}  // namespace lanewise
