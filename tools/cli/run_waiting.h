// One run of a side in a thread of its own, so that Ctrl-C, a time limit and progress messages do not depend on the device.
#pragma once

#include "tools/cli/run_sides.h"

namespace lanewise {

// Ends the process where the user stops it, or where the model is not done within `limit` seconds (0: none).
RunResult runWaiting(RunSide& side, const Job& job, double limit);

}  // namespace lanewise
