// Ctrl-C and SIGTERM, by which a batch system ends a job: finish what runs, start nothing new.
#pragma once

#include <atomic>

namespace lanewise {

// From now on the first signal sets this flag, and the second ends the process at once.
const std::atomic<bool>& catchInterrupt();

}  // namespace lanewise
