// A sweep's result as text for people and for programs. Pure functions of the result; nothing is printed here.
#pragma once

#include <string>

#include "tools/sweep/result.h"

namespace lanewise {

// What stands beside a result in every report.
struct ReportHeader {
  std::string command;  // the command line, as given
  std::string date;     // "2025-01-31 12:00:00 UTC"
};

// For the terminal: the table, at most `most` failures with their first bad texel, and one line at the end that says it all.
std::string summaryText(const SweepResult& result, std::size_t most = 10);
// Schema "lanewise-report-1", described in docs/report.md.
std::string jsonText(const SweepResult& result, const ReportHeader& header);
// JUnit XML as CI servers read it: a suite a kernel and side, a test case a case.
std::string junitText(const SweepResult& result);
// One HTML page without outside references, light and dark: the table, and for each failing case with evidence its images.
std::string htmlText(const SweepResult& result, const ReportHeader& header);

}  // namespace lanewise
