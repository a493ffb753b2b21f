// From the intermediate form to flat instructions (Program::code): a slot for each value, moves for phis, places for jumps to go to.
#pragma once

#include "model/base/outcome.h"
#include "model/ir/laid.h"

namespace lanewise {

class OpRows;

// Adds to the program all that `f` executes. The result has no function yet. Unsupported: an operation on types that has no row, or too
// many registers.
Expected<Laid> layOut(ir::Function& f, Program& program, const OpRows& rows);
// Comparisons that only the branch behind them uses are executed with it (OpRow::branching).
void joinBranches(const ir::Function& f, Program& program, const OpRows& rows, const Laid& laid);

}  // namespace lanewise
