// Where two runs of a job part: the first instruction, in the order of the second run, that gives an invocation another result than in the
// first run, or that it did not execute there. A store to memory that others see counts as its value, because constants such as the size of
// a subgroup are no results. Results that nobody uses do not count.
//
// Both runs are decoded faithfully, and each invocation's results are compared one by one. What an invocation loads may differ because of
// an order alone: then that load is where they part. Promise: up to there the invocation computed the same in both runs. Gap: a job whose
// invocations give more than kMostResults results is not looked at.
#pragma once

#include "model/model.h"

namespace lanewise {

inline constexpr std::uint64_t kMostResults = std::uint64_t{1} << 22;

struct RunOf {
  const Job& job;
  const ModelOptions& options;
};

struct Parting {
  InstructionPlace at;  // "scan.comp:12"
  std::string text;     // "they part at scan.comp:12: OpLoad gives 3 and 7, invocation 5,0,0"
};
// Empty where they do not part, or were not looked at.
std::optional<Parting> partingOf(const RunOf& first, const RunOf& second);

}  // namespace lanewise
