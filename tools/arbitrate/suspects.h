// Which line is the bug's: the instructions that, if they gave a slightly other value, would make the wrong results right.
//
// Each instruction that the smallest failing case executes is altered in each way of alter.h, in all its executions, on the model. What
// makes that case right is tried on the other failing cases of the kernel, which it has to make right too, and on those that pass, which
// have to stay right. Where nothing does, each single decision is turned: a comparison that gives true for one invocation gives false.
//
// Promise: a suspect is no guess; what its text says was run. What is tried is bounded by numbers of instructions, never by the clock: the
// same cases have the same suspects everywhere. Gaps: the mistake may be elsewhere, where another change does the same; and one that no
// single value mends (a missing barrier, a wrong resource) has no suspect. Of a large case not every change is tried.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "tools/arbitrate/alter.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {

struct JudgedJob {
  Job job;
  Expectation expected;
};

struct SuspectSearch {
  Model& model;  // on which the cases fail
  JudgedJob smallest;
  // Other cases of the kernel, the smallest first; they are made when they are needed.
  std::vector<Case> failing, passing;
  std::function<Expected<JudgedJob>(const Case&)> make;
  const std::atomic<bool>* stop = nullptr;
};

struct Suspects {
  std::vector<std::string> lines;  // at most three, each of another line: "reduce.comp:8: OpUDiv: 1 more mends the smallest case ..."
  bool mendsAll = false;           // the first mends all failing cases that were tried and no other is wrong; it altered four at least
};
Suspects suspectsOf(const SuspectSearch& search);

}  // namespace lanewise
