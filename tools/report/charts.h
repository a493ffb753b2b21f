// Where failures are, as pictures in the HTML report: over width and height, over the parity and the remainders of both, and over the
// radius.
#pragma once

#include <string>

#include "tools/sweep/result.h"

namespace lanewise {

// A card for each kernel with failures, at most 12; empty if there are none. A map's size does not depend on the number of cases.
std::string failureCharts(const SweepResult& result);

// Numbers of passed and failed runs, by family, form and side; one row per contract.
std::string summaryMatrix(const SweepResult& result);

}  // namespace lanewise
