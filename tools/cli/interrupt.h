// Ctrl-C: finish what runs, start nothing new.
#pragma once

#include <atomic>

namespace lanewise {

// From now on the first Ctrl-C sets this flag; the second one ends the process at once.
const std::atomic<bool>& catchInterrupt();

}  // namespace lanewise
