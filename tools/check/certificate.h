// What a check proves of the bytes, and how: what they do not depend on, whichever way it goes.
//
// A job is proved by its first run if that shows no race and no atomic (RunResult::orderFree), or by running every order that can differ
// (model/explore.h). If it has no operation of subgroups either, every subgroup size and every choice of who is in a subgroup is one of
// these orders, because explored invocations have turns of their own.
#pragma once

#include <functional>
#include <string>

#include "model/explore.h"

namespace lanewise {

// Of all jobs.
struct Certificate {
  std::size_t explored = 0;          // jobs of which every order that can differ was run
  std::size_t withoutSubgroups = 0;  // jobs that are proved, and have no operation of subgroups
  std::uint64_t executions = 0, repeated = 0, turns = 0;
  std::uint64_t subgroups = 0;  // the most of one dispatch; invocations where they have turns of their own
  std::size_t opened = 0;       // jobs of which some orders were run
  std::string open;             // why the first of those is not proved
};
void add(Certificate& to, const Certificate& from);

// Explores a job; empty: it does not.
using Explore = std::function<Expected<Explored>(const Job&)>;

}  // namespace lanewise
