// How strands split, wait and meet: the part of control flow that is not about vectors. See batch.h.
#pragma once

#include "model/state/batch.h"

namespace lanewise {

// The running strand goes on at `pc`, after any strand that waits further behind; strands at one place become one.
const Instr* enter(Batch& s, std::uint32_t pc);
// The same for a jump backwards over `steps`; a batch that has made too many faults.
const Instr* jumpBack(Batch& s, const Instr* from, std::uint32_t pc, std::uint32_t steps);
// Lanes in `yes` go to `target`, the others of the strand to `otherwise`.
const Instr* split(Batch& s, const Instr* from, LaneMask yes);
const Instr* splitSwitch(Batch& s, const Instr* ip);
std::uint32_t caseOf(const Batch& s, std::uint32_t table, std::uint64_t selector);
// The strand's lanes return.
const Instr* finish(Batch& s, const Instr* ip);
// The strand arrives at a control barrier: the batch stops until its workgroup has arrived.
const Instr* arrive(Batch& s, const Instr* ip);
// The strand goes on at `next`, now or, where an observer stops the run, later: then nullptr, and the batch is ready.
const Instr* goOn(Batch& s, const Instr* next);
const Instr* trap(Batch& s, const Instr* ip, Fault fault);

}  // namespace lanewise
