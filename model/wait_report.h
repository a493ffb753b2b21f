// What a wait that ended a run is told as: where it is, for which word, who would store that and why it does not run, and under which
// models of progress it ends.
//
// The last two are found by running the job again, from its beginning: under each model of progress (contract/schedule.h), and then with
// lanes that run alone. Promise: nothing is told that such a run has not shown. Gap: another order of the same model may wait where this
// one ends.
#pragma once

#include <functional>

#include "model/exec/execution.h"

namespace lanewise {

// What became of a run from the beginning, under another schedule, that the observer watched.
struct Rerun {
  bool started = false;
  Status error;
  bool waits = false;  // provably
};
using Reruns = std::function<Rerun(const Job& job, const Schedule& schedule, Observer& observer)>;

// `ended`: a run of the job that ended with a wait (Execution::wait()), or at the step limit with one that is not proved. For the latter it
// only says what the wait may be for.
RunFinding waitReport(const Job& job, Execution& ended, const Schedule& schedule, const Reruns& rerun);

}  // namespace lanewise
