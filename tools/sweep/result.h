// What a sweep found out: for every case and every side one verdict, with the evidence of what differs. Plain values; reports read them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "golden/image/compare.h"
#include "golden/store/hash.h"
#include "model/base/outcome.h"
#include "tools/catalogue/kernel.h"
#include "tools/sweep/plan.h"

namespace lanewise {

enum class Verdict : std::uint8_t {
  kNotRun,         // the sweep was interrupted first
  kOk,             // the bytes are the expected ones, or within the contract's tolerance
  kMismatch,       // they are not: diff says where
  kError,          // no bytes: error says why
  kNotApplicable,  // the device cannot have the subgroup size that the case asks for, or lacks what the kernel needs
};
const char* verdictName(Verdict verdict);  // "not run", "ok", "mismatch", "error", "not applicable"

// One case on one side.
struct SideResult {
  Verdict verdict = Verdict::kNotRun;
  std::optional<Error> error;
  std::size_t output = 0;                    // the first output that differs
  std::shared_ptr<const golden::Diff> diff;  // of that output, whose shape follows; most cases have none
  golden::Extent extent;
  std::uint32_t channels = 1;
  std::optional<golden::Hash128> hash;  // of all outputs; set for a mismatch
  double seconds = 0;
};

// How the oracle's answer stands to the golden store.
enum class GoldenState : std::uint8_t {
  kNotChecked,  // the case never started
  kAgrees,      // the store has the hash of these very bytes
  kOracleOnly,  // the case is not one that the store holds (a picture, a size of the user's): the oracle alone judges
  kTrouble,     // missing, stale, edited, or another hash than the oracle gives
};

struct CaseResult {
  Case what;
  GoldenState golden = GoldenState::kNotChecked;
  std::optional<Error> trouble;   // the golden's, or a file's that was to be kept
  std::vector<SideResult> sides;  // in the order of SweepResult::sides

  bool failed() const;
};

struct SideInfo {
  std::string name;         // "model", or the device's
  std::string description;  // driver and version; the profile of the model
  std::uint32_t subgroupSize = 0;
  bool isModel = false;  // the model, under any schedule
};

// The images of a failing case: what was expected, and what each side made of it (empty where it matched or made nothing).
struct Evidence {
  std::size_t caseIndex = 0;
  golden::Image input;
  std::vector<golden::Image> expected;
  std::vector<std::vector<golden::Image>> got;
};

// What an arbitration found out about one failing case (tools/arbitrate/arbitrate.h), as text.
struct Finding {
  std::size_t caseIndex = 0;
  std::string smallest;  // the smallest failing case's name, and its texelText
  std::string texel;
  std::string shrinking;  // how it was found
  std::string stored;     // who stored the texel: invocation, source line, instruction
  std::string opens;      // the command that opens the smallest case there; empty where nothing stored it
  std::string sliceSummary;
  std::vector<std::string> slice;    // the instructions that went into it, a line each, in the order they ran
  std::vector<std::string> rulings;  // a line each: "kernel wrong: ..."
  std::vector<std::string> reasons;
  std::string capsule;                              // the file's name inside the report's folder; empty for none
  std::shared_ptr<const struct SweepResult> small;  // the smallest failing case, run again on all sides; none in a report that was read
};

struct SweepResult {
  PlanIdentity plan;  // of all parts; cases are those of this part
  Shard shard;
  std::vector<SideInfo> sides;
  std::vector<CaseResult> cases;   // in the order of the plan
  std::vector<Evidence> evidence;  // of the first failing cases, in the same order
  std::vector<Finding> findings;   // of the first failing case of each kernel, in the same order
  std::vector<std::string> notes;  // what the reader should know: what was converted, which side is missing
  std::optional<Error> trouble;    // of the run as a whole: a journal that could not be written
  std::size_t recalled = 0;        // cases taken over from an earlier run
  double seconds = 0;
  bool interrupted = false;

  std::size_t count(Verdict verdict) const;
  // No side could run any of the cases: that nothing failed says nothing.
  bool nothingRan() const;
  // The process's outcome: interrupted, then our own bugs, then findings, golden, device and file trouble, unsupported, bad input; device
  // trouble too where nothing ran.
  Outcome outcome() const;
};

// Who agrees with whom in a case: what every verdict on it begins with.
enum class Standing : std::uint8_t {
  kNoneWrong,
  kByOrder,       // the model is right in one order and wrong in another
  kDevices,       // the model and the golden agree, devices do not
  kModel,         // the devices and the golden agree, the model does not
  kAllAlike,      // the model and the devices give the same wrong bytes
  kModelAlone,    // the model is wrong, and no device gave bytes
  kDevicesAlone,  // devices are wrong, and the model gave no bytes
  kAllDiffer,     // anything else
};
Standing standingOf(const SweepResult& result, const CaseResult& c);

// As a verdict, before anything is looked into (tools/arbitrate does): "kernel wrong: ...", "lavapipe wrong, ...", "model wrong: ...".
// Empty for a case that did not fail by a mismatch.
std::string arbitration(const SweepResult& result, const CaseResult& c);

// "2x1, r=1, clamp, input [255, 0]".
std::string briefText(const Case& c);
// "texel 1: 85 expected, 170 got (channel r)".
std::string texelText(const SideResult& side);

}  // namespace lanewise
