// `lanewise run job.amber` and `lanewise run FOLDER`: scripts on every side.
#pragma once

#include "tools/cli/run_options.h"
#include "tools/run/run_report.h"

namespace lanewise {

// A script's file, or a folder.
bool namesScripts(const std::string& text);
Expected<Outcome> runScripts(const RunOptions& options);

// Writes the files of --out, compares the sides and prints the report (run.cpp).
Expected<Outcome> presentRun(const RunOptions& options, const RunJob& runJob, RunReport& report);

}  // namespace lanewise
