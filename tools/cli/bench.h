// What the two ways of measuring share: sides against one another, and kernels against one another on one device.
#pragma once

#include <string>
#include <vector>

#include "tools/catalogue/catalogue.h"
#include "tools/cli/commands.h"

namespace lanewise {

double median(std::vector<double> values);

// A case of each selected kernel, of one size ("33x65"). A kernel that has not the value that --with names is left out, with a note.
struct BenchCases {
  std::vector<Case> cases;
  std::vector<std::string> notes;
};
Expected<BenchCases> benchCases(const BenchOptions& options, const std::string& size);

// Every output is what it should be; an Error (finding) otherwise.
Status checkRun(const Case& c, const Expectation& expected, RunResult run, const std::string& side);

// Of --gpu alone.
struct BenchGpuOptions {
  bool timeOnly = false;             // results are not looked at
  std::vector<std::string> modules;  // files, each measured in the place of the kernels' own module too
};
// The kernels on each device, one after another, again and again, size by size; --size may name several.
Expected<Outcome> runBenchGpu(const BenchOptions& options, const BenchGpuOptions& more);

}  // namespace lanewise
