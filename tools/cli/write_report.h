// The files that commands write at their end.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/report/folder.h"
#include "tools/report/report.h"

namespace lanewise {

// The three files of a report, dated now, in their folder, and `more` beside them, by name. Prints where the page is.
Status writeReport(ReportFolder& folder, const SweepResult& result, const std::string& command,
                   std::map<std::string, std::string> more = {});

// An option and the file that it names, which is written at the end; an empty name is no file.
using NamedFile = std::pair<std::string_view, std::string>;
// Why one of them cannot be written, or that two are the same file, said before long work. What stands in them stays. `read`: files that
// are read, which none of them may be.
Status canBeWritten(const std::vector<NamedFile>& files, const std::vector<NamedFile>& read = {});

}  // namespace lanewise
