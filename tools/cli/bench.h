// What the two benchmarks share: sides compared with each other, and kernels compared with each other on one device.
#pragma once

#include <vector>

#include "tools/catalogue/catalogue.h"
#include "tools/cli/commands.h"

namespace lanewise {

double median(std::vector<double> values);

// A case of each selected kernel. A kernel that does not have the value of --with is left out, with a note.
struct BenchCases {
  std::vector<Case> cases;
  std::vector<std::string> notes;
};
Expected<BenchCases> benchCases(const BenchOptions& options);

// Checks that every output is right; an Error (finding) otherwise.
Status checkRun(const Case& c, const Expectation& expected, RunResult run, const std::string& side);

// --gpu: runs all cases on each device, one after another, repeatedly.
Expected<Outcome> runBenchGpu(const BenchOptions& options, const BenchCases& cases);

}  // namespace lanewise
