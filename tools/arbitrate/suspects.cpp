#include "tools/arbitrate/suspects.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lanewise {
namespace {

constexpr std::size_t kMostFailing = 40, kMostPassing = 20;  // cases that a change is tried on
constexpr std::size_t kMostLines = 3;                        // that are told
constexpr const char* kNoLine = "unknown line";
constexpr std::size_t kEnough = 4;  // cases that a change has to alter before it decides anything

// All in instructions of lanes, so that the same is tried on every machine.
constexpr std::uint64_t kOfSmallest = 2'000'000;  // a smallest case of more has no suspects
constexpr std::uint64_t kOfStep = 40'000'000;     // each of the four steps of the search
constexpr std::uint64_t kOfCases = kOfStep / 20;  // the cases that are tried, in all
constexpr std::uint64_t kOfStart = 5'000;         // what the start of a run counts, with 1 for each 8 bytes of its resources

struct Mend {
  Altered at;
  const Alteration* by = nullptr;
  std::size_t kept = 0;  // passing cases in which it alters something, and which stay right
  Extent3 invocation{};
};

struct TriedCase {
  JudgedJob of;
  std::uint64_t most = 0;  // instructions of its altered runs
};

struct ChosenCases {
  std::vector<TriedCase> tried;
  std::size_t left = 0;  // too many, or too large
};

std::uint64_t mostAltered(std::uint64_t executed) {
  return executed * 4 + 10'000;
}

std::uint64_t startOf(const Job& job) {
  std::uint64_t out = kOfStart;
  for (const Resource& r : job.resources) out += r.bytes().size() / 8;
  return out;
}

class Search {
 public:
  explicit Search(const SuspectSearch& s) : s_(s) {}

  Suspects run() {
    const Expected<AlterableRun> run = alterableIn(s_.model, s_.smallest.job, kOfSmallest);
    if (!run) return {};
    most_ = mostAltered(run->executed);
    std::vector<Mend> mends = everywhere(*run);
    if (!mends.empty()) {
      failing_ = choose(s_.failing, kMostFailing, kOfCases);
      passing_ = choose(s_.passing, kMostPassing, kOfCases / 2);
      if (failing_.tried.empty() && !s_.failing.empty()) return {};
    }
    begin();
    for (Mend& m : mends)
      if (isUntold(m) && holds(m)) tell(m);
    if (out_.lines.empty()) inOneExecution(*run);
    return std::move(out_);
  }

 private:
  void begin() { left_ = kOfStep; }
  void spend(std::uint64_t instructions) { left_ -= std::min(left_, instructions); }
  bool over() const { return left_ == 0 || out_.lines.size() == kMostLines || (s_.stop != nullptr && *s_.stop); }

  AlteredRun altered(const Job& job, const Mend& m, std::uint64_t most) {
    AlteredRun run = runAltered(s_.model, job, m.at, *m.by, most);
    spend(run.executed + startOf(job));
    return run;
  }
  static bool isRight(const Expectation& expected, AlteredRun& run) {
    if (!run.altered || run.result.error) return false;
    const Expected<Judged> judged = judge(expected, run.result);
    return judged.ok() && !judged->wrong;
  }

  // What makes the smallest case right, the simplest mistake first.
  std::vector<Mend> everywhere(const AlterableRun& run) {
    std::vector<Mend> all, out;
    for (const Alterable& one : run.all)
      for (const Alteration& by : alterations())
        if (one.takes(by)) all.push_back({.at = one.at, .by = &by});
    std::ranges::stable_sort(all, {}, [](const Mend& m) { return m.by->weight; });
    begin();
    for (const Mend& m : all) {
      if (over()) break;
      AlteredRun tried = altered(s_.smallest.job, m, most_);
      if (isRight(s_.smallest.expected, tried)) out.push_back(m);
    }
    return out;
  }

  void inOneExecution(const AlterableRun& run) {
    begin();
    for (const Alterable& one : run.all) {
      Mend m{.at = one.at, .by = &otherWayRound()};
      if (!one.varies || !one.takes(*m.by) || !isUntold(m)) continue;
      for (std::uint64_t e = 0; e < one.executions && !over(); ++e) {
        m.at.execution = e;
        AlteredRun tried = altered(s_.smallest.job, m, most_);
        m.invocation = tried.invocation;
        if (!isRight(s_.smallest.expected, tried)) continue;
        tell(m);
        break;
      }
    }
  }

  // The first ones that run for so many instructions in all.
  ChosenCases choose(const std::vector<Case>& from, std::size_t most, std::uint64_t instructions) {
    ChosenCases out;
    begin();
    for (const Case& c : from) {
      if (over() || out.tried.size() == most || std::uint64_t{c.size.width} * c.size.height > instructions) break;
      Expected<JudgedJob> made = s_.make(c);
      if (!made) continue;
      const Expected<AlterableRun> run = alterableIn(s_.model, made->job, instructions);
      const std::uint64_t counts = startOf(made->job) + (run ? run->executed : instructions);
      spend(counts);
      if (!run || counts > instructions) continue;
      instructions -= counts;
      out.tried.push_back({std::move(*made), mostAltered(run->executed)});
    }
    out.left = from.size() - out.tried.size();
    return out;
  }

  // Tried on all the chosen cases: the failing ones become right, and the others stay so.
  bool holds(Mend& m) {
    for (const TriedCase& c : failing_.tried) {
      if (over()) return false;
      AlteredRun run = altered(c.of.job, m, c.most);
      if (!isRight(c.of.expected, run)) return false;
    }
    for (const TriedCase& c : passing_.tried) {
      if (over()) return false;
      AlteredRun run = altered(c.of.job, m, c.most);
      if (!run.altered) continue;
      if (!isRight(c.of.expected, run)) return false;
      ++m.kept;
    }
    return true;
  }

  struct Suspected {
    std::string line;  // empty: the module says none
    std::string operation;
    bool isMove = false;  // or another step of the model's that the module does not have
  };
  Suspected place(const Mend& m) const {
    const Dispatch& dispatch = s_.smallest.job.dispatches[m.at.dispatch];
    const std::uint32_t size = s_.smallest.job.subgroupSize != 0 ? s_.smallest.job.subgroupSize : s_.model.profile().subgroupSize;
    const Expected<std::shared_ptr<const Program>> program = s_.model.program(dispatch, size);
    if (!program) return {};
    const std::uint32_t pc = m.at.pc;
    const bool isMove = (*program)->codeOf(pc) >= ir::kOwn && !(*program)->accessOf(pc) && !(*program)->imageAccessOf(pc);
    return {(*program)->lineOf(pc), (*program)->opOf(pc), isMove};
  }

  std::string textOf(const Mend& m) const {
    const Suspected at = place(m);
    const std::string line = at.line.empty() ? kNoLine : at.line;
    if (m.at.execution)
      return fmt::format("{}: {}, were it {} once for invocation ({}, {}, {}): the smallest case would be right", line, at.operation,
                         m.by->says, m.invocation.x, m.invocation.y, m.invocation.z);
    std::string out = fmt::format("{}: {}: {} mends the smallest case", line, at.operation, m.by->says);
    if (const std::size_t n = failing_.tried.size(); n != 0) out += fmt::format(" and {} of {} failing ones", n, n);
    if (failing_.left != 0) out += fmt::format(" ({} more not tried)", failing_.left);
    if (m.kept != 0) out += fmt::format(", and keeps right {} of {} passing ones that it alters", m.kept, m.kept);
    return out;
  }

  bool isUntold(const Mend& m) const {
    const Suspected at = place(m);
    return (!at.line.empty() || !at.isMove) && !told_.contains(at.line);
  }

  void tell(const Mend& m) {
    told_.insert(place(m).line);
    if (out_.lines.empty()) out_.mendsAll = !m.at.execution && 1 + failing_.tried.size() + m.kept >= kEnough;
    out_.lines.push_back(textOf(m));
  }

  const SuspectSearch& s_;
  std::uint64_t most_ = 0, left_ = 0;  // instructions of an altered run of the smallest case, and that this step may still run
  ChosenCases failing_, passing_;
  std::set<std::string> told_;
  Suspects out_;
};

}  // namespace

Suspects suspectsOf(const SuspectSearch& search) {
  return Search(search).run();
}

}  // namespace lanewise
