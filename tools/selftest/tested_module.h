// What mutants are tried on: the modules that the kernels' quick cases run, with those cases and their answers, made once for all mutants.
#pragma once

#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "model/model.h"
#include "model/program/lower.h"
#include "tools/catalogue/catalogue.h"
#include "tools/selftest/ranges.h"

namespace lanewise {

// Cases up to this cost are observed.
constexpr std::uint64_t kObservedCost = 30'000;

// A quick case, its input and its answer.
struct Ready {
  Case what;
  golden::Image input;
  Expectation expected;
  std::uint64_t cost = 0;          // words of input and output, times what each invocation reads
  std::set<std::string> findings;  // of the unchanged kernel, if it is observed, as findingNames names them

  // The case's job with a module in the place of the one of its name.
  Job job(const std::shared_ptr<const ShaderModule>& changed) const;
};

using Programs = std::vector<std::shared_ptr<const Program>>;

// A module as one dispatch lowers it, with its values in registers.
struct LoweredModule {
  spirv::Module module;
  Lowered lowered;
};

// A specialization that a case asks for: the cheapest such case, the programs of all its dispatches, and of those that run the module the
// lowered form with what its values can be.
struct Specialization {
  std::size_t example = 0;  // in TestedModule::cases
  Programs programs;
  std::vector<std::unique_ptr<const LoweredModule>> lowered;
  std::vector<Ranges> ranges;  // parallel to lowered
};

struct TestedModule {
  std::shared_ptr<const ShaderModule> module;
  std::vector<std::shared_ptr<const Ready>> cases;  // that run it, the cheapest first
  std::vector<Specialization> specializations;
};

// Of kernels that are not known to be broken, by module name.
Expected<std::vector<TestedModule>> testedModules(const std::vector<const Kernel*>& kernels);

// All dispatches of a job decoded; empty where that fails.
Programs decoded(Model& model, const Job& job);
// Those that run a module, lowered; nullptr where that fails.
std::vector<std::unique_ptr<const LoweredModule>> lowered(const Job& job, const std::string& module);

// Kind, place in the source, instruction and object of each finding: not the workgroup, the texel or how often.
std::set<std::string> findingNames(const RunResult& run);

}  // namespace lanewise
