#include "model/mend_runs.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace lanewise {

std::string mendKey(const RunFinding& f) {
  const auto line = [](const InstructionPlace& at) { return at.line != 0 ? at.text() : std::string(); };
  const auto [first, second] = std::minmax({line(f.at), line(f.otherAt)});
  const bool isRace = f.missing != MissingOrder::kNone;
  return fmt::format("{} {} {} {}", isRace ? "race" : findingName(f.kind), first, second, f.object.variable);
}

MendRuns::OfModel& MendRuns::of(const ModelOptions& options) {
  const std::scoped_lock lock(mutex_);
  OfModel& own = models_[fmt::format("{} {}", options.profile.name, options.schedule.token())];
  if (!own.model) {
    ModelOptions watched = options;
    watched.findings = true;
    watched.isValid = nullptr;
    own.model = makeModel(std::move(watched));
  }
  return own;
}

Model& MendRuns::model(const ModelOptions& options) {
  return *of(options).model;
}

const std::optional<std::set<std::string>>& MendRuns::found(const ModelOptions& options, const spirv::Module& module,
                                                            const JobChange& change) {
  OfModel& own = of(options);
  mutex_.lock();
  Found& found = own.found[change];
  mutex_.unlock();
  std::call_once(found.once, [&] {
    Job job = job_;
    job.dispatches[change.dispatch].barrierBefore |= change.barrier;
    if (!change.edits.empty()) {
      const auto changed = std::make_shared<const ShaderModule>(withOrder(module, change.edits));
      for (Dispatch& d : job.dispatches)
        if (d.module == job_.dispatches[change.dispatch].module) d.module = changed;
    }
    // Else the thread might take up another race meanwhile, and wait for itself.
    const RunResult run = tbb::this_task_arena::isolate([&] { return own.model->run(job); });
    if (run.error) return;
    found.keys.emplace();
    for (const RunFinding& f : run.findings) found.keys->insert(mendKey(f));
  });
  return found.keys;
}

}  // namespace lanewise
