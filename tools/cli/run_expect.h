// `lanewise run --expect NAME=DATA --tolerance ..`: what the outputs of a run have to be.
#pragma once

#include "golden/image/compare.h"
#include "tools/described/tolerance.h"
#include "tools/run/make_job.h"

namespace lanewise {

struct ExpectedOutput {
  std::size_t output = 0;  // in RunJob::outputs
  std::vector<std::byte> bytes;
  std::vector<Tolerance> tolerances;  // none: exact
};

// `expect`: "sums=expected.bin", "0:2=right.exr", "sums=u32:1,2,3". `tolerance`: "ulp=2", "sums:absolute=1e-5". Bad input: no such output,
// what is no tolerance, a number of bytes that the output does not have; kIoError.
Expected<std::vector<ExpectedOutput>> readExpected(const std::vector<std::string>& expect, const std::vector<std::string>& tolerance,
                                                   const RunJob& runJob);

// What is wrong, or an empty text; and the first place that is, as `writer` of the debugger takes it.
struct WrongOutput {
  std::string text, at;
};
Expected<WrongOutput> wrongOutput(const RunJob& runJob, const std::vector<ExpectedOutput>& expected, const RunResult& run);

}  // namespace lanewise
