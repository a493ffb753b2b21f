// What fuse.cpp makes of two shifts of one value.
#pragma once

#include "model/ir/ir.h"

namespace lanewise::ir {

// Argument 0 with its bits moved up by argument 1, modulo the width; what leaves at the top comes in at the bottom.
inline constexpr Code kRotateLeft = kOwn + 0x800;  // behind those of ir.h

}  // namespace lanewise::ir
