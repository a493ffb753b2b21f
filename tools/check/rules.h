// What each kind of finding is and what mends it, for SARIF, whose viewers show it beside a finding.
#pragma once

#include "model/contract/finding.h"

namespace lanewise {

struct CheckFinding;
FindingRule ruleOf(const CheckFinding& finding);  // of what is no finding of a run nothing mends it

}  // namespace lanewise
