// The smallest module that still shows a finding of a check (model/reduce.h).
#pragma once

#include "model/reduce.h"
#include "tools/check/check.h"

namespace lanewise {

// The finding keeps its kind, its place in the source, its variable and, of a race, the order that is missing; what depends on something
// still does; an error keeps its line. With the steps that the job has it shows it too. Bad input: a finding that says of no module that it
// is smaller: a wrong result, an order that exploring found, a job of several modules.
Expected<Reduced> reduceFor(const CheckJob& job, const CheckFinding& finding, const std::vector<CheckWay>& ways,
                            const ReduceLimits& limits);

}  // namespace lanewise
