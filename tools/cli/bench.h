// What the two benchmarks share: sides compared with each other, and kernels compared with each other on one device.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tools/cli/commands.h"

namespace lanewise {

double median(std::vector<double> values);

// What is timed: a case of each selected kernel, and what else is named, each made when it is called. A kernel without the value of --with
// is left out, with a note.
struct BenchSubjects {
  std::vector<std::function<Expected<Subject>()>> all;
  std::vector<std::string> notes;
};

// Checks that every output is right, if anything says what is; an Error (finding) otherwise.
Status checkRun(const Subject& subject, const std::optional<Expectation>& expected, RunResult run, const std::string& side);

// --gpu: runs all subjects on each device, one after another, repeatedly.
Expected<Outcome> runBenchGpu(const BenchOptions& options, const BenchSubjects& subjects);

// The numbers of --threads. Bad input: none from 1 to 1024; several but for the corpus.
Expected<std::vector<std::uint32_t>> threadsOf(const BenchOptions& options);

// --corpus: with each number of threads.
Expected<Outcome> runBenchCorpus(const BenchOptions& options, std::span<const std::uint32_t> threads);

}  // namespace lanewise
