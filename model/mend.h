// What mends a data race: the smallest change of the module that is found by trying.
//
// A race of one workgroup: a barrier, where all invocations of the workgroup come (uniform_flow.h). Of two, or where a barrier stands
// already: scopes, classes and fences at the atomics and barriers that the module has, and `coherent` (mend_edges.h). Of updates such as
// `count += 1`: one atomic (patch/atomic_update.h). Each is made (patch/order_edit.h) and run in the schedules
// below. A change mends the race if none of them shows it then, and none shows an error or a finding that was not there before. Of several
// changes at once each one is needed: without it the race is back. Promise: nothing is told that has not been tried. Gaps: changes that are
// none of these; what mends a race in these runs may not mend it for other inputs. Jobs of more than kMostGroups workgroups are not tried.
#pragma once

#include <string>

#include "model/mend_runs.h"

namespace lanewise {

inline constexpr std::uint64_t kMostGroups = 1024;

// `race`: a finding of the job that `runs` has, under `options.profile` and `options.schedule`. What to say for `race.mend`: "no barrier of
// the workgroup orders them: put barrier() before scan.comp:19 (tried: this mends it)". If nothing that was tried mends it, it says so.
std::string mendText(MendRuns& runs, const RunFinding& race, const ModelOptions& options);

// Each takes some runs of its job.
inline constexpr std::size_t kMostMends = 8;

// A model that looks for findings, and says what mends the first races.
class MendingModel final : public Device {
 public:
  explicit MendingModel(ModelOptions options);
  const Profile& profile() const override { return model_->profile(); }
  RunResult run(const Job& job) override;
  const Model& model() const { return *model_; }

 private:
  ModelOptions options_;
  std::unique_ptr<Model> model_;
};

}  // namespace lanewise
