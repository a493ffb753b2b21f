// The operations of control flow, which only the layout of a program makes, keyed with no types.
#pragma once

#include "model/ir/rows/codes.h"

namespace lanewise {

namespace control {

inline constexpr ir::Code kFirst = 0x30000;
enum : ir::Code { kJump = kFirst, kBranchUniform, kBranchVarying, kSwitchUniform, kSwitchVarying, kReturn, kMove, kMoveUniform };

}  // namespace control
}  // namespace lanewise
