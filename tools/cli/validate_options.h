// Converts the options of `lanewise validate` to what it runs. Every error in them is reported here, before anything runs.
#pragma once

#include "tools/cli/commands.h"
#include "tools/sweep/inputs.h"
#include "tools/sweep/plan.h"

namespace lanewise {

struct RequestedPlan {
  PlanRequest request;
  Inputs inputs;
};
Expected<RequestedPlan> requestOf(const ValidateOptions& options);

}  // namespace lanewise
