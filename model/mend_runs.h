// What the runs of a job and of its changes show, for all races of the job: each change runs once in a schedule.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"
#include "model/patch/order_edit.h"

namespace lanewise {

// What tells findings apart, in whichever order a run meets the two of a race. A change moves words, and no lines.
std::string mendKey(const RunFinding& f);

struct JobChange {
  std::uint32_t dispatch = 0;    // whose module, and that of all others that run it, is changed
  bool barrier = false;          // before the dispatch
  std::vector<OrderEdit> edits;  // ascending
  friend auto operator<=>(const JobChange&, const JobChange&) = default;
};

// Thread safety: several threads may ask at once. Who asks for a run that another one makes waits for it.
class MendRuns {
 public:
  explicit MendRuns(Job job) : job_(std::move(job)) {}
  const Job& job() const { return job_; }
  // The model that runs it: one for each profile, by name, and schedule.
  Model& model(const ModelOptions& options);
  // The keys of what a run finds. Nothing: it ended with an error. `module`: of the changed dispatch.
  const std::optional<std::set<std::string>>& found(const ModelOptions& options, const spirv::Module& module, const JobChange& change);

 private:
  struct Found {
    std::once_flag once;
    std::optional<std::set<std::string>> keys;
  };
  struct OfModel {
    std::unique_ptr<Model> model;
    std::map<JobChange, Found> found;
  };
  OfModel& of(const ModelOptions& options);

  const Job job_;
  std::mutex mutex_;
  std::map<std::string, OfModel> models_;
};

}  // namespace lanewise
