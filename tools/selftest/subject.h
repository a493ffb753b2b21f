// What mutants are tried on: the modules that the kernels' quick cases run, with those cases and their answers, made once for all mutants.
#pragma once

#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "model/model.h"
#include "tools/catalogue/catalogue.h"

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

struct Subject {
  std::shared_ptr<const ShaderModule> module;
  std::vector<std::shared_ptr<const Ready>> cases;                // that run it, the cheapest first
  std::vector<std::pair<std::size_t, Programs>> specializations;  // for each that a case asks for: the cheapest case, its programs
};

// Of kernels that are not known to be broken, by module name.
Expected<std::vector<Subject>> subjectsOf(const std::vector<const Kernel*>& kernels);

// All dispatches of a job decoded; empty where that fails.
Programs decoded(Model& model, const Job& job);

// Kind, place in the source, instruction and object of each finding: not the workgroup, the texel or how often.
std::set<std::string> findingNames(const RunResult& run);

}  // namespace lanewise
