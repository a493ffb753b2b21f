#include "tools/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include "model/base/parallel_for.h"
#include "tools/sweep/keep.h"

namespace lanewise {
namespace {

using Clock = std::chrono::steady_clock;

// What a case needs before any side can run it. The first side makes it, and it is dropped after the last.
struct Prepared {
  std::once_flag once;
  golden::Image input;
  Expectation expected;
  std::optional<Error> error;  // without an input or an oracle's result
  std::atomic<std::size_t> sidesLeft{0};
};

// Why a side does not run a case; empty if it does.
std::string whyNot(const CaseResult& c, const Side& side) {
  if (!c.refused.empty()) return c.refused;
  std::string why = side.leavesOut ? side.leavesOut(c.what) : "";
  return why.empty() ? cannotRun(c.what, side.device->profile()) : why;
}

std::size_t bytesOf(std::span<const golden::Image> images) {
  std::size_t bytes = 0;
  for (const golden::Image& image : images) bytes += image.bytes.size();
  return bytes;
}

// The evidence of the first failing cases by number: as many as fit both limits, and at least one. The choice does not depend on the order
// in which they arrive: once a case had to be dropped, no later one is taken.
class EvidenceBox {
 public:
  EvidenceBox(const SweepOptions& options, std::size_t sides) : options_(options), sides_(sides) {}

  void add(std::size_t caseIndex, std::size_t side, const Prepared& from, std::vector<golden::Image> got) {
    const std::lock_guard lock(mutex_);
    if (caseIndex >= end_) return;
    Evidence& entry = kept_[caseIndex];
    if (entry.got.empty()) {
      entry = {caseIndex, from.input, from.expected.images, std::vector<std::vector<golden::Image>>(sides_)};
      bytes_ += from.input.bytes.size() + bytesOf(from.expected.images);
    }
    bytes_ += bytesOf(got);
    entry.got[side] = std::move(got);
    while (kept_.size() > 1 && (kept_.size() > options_.evidenceCases || bytes_ > options_.evidenceBytes)) dropLast();
  }

  std::vector<Evidence> take() {
    std::vector<Evidence> all;
    for (auto& [index, evidence] : kept_) all.push_back(std::move(evidence));
    return all;
  }

 private:
  void dropLast() {
    const auto last = std::prev(kept_.end());
    bytes_ -= last->second.input.bytes.size() + bytesOf(last->second.expected);
    for (const auto& images : last->second.got) bytes_ -= bytesOf(images);
    end_ = last->first;
    kept_.erase(last);
  }

  const SweepOptions& options_;
  const std::size_t sides_;
  std::mutex mutex_;
  std::map<std::size_t, Evidence> kept_;
  std::size_t bytes_ = 0;
  std::size_t end_ = static_cast<std::size_t>(-1);  // no case from here on is taken
};

class Sweep {
 public:
  Sweep(SweepPlan plan, std::span<const Side> sides, const Inputs& inputs, const SweepOptions& options)
      : sides_(sides), inputs_(inputs), options_(options), prepared_(plan.cases.size()), evidence_(options, sides.size()) {
    std::vector<Case>& cases = plan.cases;
    result_.plan = plan.identity;
    result_.shard = plan.shard;
    for (const Side& side : sides) result_.sides.push_back(side.info);
    result_.notes = inputs.notes();
    for (const Case& c : cases)
      for (std::string& note : inputs.notesOn(c))
        if (std::ranges::find(result_.notes, note) == result_.notes.end()) result_.notes.push_back(std::move(note));
    result_.cases.resize(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      result_.cases[i].what = std::move(cases[i]);
      result_.cases[i].sides.resize(sides.size());
      prepared_[i].sidesLeft = sides.size();
    }
    if (options.progress != nullptr) options.progress->total = cases.size() * sides.size();
    if (options.journal != nullptr) recall(*options.journal);
  }

  SweepResult run() {
    const auto begin = Clock::now();
    std::vector<std::thread> queues;
    std::vector<std::atomic<std::size_t>> next(sides_.size());  // the first case that no queue of this side has taken
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      if (sides_[s].parallel) continue;
      queues.emplace_back([this, s, &next] { runQueue(s, *sides_[s].device, next[s]); });
      for (Device* twin : sides_[s].twins) queues.emplace_back([this, s, twin, &next] { runQueue(s, *twin, next[s]); });
    }
    for (std::size_t s = 0; s < sides_.size(); ++s)
      if (sides_[s].parallel) parallelFor(result_.cases.size(), [this, s](std::size_t i) { runOne(i, s, *sides_[s].device); });
    for (std::thread& queue : queues) queue.join();
    result_.evidence = evidence_.take();
    if (options_.keep) keepAllSides();
    noteRefused();
    noteUnbuilt();
    noteIdleSides();
    result_.interrupted = result_.count(Verdict::kNotRun) != 0;
    result_.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return std::move(result_);
  }

 private:
  // Takes over the results of an earlier run.
  void recall(const Journal& journal) {
    std::size_t& known = result_.recalled;
    for (CaseResult& c : result_.cases) known += journal.recall(c) ? 1 : 0;
    if (known != 0) result_.notes.push_back(fmt::format("{} of the cases were run before and taken over from the journal", known));
    if (options_.progress == nullptr) return;
    options_.progress->done = options_.progress->recalled = known * sides_.size();
  }

  // Runs the cases of all kernels of one module at a time.
  void runQueue(std::size_t s, Device& device, std::atomic<std::size_t>& next) {
    const auto& cases = result_.cases;
    for (;;) {
      std::size_t begin = next, end = 0;
      do {
        if (begin >= cases.size()) return;
        for (end = begin; end < cases.size() && cases[end].what.kernel->module == cases[begin].what.kernel->module;) ++end;
      } while (!next.compare_exchange_weak(begin, end));
      for (std::size_t i = begin; i < end; ++i) runOne(i, s, device);
    }
  }

  void runOne(std::size_t index, std::size_t s, Device& device) {
    if (options_.stop != nullptr && *options_.stop) return;
    CaseResult& c = result_.cases[index];
    if (c.sides[s].verdict != Verdict::kNotRun) return;
    Prepared& prepared = prepared_[index];
    std::call_once(prepared.once, [&] { prepare(c, prepared); });
    SideResult& side = c.sides[s];
    side = judge(c, index, s, device, prepared);
    if (side.error && side.error->outcome == Outcome::kInterrupted) {
      side = {};  // it did not run to its end
      return;
    }
    const bool failed = side.verdict == Verdict::kMismatch || side.verdict == Verdict::kError;
    if (prepared.sidesLeft.fetch_sub(1) == 1) finish(c, prepared);
    if (options_.progress == nullptr) return;
    ++options_.progress->done;
    if (failed) ++options_.progress->failed;
  }

  // Called when all sides have run a case.
  void finish(const CaseResult& c, Prepared& prepared) {
    prepared.input = {};
    prepared.expected = {};
    if (options_.journal == nullptr) return;
    note(options_.journal->add(c));
  }

  // Trouble with files of the run is no failure of a case.
  void note(const Status& trouble) {
    if (!trouble) return;
    const std::lock_guard lock(mutex_);
    if (!result_.trouble) result_.trouble = trouble;
  }

  void keep(const Case& c, std::string_view side, std::span<const golden::Image> images) {
    if (options_.keep) note(keepImages(*options_.keep, c, side, images));
  }

  // What each side did in the cases that were kept.
  void keepAllSides() {
    for (const CaseResult& c : result_.cases) {
      std::string lines;
      for (std::size_t s = 0; s < sides_.size(); ++s) {
        const SideResult& side = c.sides[s];
        std::string why = side.error ? side.error->text() : texelText(side);
        if (side.verdict == Verdict::kNotApplicable && !side.error) why = whyNot(c, sides_[s]);
        lines += fmt::format("{}: {}{}{}\n", sides_[s].info.name, verdictName(side.verdict), why.empty() ? "" : ": ", why);
      }
      note(keepSides(*options_.keep, c.what, lines));
    }
  }

  // A line for each kernel and reason.
  void noteRefused() {
    std::set<std::string> told;
    for (const CaseResult& c : result_.cases)
      if (!c.refused.empty())
        told.insert(fmt::format("not applicable: {}{}: {}", c.what.kernel->name,
                                c.what.picture().empty() ? "" : " with " + c.what.picture(), c.refused));
    result_.notes.insert(result_.notes.end(), told.begin(), told.end());
  }

  // What a device did not build: a line for each pipeline.
  void noteUnbuilt() {
    std::map<std::string, std::size_t> cases;
    for (const CaseResult& c : result_.cases)
      for (const SideResult& side : c.sides)
        if (side.verdict == Verdict::kNotApplicable && side.error) ++cases[side.error->text()];
    for (const auto& [error, count] : cases)
      result_.notes.push_back(fmt::format("{}: {}: {} case{} left out there; --timeout gives it longer",
                                          outcomeName(Outcome::kDeviceTrouble), error, count, count == 1 ? "" : "s"));
  }

  // A side that could run none of the cases has proved nothing, and the report says so.
  void noteIdleSides() {
    for (std::size_t s = 0; s < sides_.size(); ++s) {
      const auto idle = [s](const CaseResult& c) { return c.sides[s].verdict == Verdict::kNotApplicable; };
      if (result_.cases.empty() || !std::all_of(result_.cases.begin(), result_.cases.end(), idle)) continue;
      result_.notes.push_back(fmt::format("{} ran nothing: {}", sides_[s].info.name, whyNot(result_.cases[0], sides_[s])));
    }
  }

  // The input and the expectation, or why there is none.
  Status makeBoth(const Case& c, Prepared& prepared) const {
    if (Status bad = c.picture().empty() ? Status{} : outsideDomain(c)) return bad;
    Expected<golden::Image> input = inputs_.make(c);
    if (!input) return input.error();
    prepared.input = std::move(*input);
    Expected<Expectation> expected = expectationOf(c, prepared.input);
    if (!expected) return expected.error();
    prepared.expected = std::move(*expected);
    return {};
  }

  void prepare(CaseResult& c, Prepared& prepared) {
    prepared.error = makeBoth(c.what, prepared);
    // A generated input fits, so there this is a bug; not every picture does.
    if (prepared.error && prepared.error->outcome == Outcome::kBadInput && !c.what.picture().empty()) c.refused = prepared.error->text();
    if (c.refused.empty() && c.what.subgroupSize != 0) c.refused = wrongSubgroup(*c.what.kernel, c.what.subgroupSize);
    if (prepared.error || !c.refused.empty()) return;
    checkGolden(c, prepared.expected.images);
    if (c.what.kernel->numbers != nullptr)
      for (const golden::ExactNumber& n : c.what.kernel->numbers(c.what, prepared.expected.images))
        c.numbers.push_back({n.name, n.fraction(), n.decimal()});
    keep(c.what, "input", {&prepared.input, 1});
    keep(c.what, prepared.expected.high.empty() ? "expected" : "least", prepared.expected.images);
    if (!prepared.expected.high.empty()) keep(c.what, "greatest", prepared.expected.high);
  }

  void checkGolden(CaseResult& c, std::span<const golden::Image> expected) const {
    c.golden = GoldenState::kOracleOnly;
    const std::string key = c.what.goldenKey();
    if (options_.store == nullptr || !c.what.kernel->exact() || !options_.storedKeys.contains(key)) return;
    const Expected<golden::Hash128> stored = options_.store->lookup(key, c.what.kernel->provenance());
    if (stored && *stored == golden::hashOutputs(expected)) {
      c.golden = GoldenState::kAgrees;
      return;
    }
    c.golden = GoldenState::kTrouble;
    c.trouble = stored ? Error{Outcome::kGoldenTrouble, "the stored golden is not what the oracle computes", key,
                               "`lanewise golden diff` shows the line; `lanewise golden approve` rewrites the store from the oracle"}
                       : stored.error();
  }

  SideResult judge(const CaseResult& of, std::size_t index, std::size_t s, Device& device, const Prepared& prepared) {
    const Case& c = of.what;
    SideResult result;
    if (!whyNot(of, sides_[s]).empty()) {
      result.verdict = Verdict::kNotApplicable;
      return result;
    }
    if (prepared.error) {
      result.verdict = Verdict::kError;
      result.error = prepared.error;
      return result;
    }
    const auto module = options_.module ? options_.module : kernelModule(*c.kernel);
    Job job = c.kernel->plan(c, module, prepared.input);
    if (options_.timeout > 0) job.limits.timeoutSeconds = options_.timeout;
    // A description that has no such case gives no job, and says why if it is asked.
    RunResult run;
    if (job.resources.empty()) run.error = outsideDomain(c);
    if (!run.error) run = device.run(job);
    result.seconds = run.seconds;
    if (run.error && sides_[s].unbuilt)
      if (std::optional<Error> slow = sides_[s].unbuilt(job)) {
        result.verdict = Verdict::kNotApplicable;
        result.error = std::move(slow);
        return result;
      }
    result.verdict = Verdict::kError;
    result.error = std::move(run.error);
    if (result.error) return result;
    Expected<Judged> judged = lanewise::judge(prepared.expected, run);
    if (!judged) {
      result.error = judged.error();
      return result;
    }
    result.verdict = judged->wrong ? Verdict::kMismatch : Verdict::kOk;
    if (!run.findings.empty()) result.finding = run.findings[0].kind;
    if (judged->wrong) describe(*judged, result);
    keep(c, sides_[s].info.name, judged->got);
    if (result.verdict == Verdict::kMismatch) evidence_.add(index, s, prepared, std::move(judged->got));
    if (result.verdict == Verdict::kOk && !run.findings.empty()) {
      result.verdict = Verdict::kError;
      const std::size_t more = run.findings.size() - 1;
      result.error = Error{Outcome::kFinding, run.findings[0].text(), "",
                           more ? fmt::format("and {} more finding{}", more, more == 1 ? "" : "s") : ""};
    }
    return result;
  }

  static void describe(Judged& judged, SideResult& result) {
    const golden::Image& image = judged.got[judged.wrong->output];
    result.output = judged.wrong->output;
    result.extent = image.extent;
    result.channels = golden::channelLetters(image);
    result.diff = std::make_shared<const golden::Diff>(std::move(judged.wrong->diff));
    result.hash = golden::hashOutputs(judged.got);
  }

  std::span<const Side> sides_;
  const Inputs& inputs_;
  const SweepOptions& options_;
  SweepResult result_;
  std::mutex mutex_;  // of result_.trouble
  std::vector<Prepared> prepared_;
  EvidenceBox evidence_;
};

}  // namespace

SweepResult runSweep(SweepPlan plan, std::span<const Side> sides, const Inputs& inputs, const SweepOptions& options) {
  return Sweep(std::move(plan), sides, inputs, options).run();
}

}  // namespace lanewise
