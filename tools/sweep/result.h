// The result of a sweep: one verdict for every case and every side, with the evidence of the differences. Plain values, which reports read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "golden/image/compare.h"
#include "golden/store/hash.h"
#include "model/base/outcome.h"
#include "model/contract/finding.h"
#include "tools/catalogue/kernel.h"
#include "tools/sweep/debug_command.h"
#include "tools/sweep/plan.h"

namespace lanewise {

enum class Verdict : std::uint8_t {
  kNotRun,         // the sweep was interrupted first
  kOk,             // the bytes are as expected, or within the contract's tolerance
  kMismatch,       // the bytes are wrong: diff says where
  kError,          // no bytes: error says why
  kNotApplicable,  // the device cannot have the subgroup size that the case asks for, or lacks what the kernel needs; or the
                   // kernel does not take the picture or the subgroup size
};
const char* verdictName(Verdict verdict);  // "not run", "ok", "mismatch", "error", "not applicable"

// One case on one side.
struct SideResult {
  Verdict verdict = Verdict::kNotRun;
  std::optional<Error> error;                // of kError; of kNotApplicable: the pipeline that was not built in time
  std::size_t output = 0;                    // the first output that differs
  std::shared_ptr<const golden::Diff> diff;  // of that output; most cases have none
  golden::Extent extent;
  std::string channels;                 // its channelLetters
  std::optional<golden::Hash128> hash;  // of all outputs; set for a mismatch
  double seconds = 0;
  std::optional<FindingKind> finding;  // the first of an observed run; not in a report
};

// Cases fail in the same way if these are equal.
struct FailureKind {
  Verdict verdict = Verdict::kMismatch;
  bool undefined = false;              // the first wrong texel looks never written
  std::optional<Outcome> outcome;      // of an error: two errors of one outcome are of one kind
  std::optional<FindingKind> finding;  // the first
  bool operator==(const FailureKind&) const = default;
};
std::optional<FailureKind> failureKind(const SideResult& side);  // nothing if it did not fail

// How the oracle's result compares with the golden store.
enum class GoldenState : std::uint8_t {
  kNotChecked,  // the case never started
  kAgrees,      // the store has the hash of these very bytes
  kOracleOnly,  // the store does not have the case (a user's picture or size): only the oracle judges
  kTrouble,     // missing, stale, edited, or different from the oracle's hash
};

// An exact number as text: "mean saturation", "5/16", "0.312500000".
struct NumberText {
  std::string name, fraction, decimal;
};

struct CaseResult {
  Case what;
  GoldenState golden = GoldenState::kNotChecked;
  std::optional<Error> trouble;     // with the golden
  std::string refused;              // why the kernel does not take the picture or the subgroup size; then no side runs it
  std::vector<NumberText> numbers;  // what the expected outputs say
  std::vector<SideResult> sides;    // in the order of SweepResult::sides
  std::string opens{};              // the command that opens its failure in the debugger; empty: none can, or an arbitration has it

  bool failed() const;
  bool began() const;  // false: interrupted before, so that there is nothing to say of it
};

struct SideInfo {
  std::string name;         // "model", or the device's
  std::string description;  // driver and version; the profile of the model
  std::uint32_t subgroupSize = 0;
  bool isModel = false;  // the model, under any schedule
  // How the debugger runs a case so, if that has no subgroup size of its own. Nothing: it cannot. Not in a report.
  std::optional<DebugWay> debugWay = {};
};

// The images of a failing case: the expected one, and that of each side (empty if it was right or gave none).
struct Evidence {
  std::size_t caseIndex = 0;
  golden::Image input;
  std::vector<golden::Image> expected;
  std::vector<std::vector<golden::Image>> got;
};

// The result of an arbitration of one failing case (tools/arbitrate/arbitrate.h), as text.
struct Arbitration {
  std::size_t caseIndex = 0;
  std::string smallest;  // the smallest failing case's name, and its texelText
  std::string texel;
  std::string shrinking;  // how it was found
  std::string stored;     // who stored the texel: invocation, source line, instruction
  std::string opens;      // the command that opens the smallest case there; empty if nothing stored it
  std::string sliceSummary;
  std::vector<std::string> slice;       // the instructions that went into it, a line each, in the order they ran
  std::vector<std::string> suspects{};  // lines where another value would make the results right
  std::vector<std::string> rulings;     // a line each: "kernel wrong: ..."
  std::vector<std::string> reasons;
  std::string capsule;                              // the file's name inside the report's folder; empty for none
  std::shared_ptr<const struct SweepResult> small;  // the smallest case, run again on all sides; not in a report read from a file
};

struct SweepResult {
  PlanIdentity plan;  // of all parts; cases are those of this part
  Shard shard;
  std::vector<SideInfo> sides;
  std::vector<CaseResult> cases;          // in the order of the plan
  std::vector<Evidence> evidence;         // of the first failing cases, in the same order
  std::vector<Arbitration> arbitrations;  // of the first failing case of each kernel, in the same order
  std::vector<std::string> notes;         // for the reader: what was converted, which side is missing
  std::optional<Error> trouble;           // of the run as a whole: a journal that could not be written
  std::size_t recalled = 0;               // cases taken over from an earlier run
  double seconds = 0;
  bool interrupted = false;

  std::size_t count(Verdict verdict) const;
  // True if no side could run any of the cases: then no failures proves nothing.
  bool nothingRan() const;
  // The same, because no kernel takes the user's pictures or subgroup sizes.
  bool nothingTaken() const;
  // The outcome of the process, by priority: interrupted, bugs of Lanewise, findings, golden, device and file trouble, unsupported, bad
  // input. If nothing ran it is bad input where nothing was taken, else device trouble.
  Outcome outcome() const;
};

// Fills CaseResult::opens, when the arbitrations are done: as the first model that has a case wrong, else against a device that has.
void addOpenings(SweepResult& result);

// Which sides agree in a case: the first thing in every verdict.
enum class Agreement : std::uint8_t {
  kNoneWrong,
  kByOrder,       // the model is right in one order and wrong in another
  kDevices,       // the model and the golden agree, devices do not
  kModel,         // the devices and the golden agree, the model does not
  kAllAlike,      // the model and the devices give the same wrong bytes
  kModelAlone,    // the model is wrong, and no device gave bytes
  kDevicesAlone,  // devices are wrong, and the model gave no bytes
  kAllDiffer,     // anything else
};
Agreement agreementOf(const SweepResult& result, const CaseResult& c);

// The verdict before any arbitration (tools/arbitrate): "kernel wrong: ...", "lavapipe wrong, ...", "model wrong: ...". Empty for a case
// that did not fail by a mismatch.
std::string arbitration(const SweepResult& result, const CaseResult& c);

// "2x1, r=1, clamp, input [255, 0]".
std::string briefText(const Case& c);
// "texel 1: 85 expected, 170 got (channel r)".
std::string texelText(const SideResult& side);

}  // namespace lanewise
