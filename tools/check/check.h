// `lanewise check`: runs a subject in several ways (ways.h), and gives one verdict.
//
// A subject is a job, or the jobs of a kernel's quick set. The first way is the model in order, observed: findings and races. The others
// change one thing each. What they find is added. Where their bytes differ, the result depends on what they change: for a job without a
// judge that is a finding, except for what Vulkan lets devices choose, which is only reported. A job with a judge (a golden, the bounds of
// a float kernel) is wrong where the judge says so. Equal findings of several runs are one.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/contract/device.h"
#include "tools/check/ways.h"
#include "tools/sweep/sweep.h"

namespace lanewise {

struct CheckJob {
  std::string name;   // "box-blur/double/naive @ 3x3 radius=1", or a module's file
  std::string group;  // what its findings are told of together: the kernel's name, or the same
  Job job;
  // What is wrong with the outputs, where it is known what they must be.
  std::function<Expected<std::optional<std::string>>(RunResult&)> judge{};
};

struct CheckFinding {
  RunFinding finding;   // of a wrong result, a difference or an error: empty
  std::string kind;     // findingName, "wrong result", "depends on ...", an outcome's name
  std::string says;     // one line
  std::string group;    // CheckJob::group
  std::string subject;  // the first job that shows it
  std::string way;      // ... and how
  std::uint64_t count = 1;
  std::string accepted;                 // the reason, where it is accepted
  Outcome outcome = Outcome::kFinding;  // ... or the error's that ended a run

  // What stays the same from run to run: "data race scan.comp:19 partial against scan.comp:17".
  std::string key() const;
};

struct CheckResult {
  std::vector<CheckFinding> findings;         // by line; those without one at the end
  std::vector<std::string> unmatched;         // keys of accepted findings that no longer occur
  std::map<Axis, std::string> depends;        // what changed the bytes of a job, and its first example
  std::vector<std::string> ways;              // their names, in order; observed ones end with '*'
  std::set<Axis> tried;                       // what at least one run changed
  std::map<std::string, std::string> unable;  // ways that could not run a job, and why the first could not
  std::vector<std::string> leftOut;           // jobs that gave an error in the first way, and were tried in no other
  std::size_t large = 0;                      // jobs that were too large for the slow ways
  std::uint64_t forgottenUses = 0;            // RunResult::forgottenUses
  std::size_t beyond = 0;                     // cases of a set that the profile cannot run, and are no jobs
  std::string whyBeyond;                      // ... and why the first cannot
  std::size_t jobs = 0, runs = 0, unsupported = 0;
  double seconds = 0;
  bool interrupted = false;
  // kInterrupted; else the gravest of what is not accepted, of kFinding where an accepted finding no longer occurs, and of kUnsupported
  // where nothing could run.
  Outcome outcome() const;
};

struct CheckLimits {
  const std::atomic<bool>* stop = nullptr;  // set from outside: finish what runs, start nothing new
  Progress* progress = nullptr;             // in runs
  std::size_t mostBytes = 0;                // jobs whose resources hold more are not run in slow ways; 0: all are
};

// `makeJob(i)` gives each of `count` jobs, from several threads at once. Jobs run on all cores.
CheckResult runCheck(std::size_t count, const std::function<Expected<CheckJob>(std::size_t)>& makeJob, const std::vector<CheckWay>& ways,
                     const CheckLimits& limits = {});

// Lines "KEY # reason"; empty lines and lines that start with '#' say nothing. A line without a reason is bad input.
Status acceptFindings(CheckResult& result, const std::string& file, const std::string& text);
// `text` is what checkJson once gave: findings that stand there are left out. Anything else is bad input.
Status leaveOutKnown(CheckResult& result, const std::string& file, const std::string& text);

// About ten lines. `opens` gives the command that opens a finding, or nothing.
std::string checkText(
    const CheckResult& result, const std::string& subject,
    const std::function<std::string(const CheckFinding&)>& opens = [](const CheckFinding&) { return std::string(); });
std::string checkJson(const CheckResult& result, const std::string& subject);
// SARIF 2.1.0, by OASIS.
std::string checkSarif(const CheckResult& result, const std::string& version);
std::string checkJunit(const CheckResult& result, const std::string& subject);

}  // namespace lanewise
