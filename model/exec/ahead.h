// Workgroups that run ahead of those before them, up to the first atomic that tells their order.
//
// Many kernels of one pass end in such an atomic: a counter tells the last workgroup, or a sum carries into its second word. What a
// workgroup does in front of it needs no order where every place is the workgroup's own by proof. There it stops, until all workgroups
// before it have ended: then the order is kept. From there on it may make such atomics and access its own places, but nothing else that
// others store to; only the last workgroup may, as there is none ahead of it. Whoever wants more has met others: the job begins again.
#pragma once

#include "model/exec/compiled_run.h"
#include "model/exec/parallel.h"
#include "model/exec/sharing.h"

namespace lanewise {

struct Ahead {
  Sharing sharing;                   // without what is stored to
  std::vector<bool> tellsOrder;      // by instruction
  std::vector<std::uint8_t> guards;  // Frame::guards of all but the last workgroup, and of that one up to where it stops
  // For the interpreter, the program's code that stops at what is guarded: at first it stops at what tells the order, too.
  std::vector<Instr> first, then;
};

// `code`: who runs them; nullptr: the interpreter. Nothing where no workgroup can run ahead.
std::optional<Ahead> aheadOf(const BoundDispatch& bound, const compiled::Compiled* code);

// Runs the workgroups that `rest` has not opened, to the last of the dispatch.
InParts runAhead(const BoundDispatch& bound, const DispatchRun& dispatch, const Part& rest, const ParallelRule& rule,
                 const ParallelLimits& limits, const BytesOf& bytesOf, const compiled::Compiled* code);

}  // namespace lanewise
