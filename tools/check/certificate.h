// What a check proves of the bytes, and how: what they do not depend on, whichever way it goes.
//
// A job is proved by its first run if that shows no race and no atomic (RunResult::orderFree), or by running every order that can differ
// (model/explore.h). If it has no operation of subgroups either, every subgroup size and every choice of who is in a subgroup is one of
// these orders, because explored invocations have turns of their own. In these orders each access takes effect at once; races and other
// findings are looked for in each. An atomic load sees the newest value there; what older ones do is tried by seeds, and not proved.
#pragma once

#include <functional>
#include <string>

#include "model/explore.h"

namespace lanewise {

// Orders of turns.
struct ExploredOrders {
  std::uint64_t executions = 0;
  std::uint64_t most = 0;  // that take turns in a dispatch: subgroups, or invocations
};

// Of all jobs.
struct Certificate {
  std::size_t explored = 0;                               // jobs that are proved by every order that can differ
  std::size_t withoutSubgroups = 0;                       // jobs that are proved, and have no operation of subgroups
  std::uint64_t executions = 0, repeated = 0, turns = 0;  // of these
  ExploredOrders bySubgroups{}, byInvocations{};          // ... by what had turns of its own
  std::size_t staleSeeds = 0;                             // that were run too, where atomic loads may see older values
  std::size_t opened = 0;                                 // jobs that are not proved, though no order that was run is wrong
  std::uint64_t alike = 0;                                // orders of the first of those, if all were run and gave the same bytes
  std::string open{};                                     // why it is not proved
};
void add(Certificate& to, const Certificate& from);

// Explores a job; empty: it does not.
using Explore = std::function<Expected<Explored>(const Job&)>;

}  // namespace lanewise
