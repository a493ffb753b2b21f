// How strands split, wait and meet: control flow, except for the operations on vectors. See batch.h.
//
// The strand furthest behind runs. "Behind" is by the order of blocks, in which a merge block comes after its construct.
#pragma once

#include "model/state/batch.h"

namespace lanewise {

// The running strand continues at `pc`, after any waiting strand that is further behind. Strands at the same place are joined.
const Instr* enter(Batch& s, std::uint32_t pc);
// The same for a jump backwards, which charges `steps`. If a lane has then exceeded the step limit, the batch faults.
const Instr* jumpBack(Batch& s, const Instr* from, std::uint32_t pc, std::uint32_t steps);
// Of the strand's lanes those in `yes` go to `target`, the others to `otherwise`.
const Instr* split(Batch& s, const Instr* from, LaneMask yes);
const Instr* splitSwitch(Batch& s, const Instr* ip);
std::uint32_t caseOf(const Batch& s, std::uint32_t table, std::uint64_t selector);
// The strand's lanes return.
const Instr* finish(Batch& s, const Instr* ip);
// The strand reaches a control barrier: the batch stops until all of its workgroup has reached it.
const Instr* arrive(Batch& s, const Instr* ip);
// The strand continues at `next`. If an observer stops the run, it returns nullptr, and the batch is ready and continues there later.
const Instr* goOn(Batch& s, const Instr* next);
// The instruction's access was refused (claims.h): the batch continues with it later.
const Instr* refuse(Batch& s, const Instr* ip);
// `lanes`: whose fault it is.
const Instr* trap(Batch& s, const Instr* ip, Fault fault, const LaneMask& lanes);
const Instr* trap(Batch& s, const Instr* ip, Fault fault);

}  // namespace lanewise
