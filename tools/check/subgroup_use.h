// What the modules of a job use: whether it can tell which invocations are a subgroup, and whether it may see what is stale.
#pragma once

#include "model/contract/device.h"

namespace lanewise {

// A module of the job says that it has operations of groups, quads or their built-ins, or has a barrier, an atomic or another
// access whose scope is a subgroup under the dispatch's specialization. True also of a module that cannot be read.
bool usesSubgroups(const Job& job);
// Whether a kernel of the job has an atomic that only loads: it may see a value that is no longer the newest. One that also stores does
// not.
bool loadsAtomically(const Job& job);

}  // namespace lanewise
