// The modules that mutants are made of: those that the kernels' quick cases or the user's subjects run, with these jobs and their expected
// results, made once for all mutants.
#pragma once

#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "model/model.h"
#include "model/program/lower.h"
#include "tools/selftest/ranges.h"
#include "tools/subject/subject.h"

namespace lanewise {

// Cases up to this cost are observed.
constexpr std::uint64_t kObservedCost = 30'000;

// The step limit of one invocation, unless a subject has its own. The longest of the quick cases takes about 100 000.
inline constexpr std::uint64_t kSelftestSteps = 500'000;

// A quick case or a subject of the user, and its expected result.
struct Ready {
  Subject subject;
  std::optional<Expectation> expected{};  // none: the unchanged module's outputs are right
  std::vector<Resource> unchanged{};      // these
  std::uint64_t cost = 0;                 // words of input and output, times what each invocation reads; of a user's subject 0
  std::set<std::string> findings{};       // of the unchanged kernel, if it is observed, as kindsFound names them

  // The job with a module instead of the one of the same name.
  Job job(const std::shared_ptr<const ShaderModule>& changed) const;
  // How the outputs are wrong; empty if they are not.
  std::string wrong(RunResult& run) const;
};

using Programs = std::vector<std::shared_ptr<const Program>>;

// A module as one dispatch lowers it, with values in registers.
struct LoweredModule {
  spirv::Module module;
  Lowered lowered;
};

// A specialization that a case uses: the cheapest such case, and the programs of all its dispatches. For those that run the module, also
// the lowered form and the possible values.
struct Specialization {
  std::size_t example = 0;  // in TestedModule::cases
  Programs programs;
  Programs unwatched;  // the same as runs have them that nobody watches
  std::vector<std::unique_ptr<const LoweredModule>> lowered;
  std::vector<Ranges> ranges;  // parallel to lowered
};

struct TestedModule {
  std::shared_ptr<const ShaderModule> module;
  std::vector<std::shared_ptr<const Ready>> cases;  // the cases that run it, the cheapest first
  std::vector<Specialization> specializations;
  std::vector<std::size_t> specializationOf;  // by case
  std::vector<std::uint32_t> blockOf;         // by instruction (executed.h)
  std::vector<std::vector<bool>> executed;    // by case and block

  // By case: whether it executes the block of an instruction.
  std::vector<bool> executing(std::uint32_t instruction) const;
};

// The modules of kernels that are not known to be broken, with their quick cases, and of the user's subjects, by name. An Error if the
// unchanged module of one of these subjects does not pass, or kInterrupted once `stop` is set.
Expected<std::vector<TestedModule>> testedModules(const std::vector<const Kernel*>& kernels, std::span<const Subject> subjects = {},
                                                  const std::atomic<bool>* stop = nullptr);

// All dispatches of a job, decoded; empty if that fails.
Programs decoded(Model& model, const Job& job, ir::Flavour flavour);
// The dispatches that run a module, lowered; nullptr if that fails.
std::vector<std::unique_ptr<const LoweredModule>> lowered(const Job& job, const std::string& module);

// The kind, source line, instruction and object of each finding, without the workgroup, the texel and the count.
std::set<std::string> kindsFound(const RunResult& run);

}  // namespace lanewise
