// What each kind of finding is and what mends it, for SARIF, whose viewers show it beside a finding.
#pragma once

#include <string>

#include "model/contract/finding.h"

namespace lanewise {

struct CheckFinding;
FindingRule ruleOf(const CheckFinding& finding);  // of what is no finding of a run nothing mends it
// "docs/findings/data-race.md" of "data race"; of what is no finding, an error, "docs/findings.md".
std::string pageOf(const CheckFinding& finding);

}  // namespace lanewise
