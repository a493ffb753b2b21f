#include "tools/check/reduce_finding.h"

#include <algorithm>
#include <utility>

namespace lanewise {
namespace {

using What = CheckFinding::What;

Error notReduced(const std::string& why) {
  return {Outcome::kBadInput, "the module cannot be made smaller", why, "--reduce takes findings, races and results that differ"};
}

class Showing {
 public:
  Showing(const CheckJob& job, const CheckFinding& finding, const CheckWay& way, const CheckWay& other)
      : job_(job), finding_(finding), way_(way), other_(other), ends_(!runIn(way, job.job).error) {}

  // Whether a module that shows it in few steps does so with more: its run ends, and it is not the steps that decide who runs.
  bool needsNoMore() const {
    const auto isPlain = [](const CheckWay& w) {
      return !w.model || (!w.model->schedule.switches() && w.model->schedule.progress == Schedule::Progress::kNone);
    };
    return ends_ && isPlain(way_) && isPlain(other_);
  }
  // Whether what needs all steps takes long, so that it is asked once, of what is left.
  bool takesAllSteps() const { return finding_.what == What::kError || finding_.finding.kind == FindingKind::kStepLimit; }

  // A loop without an end ends after so many steps of an invocation.
  void setMaxSteps(std::uint64_t steps) { maxSteps_ = steps; }

  bool operator()(const ShaderModule& module) const {
    return isShown(module, maxSteps_) && (needsNoMore() || takesAllSteps() || isShown(module, job_.job.limits.maxSteps));
  }

 private:
  bool isShown(const ShaderModule& module, std::uint64_t steps) const {
    Job job = job_.job;
    job.limits.maxSteps = steps;
    const auto shared = std::make_shared<const ShaderModule>(module);
    for (Dispatch& d : job.dispatches) d.module = shared;
    const bool two = finding_.what == What::kDependence;
    const RunResult with = two ? runIn(other_, job) : RunResult();
    if (with.error) return false;  // before a device does not come to an end
    const RunResult run = runIn(way_, job);
    if (ends_ && run.error) return false;
    switch (finding_.what) {
      case What::kReported:
        return std::ranges::any_of(run.findings, [this](const RunFinding& f) {
          CheckFinding own = finding_;
          own.finding = f;
          return own.key() == finding_.key() && f.missing == finding_.finding.missing && f.twoStores == finding_.finding.twoStores;
        });
      case What::kDependence:
        return !run.error && !std::ranges::equal(run.outputs, with.outputs, [](const Resource& a, const Resource& b) {
          return std::ranges::equal(a.bytes(), b.bytes());
        });
      default:
        return run.error && run.error->outcome == finding_.outcome;
    }
  }

  const CheckJob& job_;
  const CheckFinding& finding_;
  const CheckWay &way_, &other_;
  bool ends_;  // the module's own run does, without an error
  std::uint64_t maxSteps_ = 0;
};

}  // namespace

Expected<Reduced> reduceFor(const CheckJob& job, const CheckFinding& finding, const std::vector<CheckWay>& ways,
                            const ReduceLimits& limits) {
  const std::vector<Dispatch>& dispatches = job.job.dispatches;
  const auto isOne = [&](const Dispatch& d) { return d.module == dispatches[0].module; };
  if (dispatches.empty() || !std::ranges::all_of(dispatches, isOne)) return notReduced("the job has several modules");
  if (finding.what == What::kWrongResult) return notReduced("of a smaller one nobody knows the right result");
  const auto way = std::ranges::find(ways, finding.way, &CheckWay::name);
  if (way == ways.end()) return notReduced("the finding is of one order, which a smaller one does not have");
  const auto other = std::ranges::find(ways, way->against.empty() ? ways[0].name : way->against, &CheckWay::name);
  Showing showing(job, finding, *way, *other);
  // As few steps as the module itself needs for it.
  std::uint64_t steps = 1 << 6;
  for (showing.setMaxSteps(steps); !showing(*dispatches[0].module); showing.setMaxSteps(steps *= 2)) {
    if (limits.stop && *limits.stop) return notReduced("it was interrupted");
    if (steps >= job.job.limits.maxSteps) return notReduced("the finding did not come again");
  }
  ReduceLimits own = limits;
  own.endless = finding.what == What::kError || says(finding.finding.kind, finding::kEndless);
  Expected<Reduced> reduced = reduceModule(*dispatches[0].module, showing, own);
  if (!reduced || showing.needsNoMore() || !showing.takesAllSteps()) return reduced;
  showing.setMaxSteps(job.job.limits.maxSteps);
  if (showing(reduced->module)) return reduced;
  return notReduced(limits.stop && *limits.stop ? "it was interrupted" : "what is left shows it only where invocations may make few steps");
}

}  // namespace lanewise
