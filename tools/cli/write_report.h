// The three files of a report, dated now, in their folder.
#pragma once

#include <string>

#include "tools/report/folder.h"
#include "tools/report/report.h"

namespace lanewise {

// Writes `more` files beside them, by name. Prints where the page is.
Status writeReport(ReportFolder& folder, const SweepResult& result, const std::string& command,
                   std::map<std::string, std::string> more = {});

}  // namespace lanewise
