// The commands that open what `run` and `check` tell of in the debugger, where it happens.
#pragma once

#include <span>

#include "tools/cli/run_sides.h"
#include "tools/run/run_report.h"

namespace lanewise {

// The debugger's commands that come to a finding: "finding blur.comp:31". It says more where another one of `all`, those of its run, has
// this line. Empty: there is nothing to go to.
std::vector<std::string> wayToFinding(const RunFinding& finding, std::span<const RunFinding> all);

// A command that opens the subject as a side of `run` has it, and begins with these commands of the debugger.
std::string opening(const RunOptions& options, const RunSide& side, const std::vector<std::string>& commands);

// Of a side of `run`, which has run: for its error and its findings, and for what is not as expected, by --expect or the subject itself. A
// device has none.
void addOpenings(const RunOptions& options, const RunSide& side, bool isExpectOption, SideRun& run);
// Where two sides part: for each difference of a report. `sides`: the report's, in the same order. Sides with the same
// bytes stand for others. None where neither is the model, or both are and differ in several ways.
void addOpenings(const RunOptions& options, const RunSides& sides, RunReport& report);

}  // namespace lanewise
