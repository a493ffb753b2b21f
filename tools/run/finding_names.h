// What the debugger's command `finding` calls a finding.
#pragma once

#include <string>
#include <vector>

#include "model/contract/finding.h"

namespace lanewise {

// The shortest first, each the beginning of the next: "scan.comp:31", then with its kind, its invocation, its dispatch and instruction
// ("dispatch 1 word 320"), and of a race the other instruction ("with word 288").
std::vector<std::string> findingNames(const RunFinding& finding);

}  // namespace lanewise
