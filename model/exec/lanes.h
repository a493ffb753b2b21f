// Lanes that run alone: each continues until the specification makes it meet others, so that reliance on lockstep shows.
//
// A lane stops before a subgroup operation, before a control barrier, before the jump back of a loop that has one of these in it, and
// before it returns from a program that has one (Program::meets). When no lane can continue, those that are furthest behind execute the
// operation together: by the order of blocks, in which a merge block comes after its construct, these are the lanes that the structured
// control flow brings together there, as where lanes execute together from the start. Promise: a kernel whose lanes do not race gives the
// same bytes.
#pragma once

#include "model/contract/schedule.h"
#include "model/state/batch.h"

namespace lanewise {

// Every lane that has an invocation, at the beginning.
void startLanes(Batch& batch);

// Runs the batch's lanes in the schedule's order until all are done or at a control barrier, or one faults: Batch::status says which.
// True when an observer stopped the run.
bool runLanes(Batch& batch, const Schedule& schedule);

}  // namespace lanewise
