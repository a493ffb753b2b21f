// Lanes that run alone: each lane continues until the specification makes it meet others. A kernel that relies on lockstep then fails.
//
// A lane stops before a subgroup operation and before a control barrier. If the program has one of these (Program::meets), it also stops
// before the jump back of a loop that contains one, and before it returns. When no lane can continue, the lanes that are furthest behind
// execute the operation together. "Behind" is by the order of blocks, in which a merge block comes after its construct. So these are the
// lanes that structured control flow brings together there, as if lanes executed together from the start. Promise: a kernel whose lanes do
// not race gives the same bytes.
#pragma once

#include "model/contract/schedule.h"
#include "model/state/batch.h"

namespace lanewise {

struct LoneRun;
class WeakMemory;

// Starts every lane that has an invocation.
void startLanes(Batch& batch);

// The lane that runs stands aside, and goes on where it is.
void parkLane(Batch& batch);
void resumeLane(Batch& batch, std::uint32_t lane);

// Runs the batch's lanes in the schedule's order until all are done or at a control barrier, or one faults: Batch::status says which.
// Returns true when an observer stopped the run. It also returns where all that can run were seen to wait. `own`: what the lane
// that runs executes, and where: nothing, or that of an earlier call.
bool runLanes(Batch& batch, const Schedule& schedule, WeakMemory* weak, LoneRun& own);

}  // namespace lanewise
