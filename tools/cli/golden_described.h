// `lanewise golden` for a kernel that is described in a file: the results that are recorded of it.
#pragma once

#include "tools/cli/commands.h"

namespace lanewise {

enum class GoldenCommand : std::uint8_t { kStatus, kVerify, kRegen, kApprove };

// Nothing if no pattern names a description.
std::optional<Expected<Outcome>> goldenOfDescribed(const GoldenOptions& options, GoldenCommand command);

}  // namespace lanewise
