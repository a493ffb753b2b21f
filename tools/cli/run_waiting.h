// Runs of a side in a thread of its own, so that Ctrl-C, a time limit and progress messages do not depend on the device.
#pragma once

#include <functional>
#include <span>

#include "tools/cli/run_sides.h"

namespace lanewise {

// Ends the process where the user stops it, or where the model is not done within `limit` seconds (0: none).
RunResult runWaiting(RunSide& side, const Job& job, double limit);

// --repeat: the sides that ran, in turn, so that a machine that slows down slows all of them. Their times and whether their bytes stay the
// same go into SideRun.
void runAgain(const RunOptions& options, std::span<RunSide> sides, const std::function<const Job&(const RunSide&)>& jobOf);

}  // namespace lanewise
