// What the two benchmarks share: sides compared with each other, and kernels compared with each other on one device.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tools/cli/commands.h"
#include "tools/cli/sides.h"
#include "tools/run/times.h"

namespace lanewise {

// Before anything is timed: a model that chooses its tier by itself has done so when a job has run for a second, or often (docs/model.md,
// "Tiers").
void warmUp(std::span<const Side> sides, const Job& job, const TierOptions& tier);

// What is timed: each selected kernel at every point that the options name, and what else is named, each made when it is called. A kernel
// without the value of --with is left out, with a note.
struct BenchSubject {
  std::string point;  // of a kernel: size and values, the same text for all kernels that are compared; else empty
  std::function<Expected<Subject>()> make;
};
struct BenchSubjects {
  std::vector<BenchSubject> all;  // kernels by their points
  std::vector<std::string> notes;
};

// Checks that every output is right, if anything says what is; an Error (finding) otherwise.
Status checkRun(const Subject& subject, const std::optional<Expectation>& expected, RunResult run, const std::string& side);

// --gpu: runs the subjects of a point on each device, one after another, repeatedly.
Expected<Outcome> runBenchGpu(const BenchOptions& options, const BenchSubjects& subjects);

// The numbers of --threads. Bad input: none from 1 to 1024; several with --gpu.
Expected<std::vector<std::uint32_t>> threadsOf(const BenchOptions& options);

// --corpus: with each number of threads.
Expected<Outcome> runBenchCorpus(const BenchOptions& options, std::span<const std::uint32_t> threads);

}  // namespace lanewise
