// The self-test: runs every mutant of every module with the quick cases of its kernels until one fails. A subject of the user is such a
// case too. Where nothing says what its outputs have to be, they are those of the unchanged module.
//
// A case kills a mutant if its result is wrong, or its run ends in an error or at the step limit. If the bytes are right in order, the
// mutant is run under other schedules (lanes apart, workgroups in other orders), and with observation: a finding that the unchanged kernel
// does not have kills it too. A survivor needs a row of reasons_*.cpp; without one it is a gap in the quick set.
//
// The kill rate leaves out what is not a wrong kernel: mutants that are not valid SPIR-V or decode to the program of the unchanged module,
// and those that a row proves to give the same result (kSameResult).
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "tools/selftest/mutants.h"
#include "tools/subject/subject.h"
#include "tools/sweep/sweep.h"

namespace lanewise {

enum class Fate : std::uint8_t {
  kKilled,
  kSurvived,     // open: no reason is given
  kExplained,    // a wrong kernel that no quick case shows, and a row says why not
  kSameResult,   // a row says why every run gives the kernel's result
  kEquivalent,   // decodes to the program of the unchanged module
  kInvalid,      // not valid SPIR-V
  kUnsupported,  // the model cannot run it
  kNotRun,       // the self-test was interrupted before
};
const char* fateName(Fate fate);

struct MutantResult {
  std::string module, rule;  // as in Mutant
  InstructionPlace place;
  std::string source, change;
  Fate fate = Fate::kNotRun;
  std::string by;                       // the case that killed it
  std::string way;                      // the schedule if it was not the ordinary run, or "findings"
  std::string why;                      // how the error showed, or why it survived
  std::uint32_t cases = 0;              // how many were run
  std::optional<std::size_t> reason{};  // index in reasons(), if one explains it
  bool byFinding = false;               // killed by one
};

struct SelftestOptions {
  std::vector<const Kernel*> kernels;
  std::vector<KernelRef> held{};  // those of the kernels that are described in files
  std::vector<Subject> subjects{};
  std::vector<std::string> rules{};   // empty: all
  std::uint32_t part = 1, parts = 1;  // every parts-th mutant, from number `part` on
  const std::atomic<bool>* stop = nullptr;
  Progress* progress = nullptr;  // in mutants; those that survived without a reason have failed
};

struct SelftestResult {
  std::vector<MutantResult> mutants;  // module by module, in the order of their instructions
  double seconds = 0;
  bool interrupted = false;

  std::size_t count(Fate fate) const;
  // The number of wrong kernels.
  std::size_t wrong() const { return count(Fate::kKilled) + count(Fate::kSurvived) + count(Fate::kExplained); }
};

// No mutant at all is an Error, but in one of several parts. So is an interrupt before the first.
Expected<SelftestResult> runSelftest(const SelftestOptions& options);

// Sets the fate and reason of a survivor from the table (reasons.h), if there is a row. `quick`: all quick cases were run; otherwise only
// the rows for every module apply.
void explainSurvivor(MutantResult& mutant, bool quick);

}  // namespace lanewise
