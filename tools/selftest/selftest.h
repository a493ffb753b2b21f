// The validator validated: every mutant of every module through the quick cases of its kernels until one fails.
//
// A mutant is killed by a case whose result is wrong or whose run ends in a finding or the step limit. What survives is classified: never
// run (no quick case executes the changed instruction), explained (a row of survivors.cpp says why no case can tell), or open: a hole in
// the quick set. Equivalent mutants (the same decoded program) and those that are no valid SPIR-V or that the model does not support are
// not counted.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "tools/catalogue/catalogue.h"
#include "tools/selftest/mutants.h"

namespace lanewise {

enum class Fate : std::uint8_t {
  kKilled,
  kSurvived,     // open: nobody has said why
  kExplained,    // survived, and survivors.cpp says why that is right
  kEquivalent,   // decodes to the very program of the unchanged module
  kInvalid,      // no valid SPIR-V
  kUnsupported,  // the model cannot say
  kNotRun,       // interrupted first
};
const char* fateName(Fate fate);

struct MutantResult {
  std::string module, rule, place, change;
  Fate fate = Fate::kNotRun;
  std::string by;           // the case that killed it
  std::string why;          // how it showed; or why it survived
  std::uint32_t cases = 0;  // that were run
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
  std::size_t counted() const { return count(Fate::kKilled) + count(Fate::kSurvived) + count(Fate::kExplained); }
};

// The mutants that the options choose, without their words: for a count before anything runs.
Expected<SelftestResult> runSelftest(const SelftestOptions& options);

// Why a survivor is right, from the table; empty where there is no row.
std::string survivorReason(const MutantResult& mutant);

}  // namespace lanewise
