// The files that commands write at their end.
#pragma once

#include <string>

#include "tools/report/folder.h"
#include "tools/report/report.h"

namespace lanewise {

// The three files of a report, dated now, in their folder, and `more` beside them, by name. Prints where the page is.
Status writeReport(ReportFolder& folder, const SweepResult& result, const std::string& command,
                   std::map<std::string, std::string> more = {});

// Why a file cannot be written, said before long work. What stands in it stays. An empty name is no file.
Status canBeWritten(const std::string& file);

}  // namespace lanewise
