// The text of a wait: where, for which word, and why the invocation that would store it does not run. Pure functions.
#pragma once

#include "model/contract/device.h"
#include "model/exec/part.h"

namespace lanewise {

// A run that a wait has ended, as it was left. The batches are read through `environment`, which is that of the resident that waits.
struct Waiting {
  const Job& job;
  const Environment& environment;
  std::span<const WorkgroupState> residents;
  const Wait& wait;
};

// Whoever stores the word in a run in which everybody makes progress.
struct WaitEnder {
  std::uint64_t workgroup = 0;   // its linear index
  std::uint32_t invocation = 0;  // LocalInvocationIndex
  InstructionPlace at;
};

// Without `other` and `mend`. `word`: one of the wait's; nullptr where it waits for nothing.
RunFinding findingOf(const Waiting& waiting, const WaitedWord* word);
// "invocation 0,0,0 would store it at scan.comp:20, but its workgroup has not started: 1 is resident"
std::string enderText(const Waiting& waiting, const WaitedWord& word, const WaitEnder& ender, bool hasStarted);
// "invocation 1,0,0 stored that at scan.comp:12, and nobody stores another value: it has returned". `by`: who did.
std::string keptText(const Waiting& waiting, const WaitedWord& word, const WaitEnder& by, bool hasStarted);
// The lines of the stores to the variable of a word: "scan.comp:20, scan.comp:31"; empty where there are none.
std::string storesOf(const Program& program, const WaitedWord& word);
// "'flags[3]' (scan.comp:12)"
std::string waitedName(const Waiting& waiting, const WaitedWord& word);

}  // namespace lanewise
