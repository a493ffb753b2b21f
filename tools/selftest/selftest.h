// The self-test: runs every mutant of every module with the quick cases of its kernels until one fails.
//
// A mutant is killed by a case whose result is wrong, or whose run ends in an error or the step limit; and, where the bytes stay right in
// order, by other schedules (lanes apart, workgroups in other orders) and by what the observed engine finds that it does not find of the
// unchanged kernel. What survives needs a row of reasons_*.cpp; without one it is a hole in the quick set.
//
// The kill rate leaves out what is not a wrong kernel: mutants that are not valid SPIR-V or decode to the program of the unchanged module,
// and those that a row proves to give the same result (kSameResult). Mutants that need a race checker are counted apart.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "tools/catalogue/catalogue.h"
#include "tools/selftest/mutants.h"

namespace lanewise {

enum class Fate : std::uint8_t {
  kKilled,
  kSurvived,          // open: no reason is given
  kExplained,         // a wrong kernel that no quick case shows, and a row says why not
  kNeedsRaceChecker,  // a wrong kernel on a device whose memory is weaker than the model's
  kSameResult,        // a row says why no run can tell it from the kernel
  kEquivalent,        // decodes to the very program of the unchanged module
  kInvalid,           // no valid SPIR-V
  kUnsupported,       // the model cannot say
  kNotRun,            // interrupted first
};
const char* fateName(Fate fate);

struct MutantResult {
  std::string module, rule, place, source, change;  // as in Mutant
  Fate fate = Fate::kNotRun;
  std::string by;                       // the case that killed it
  std::string way;                      // the schedule, where it was not the ordinary run; "findings" where a finding did
  std::string why;                      // how it showed; or why it survived
  std::uint32_t cases = 0;              // that were run
  std::optional<std::size_t> reason{};  // of reasons(), where one explains it
};

struct SelftestOptions {
  std::vector<const Kernel*> kernels;
  std::vector<std::string> rules;     // none: all
  std::uint32_t part = 1, parts = 1;  // every parts-th mutant, from number `part` on
  const std::atomic<bool>* stop = nullptr;
  std::atomic<std::size_t>* done = nullptr;
};

struct SelftestResult {
  std::vector<MutantResult> mutants;  // module by module, in the order of their instructions
  double seconds = 0;
  bool interrupted = false;

  std::size_t count(Fate fate) const;
  // Wrong kernels: all of them, and those that the model can show to be wrong.
  std::size_t wrong() const { return visible() + count(Fate::kNeedsRaceChecker); }
  std::size_t visible() const { return count(Fate::kKilled) + count(Fate::kSurvived) + count(Fate::kExplained); }
};

Expected<SelftestResult> runSelftest(const SelftestOptions& options);

// Sets fate and reason of a survivor from the table (reasons.h), where there is a row.
void explainSurvivor(MutantResult& mutant);

}  // namespace lanewise
