// All kinds of findings, as a list.
#pragma once

#include "model/contract/finding.h"

namespace lanewise {

#define FINDING(kind, ...) FindingKind::kind,
inline constexpr FindingKind kFindingKinds[] = {
#include "model/contract/findings.inc"
};
#undef FINDING

}  // namespace lanewise
