// A program to compile (model/compiled): with the lowered form that it was laid out from, and where each value lies.
#pragma once

#include <vector>

#include "model/ir/ir.h"
#include "model/ir/program.h"

namespace lanewise {

struct Laid {
  ir::Function function;              // without what has moved into the Program: accesses, origins, resources ..
  std::vector<Operand> slots;         // by value; offset 0: none
  std::vector<std::uint32_t> places;  // by value: its instruction in Program::code
};

// Its batches are narrow, for the sake of registers. `together`: lanes that the interpreter executes as one batch; values that are the same
// in all of these are uniform.
struct LaidProgram : Program {
  std::uint32_t together = 64;
  bool outsideIsWithin = false;  // an access outside of a buffer means its last element: OutsideBuffer::kWithin
  Laid laid;
};

}  // namespace lanewise
