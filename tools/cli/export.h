// `lanewise export`: a run as a file that other programs read.
#pragma once

#include "tools/subject/subject.h"

namespace lanewise {

struct ExportOptions {
  SubjectArguments subject;
  bool amber = false;
  std::string file;  // empty or "-": the terminal
};
Expected<Outcome> runExport(const ExportOptions& options);

}  // namespace lanewise
