// A sweep's result as text for people and for programs. Pure functions of the result, which print nothing.
#pragma once

#include <string>

#include "tools/sweep/result.h"

namespace lanewise {

// What is printed beside the result in every report.
struct ReportHeader {
  std::string command;  // the command line, as given
  std::string date;     // "2025-01-31 12:00:00 UTC"
};

// For the terminal: the table, at most `most` failures with their first wrong texel, and a final line with the whole result.
std::string summaryText(const SweepResult& result, std::size_t most = 10);
// Schema "lanewise-report-1", described in docs/report.md.
std::string jsonText(const SweepResult& result, const ReportHeader& header);
// JUnit XML for CI servers: a suite per kernel and side, a test case per case.
std::string junitText(const SweepResult& result);
// One HTML page without external references, light and dark: the table, and the images of each failing case with evidence.
std::string htmlText(const SweepResult& result, const ReportHeader& header);

}  // namespace lanewise
