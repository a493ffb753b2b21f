// The operations of control flow, which only the layout of a program makes, keyed with no types; and where a schedule may switch.
#pragma once

#include "model/ir/ir.h"

namespace lanewise {

// What an instruction is to a schedule: others may run behind it.
enum SwitchPoint : std::uint8_t {
  kNoSwitch = 0,
  kAtBarrier = 1,  // a control barrier
  kAtAtomic = 2,
  kAtAccess = 4,  // a load or store of what other invocations may write
  kAtJumpBack = 8
};

namespace control {

inline constexpr ir::Code kFirst = 0x30000;
enum : ir::Code { kJump = kFirst, kBranchUniform, kBranchVarying, kSwitchUniform, kSwitchVarying, kReturn, kMove, kMoveUniform };

}  // namespace control
}  // namespace lanewise
