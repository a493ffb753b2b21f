// Where a strand goes at a branch.
#pragma once

#include "model/operations/lane_bits.h"
#include "model/state/control.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

// `ip`: the branch.
[[gnu::always_inline]] inline const Instr* takeBranch(const Instr* ip, Batch& s, bool condition) {
  const kind::Branch& branch = ip->known<kind::Branch>();
  const std::uint32_t to = condition ? branch.whereTrue : branch.whereFalse;
  const Instr* target = s.base + to;
  if (target <= ip) return jumpBack(s, ip, to, branch.steps);
  s.steps += branch.steps;
  return s.waiting.empty() ? target : enter(s, to);
}
// `yes`: the strand's lanes for which the condition holds.
[[gnu::always_inline]] inline const Instr* takeBranch(const Instr* ip, Batch& s, const LaneMask& yes) {
  const bool any = yes.any();
  if (any && !(yes == s.mask)) return split(s, ip, yes);
  return takeBranch(ip, s, any);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
