// Workgroups that run ahead of those before them, up to the first atomic that tells their order, by compiled code.
//
// Many kernels of one pass end in such an atomic: a counter tells the last workgroup, or a sum carries into its second word. What a
// workgroup does in front of it needs no order where every place is the workgroup's own by proof. There it stops, until all workgroups
// before it have ended: then the order is kept. From there on it may make such atomics and access its own places, but nothing else that
// others store to; only the last workgroup may, as there is none ahead of it. Whoever wants more has met others: the job begins again
// (parallel_code.h).
#pragma once

#include "model/exec/compiled_run.h"
#include "model/exec/sharing.h"

namespace lanewise {

// Workgroups of a thread that run ahead: so many together, and so many times while the lowest wait.
inline constexpr std::uint32_t kAheadTogether = 4, kChunksAhead = 2, kMostAhead = kAheadTogether * kChunksAhead;

struct Ahead {
  Sharing sharing;                   // without what is stored to
  std::vector<std::uint8_t> guards;  // Frame::guards of all but the last workgroup, and of that one up to where it stops
};

// Nothing where no workgroup of the code can run ahead.
std::optional<Ahead> aheadOf(const BoundDispatch& bound, const compiled::Compiled& code);

// Runs the workgroups from `from` to before `end`, the last of the dispatch, on as many threads. `summed`: by Sharing::summed; where they
// are made, unless it fails. False where the order could show, or the code gave up: then the bytes are not those of any run.
bool runAhead(const BoundDispatch& bound, const DispatchRun& dispatch, const Ahead& ahead, std::span<const std::span<std::byte>> summed,
              const compiled::Compiled& code, std::uint64_t from, std::uint64_t end, std::uint32_t threads);

}  // namespace lanewise
