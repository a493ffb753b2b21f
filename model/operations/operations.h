// The tables of operations that this host can run.
#pragma once

#include "model/operations/table.h"

namespace lanewise {

// The table for the best instruction set of this host, and the one for every x86-64 host. Built on first use; safe from any thread.
const OpTable& operations();
const OpTable& baseOperations();

}  // namespace lanewise
