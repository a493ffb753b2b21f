// The litmus programs of tests/litmus as events.
//
// NEWQF, NEWWG, NEWSG, NEWTHREAD open a queue family, workgroup, subgroup, thread. A line is an instruction: words joined by dots, then a
// variable, "= value" of a read or write and a second value that a read-modify-write stores; a control barrier has an instance number.
// SLOC a b: two names of one location. SSW i j: thread i system-synchronizes-with thread j. A check is SATISFIABLE or NOSOLUTION, perhaps
// NOCHAINS, and a condition: consistent[X], #dr=0, #dr>0, #rs=2, #rs>1, joined by &&.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model/check/memory_model.h"

namespace lanewise::memory_model {

struct Check {
  bool satisfiable = false;
  bool noChains = false;
  std::string condition;
};

// Where the read must read from.
struct Forced {
  std::uint32_t read = 0;
  std::int32_t from = Execution::kInitial;
};

struct Litmus {
  std::string name;
  Program program;
  std::vector<Forced> forced;
  std::vector<Check> checks;
};

Litmus parseLitmus(std::string name, const std::string& text);
std::vector<Litmus> allLitmus(const std::filesystem::path& folder);

// Visits every execution, of which a program of about ten events has few enough: each choice of a write for each read, and each order of
// the atomic writes that must have one. Stops where `visit` says false.
void allExecutions(const Program& program, const std::vector<Forced>& forced, const std::function<bool(const Execution&)>& visit);

// Is there an execution for which the condition holds?
bool holds(const Litmus& litmus, const Check& check, Rules rules = {});

}  // namespace lanewise::memory_model
