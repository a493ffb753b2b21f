// Whether a job can tell which invocations are a subgroup.
#pragma once

#include "model/contract/device.h"

namespace lanewise {

// A module of the job says that it has operations of groups, quads or their built-ins, or has a barrier, an atomic or another
// access whose scope is a subgroup under the dispatch's specialization. True also of a module that cannot be read.
bool usesSubgroups(const Job& job);

}  // namespace lanewise
