// What the two ways of measuring share: sides against one another, and kernels against one another on one device.
#pragma once

#include <vector>

#include "tools/catalogue/catalogue.h"
#include "tools/cli/commands.h"

namespace lanewise {

double median(std::vector<double> values);

// A case of each selected kernel. A kernel that has not the value that --with names is left out, with a note.
struct BenchCases {
  std::vector<Case> cases;
  std::vector<std::string> notes;
};
Expected<BenchCases> benchCases(const BenchOptions& options);

// Every output is what it should be; an Error (finding) otherwise.
Status checkRun(const Case& c, const Expectation& expected, RunResult run, const std::string& side);

// --gpu: all cases on each device, one after another, again and again.
Expected<Outcome> runBenchGpu(const BenchOptions& options, const BenchCases& cases);

}  // namespace lanewise
