// One job in both flavours of its programs.
#pragma once

#include <fmt/format.h>

#include "model/model.h"

namespace lanewise {

// What a run shows of itself: bytes, lines, its error, and how many steps each lane had made where it returned or its batch faulted.
struct FlavourRun {
  std::vector<std::vector<std::byte>> outputs;
  std::vector<std::string> lines;
  std::string error;
  std::vector<std::string> steps;
};

class StepCounts final : public Observer {
 public:
  std::uint32_t watches() const override { return watch::kStrand | watch::kFault; }
  Answer moment(const Moment& moment) override {
    std::visit(Cases{[this](const LanesReturn& e) { count(e.batch, e.pc, e.lanes); },
                     [this](const Faulted& e) { count(e.batch, e.pc, e.lanes); }, [](const auto&) {}},
               moment);
    return Answer::kGoOn;
  }
  std::vector<std::string> counts;

 private:
  void count(const Batch& b, std::uint32_t pc, LaneMask lanes) {
    const Environment& e = *b.env;
    for (std::uint32_t lane = 0; lane < b.width; ++lane)
      if (lanes.test(lane))
        counts.push_back(fmt::format("dispatch {}, workgroup {},{},{}, batch {}, lane {}: {} steps", e.dispatch, e.group.x, e.group.y,
                                     e.group.z, b.index, lane, stepsAt(b, pc, lane)));
  }
};

inline FlavourRun flavourRun(std::span<const Printed> printed, const Status& error, std::span<const Resource> outputs) {
  FlavourRun out;
  for (const Printed& p : printed) out.lines.push_back(fmt::format("{} {} {}: {}", p.invocation.x, p.invocation.y, p.invocation.z, p.text));
  if (error) out.error = error->text();
  for (const Resource& r : outputs) out.outputs.push_back(r.bytes());
  return out;
}

inline FlavourRun runIn(const ModelOptions& options, const Job& job, ir::Flavour flavour) {
  Model model(options);
  Expected<Execution> execution = model.start(job, flavour);
  if (!execution) return flavourRun({}, execution.error(), {});
  StepCounts steps;
  const Status error = execution->run(steps);
  FlavourRun out = flavourRun(execution->printed().lines, error, error ? std::vector<Resource>{} : execution->takeOutputs());
  out.steps = std::move(steps.counts);
  return out;
}

// The first thing that differs between `a` and `b`; empty if nothing does. Steps only where both were counted.
inline std::string firstDifference(const FlavourRun& a, const FlavourRun& b) {
  const auto lists = [](const char* what, const std::vector<std::string>& x, const std::vector<std::string>& y) -> std::string {
    for (std::size_t i = 0; i < std::max(x.size(), y.size()); ++i)
      if (i >= x.size() || i >= y.size() || x[i] != y[i])
        return fmt::format("{} {}: '{}' and '{}'", what, i, i < x.size() ? x[i] : "none", i < y.size() ? y[i] : "none");
    return {};
  };
  // Where variables are in lane memory, or nobody looks, an endless loop is not always proved to be one (exec/wait_watch.h).
  const auto says = [](const FlavourRun& run, const char* text) { return run.error.find(text) != std::string::npos; };
  if ((says(a, "goes round for ever") || says(a, ": endless loop")) && says(b, "step limit")) return {};
  if (a.error != b.error) return fmt::format("error '{}' and '{}'", a.error, b.error);
  if (std::string d = lists("line", a.lines, b.lines); !d.empty()) return d;
  if (a.outputs.size() != b.outputs.size()) return "the number of outputs";
  for (std::size_t r = 0; r < a.outputs.size(); ++r) {
    const auto at = std::ranges::mismatch(a.outputs[r], b.outputs[r]);
    if (at.in1 != a.outputs[r].end() || at.in2 != b.outputs[r].end())
      return fmt::format("output {}, byte {}", r, at.in1 - a.outputs[r].begin());
  }
  if (a.steps.empty() || b.steps.empty()) return {};
  return lists("count", a.steps, b.steps);
}

// How the run that nobody watches, by the interpreter and by compiled code, the quick one and the faithful one differ; empty if they do
// not.
inline std::string differenceOfFlavours(const ModelOptions& options, const Job& job) {
  const FlavourRun quick = runIn(options, job, ir::Flavour::kQuick), faithful = runIn(options, job, ir::Flavour::kFaithful);
  if (std::string d = firstDifference(quick, faithful); !d.empty()) return "quick and faithful: " + d;
  const RunResult fast = Model(options).run(job);
  if (std::string d = firstDifference(flavourRun(fast.printed, fast.error, fast.outputs), faithful); !d.empty())
    return "unwatched and faithful: " + d;
  ModelOptions compiled = options;
  compiled.tier = Tier::kCompiled;
  compiled.parallel.allowed = false;
  const RunResult native = Model(compiled).run(job);
  if (std::string d = firstDifference(flavourRun(native.printed, native.error, native.outputs), faithful); !d.empty())
    return "compiled and faithful: " + d;
  return {};
}

}  // namespace lanewise
