// NonSemantic.DebugPrintf: one line of text for each active lane, in the order of execution.
//
// A format is printf's, as Vulkan's validation layers take it: %d %i %u %o %x %X %a %e %f %g (also in capitals), %p, with flags, width and
// precision; v2 to v4 before the conversion for a vector, whose components stand between commas; l for 64 bits (%lu and %ul). An argument
// is printed as its own type: a conversion for integers given a float prints a float, and the other way round.
#pragma once

#include <cstdint>
#include <vector>

#include "model/state/batch.h"

namespace lanewise {

// Executes a kPrint.
void printLines(const Instr* instr, Batch& batch);

// One scalar of an argument: its bits, as a lane holds them.
struct PrintedScalar {
  Scalar type = Scalar::kI32;
  std::uint64_t bits = 0;
};
std::string formatted(const ir::Print& print, const std::vector<PrintedScalar>& scalars);

}  // namespace lanewise
