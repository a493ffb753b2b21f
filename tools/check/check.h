// `lanewise check`: runs a subject in several ways (ways.h) and gives one verdict.
//
// A subject is a job, or the jobs of a kernel's quick set. The first way is the model in order, observed: it looks for findings and races.
// Each other way changes one thing. Its findings are added. If its bytes differ, the result depends on what it changes. For a job without a
// judge that is a finding, except for choices that Vulkan leaves to devices, which are only reported. A job with a judge (a golden, the
// bounds of a float kernel) is wrong if the judge says so. Equal findings of several runs are reported once.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/check/line_coverage.h"
#include "model/contract/device.h"
#include "model/model.h"
#include "tools/check/certificate.h"
#include "tools/check/ways.h"
#include "tools/sweep/sweep.h"

namespace lanewise {

struct WrongResult {
  std::string says;
  std::string at;  // the resource and the place in it, as the debugger's `writer` takes them
};

struct CheckJob {
  std::string name;   // "box-blur/double/naive @ 3x3 radius=1", or a module's file
  std::string group;  // its findings are reported under this name: the kernel's name, or the same
  Job job;
  // The judge: says what is wrong with the outputs, if the expected ones are known.
  std::function<Expected<std::optional<WrongResult>>(const Job&, RunResult&)> judge{};
  // Why a device of this profile is left out; empty if it is not.
  std::function<std::string(const Profile&)> cannotRunOn{};
};

struct CheckFinding {
  enum class What : std::uint8_t { kReported, kWrongResult, kDependence, kError };
  What what{};
  RunFinding finding{};   // kReported
  bool alsoLoads{};       // a race of two stores of one line, which has a race with another access too
  Error error{};          // kError
  Axis axis{};            // kDependence: what the bytes depend on
  std::string says{};     // one line
  std::string group{};    // CheckJob::group
  std::string subject{};  // the first job that shows it
  std::size_t job = 0;    // ... its number
  std::string way{};      // ... and how
  DebugWay run{};         // how the debugger runs it so
  std::string against{};  // kDependence: what the debugger compares it with: besides() of ways.h
  std::string at{};       // kWrongResult, kDependence: as WrongResult::at
  std::string opens{};    // the command that opens it in the debugger; empty if none can
  std::uint64_t count = 1;
  std::string accepted{};               // the reason, if it is accepted
  Outcome outcome = Outcome::kFinding;  // or that of the error that ended a run

  // findingName, "wrong result", "depends on the schedule", or the outcome's name.
  std::string kind() const;
  // Identifies the finding from run to run: "data race scan.comp:19 partial against scan.comp:17". Ends with ", two stores" if `alsoLoads`.
  std::string key() const;
};

// What a job's bytes depend on.
struct Dependence {
  std::string text;       // the first example
  std::string way{};      // in which way the bytes are others
  bool isParted = false;  // the text says where the runs part
  std::size_t job = 0;    // the job's number
};

// A smaller module that was written, and shows the first finding.
struct ReducedTo {
  std::string file;
  std::size_t before = 0, after = 0;  // instructions
  std::uint64_t tried = 0;            // modules
  bool finished = false;
};

struct CheckResult {
  std::vector<CheckFinding> findings;  // by line; those without one at the end
  std::vector<std::string> unmatched;  // keys of accepted findings that no longer occur
  std::map<Axis, Dependence> depends;
  std::vector<std::string> ways;              // the names of those in which something ran, in order; observed ones end with '*'
  std::set<std::string> ran;                  // their names
  std::map<Axis, std::size_t> tried;          // by what they changed: runs
  std::set<Axis> failed;                      // what one changed that ended with an error
  std::map<std::string, std::string> unable;  // ways that could not run a job, and why the first could not
  std::vector<std::string> leftOut;           // jobs that gave an error in the first way, and were not run in others
  // Jobs that wait for ever in the first way, and were only interleaved besides; and in which ways they ended.
  std::map<std::string, std::vector<std::string>> waiting;
  std::size_t large = 0;            // jobs that were too large for the slow ways
  std::uint64_t forgottenUses = 0;  // RunResult::forgottenUses
  Refereed refereed{};              // RunResult::refereed
  std::size_t orderFree = 0;        // jobs of which one run proves that no order changes their bytes
  std::size_t spared = 0;           // ... so that they were not run in other orders
  Certificate certificate{};        // what running every order proved
  std::size_t beyond = 0;           // cases of a set that the profile cannot run
  std::string whyBeyond;            // ... and why the first cannot
  std::size_t jobs = 0, runs = 0, unsupported = 0;
  std::optional<LineCoverage> coverage;        // of the lines, by the runs that were asked about it
  std::vector<std::string> unread;             // what of its inputs a job never read
  std::size_t cut = 0;                         // how many of these runs did not come to their end
  bool lcovAsked = false;                      // for the lines as a file
  std::vector<std::string> deviceFaults;       // that are known of the devices used
  std::map<std::string, std::size_t> excused;  // by device: jobs for which it gave other bytes by one of them
  std::optional<ReducedTo> reduced;
  std::string notReduced;  // why there is none, if one was asked for
  double seconds = 0;
  Schedule::Progress progress = {};  // CheckModel::progress
  std::size_t inBaseline = 0;        // findings that are left out because the baseline has them
  bool interrupted = false;
  bool reducingInterrupted = false;  // the rest is whole
  // kInterrupted; else the most severe of: the outcomes that are not accepted, kFinding if an accepted finding no longer occurs, and
  // kUnsupported if nothing could run.
  Outcome outcome() const;
};

// What one run of a job executed and read, up to its end or to an error that is a finding.
struct JobCoverage {
  LineCoverage lines;
  std::vector<std::string> unread;  // only if it came to its end
  bool ended = true;
};
// `ends`: it is known to come to its end; else it makes fewer steps.
Expected<JobCoverage> coverageOf(Model& model, const Job& job, bool ends = true);

struct CheckLimits {
  const std::atomic<bool>* stop = nullptr;  // set from outside: start nothing new, and leave out a run that ended so
  Progress* progress = nullptr;             // in runs
  std::size_t mostBytes = 0;  // of many jobs: larger resources are not run in slow ways, nor what no order changes in others; 0: one job
  Explore explore = {};       // of each job whose order the first run does not prove, and in which nothing was found but that bytes depend
  bool coverage = false;      // each job, but large ones, is run once more: coverageOf()
};

// What merges the results of many jobs (merge.cpp). Of equal findings the first is kept.
CheckResult merged(std::vector<CheckResult> parts);
// The key of a race, whether the two store equal values or not: that makes no other race of a line.
std::string raceKey(CheckFinding race);
// Of the two races of a line with itself, that of its stores goes if the same mends both. Else it gets a key of its own.
void tellOnce(std::vector<CheckFinding>& findings);
// What mends the races that are told first (tell_mends.cpp). Both of a line are tried, or neither, since it decides whether both are told.
void tellMends(CheckResult& result, const std::function<Expected<CheckJob>(std::size_t)>& makeJob, const std::vector<CheckWay>& ways,
               const CheckLimits& limits);

// `makeJob(i)` gives each of `count` jobs, from several threads at once. Jobs run on all cores.
CheckResult runCheck(std::size_t count, const std::function<Expected<CheckJob>(std::size_t)>& makeJob, const std::vector<CheckWay>& ways,
                     const CheckLimits& limits = {});

// Lines "KEY # reason". Empty lines and lines that start with '#' are ignored. A line without a reason is bad input.
Status acceptFindings(CheckResult& result, const std::string& file, const std::string& text);
// `text` is an earlier result of checkJson: its findings are left out. Anything else is bad input.
Status leaveOutKnown(CheckResult& result, const std::string& file, const std::string& text);

// The verdict in about ten lines.
std::string checkText(const CheckResult& result, const std::string& subject);
std::string checkJson(const CheckResult& result, const std::string& subject);
// What SARIF says of the program. `homepage`: an address; may be empty.
struct SarifTool {
  std::string version, homepage{};
};
// SARIF 2.1.0, by OASIS.
std::string checkSarif(const CheckResult& result, const SarifTool& tool);
std::string checkJunit(const CheckResult& result, const std::string& subject);

}  // namespace lanewise
