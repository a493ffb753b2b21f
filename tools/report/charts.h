// Where failures lie, as pictures in the HTML report: over width and height, over the parity and the remainders of both, and over the
// radius.
#pragma once

#include <string>

#include "tools/sweep/result.h"

namespace lanewise {

// A card for each kernel that has failures, at most 12; empty where there are none. A map's size does not depend on the number of cases.
std::string failureCharts(const SweepResult& result);

// Family by form by side: how many runs passed and failed, one row a contract.
std::string summaryMatrix(const SweepResult& result);

}  // namespace lanewise
