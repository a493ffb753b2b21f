// `lanewise report`: merges reports of finished runs.
#include <fmt/format.h>

#include "model/base/file.h"
#include "tools/cli/commands.h"
#include "tools/cli/write_report.h"
#include "tools/report/read.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

// FOLDER/report.json, or the file itself.
Expected<NamedResult> readPart(const std::string& name) {
  std::error_code failed;
  const fs::path file = fs::is_directory(name, failed) ? fs::path(name) / "report.json" : fs::path(name);
  const Expected<std::string> text = readWholeFile(file);
  if (!text) return text.error();
  Expected<SweepResult> result = readJson(*text);
  if (result) return NamedResult{name, std::move(*result)};
  Error error = result.error();
  error.where = error.where.empty() ? file.string() : file.string() + ", " + error.where;
  return error;
}

}  // namespace

Expected<Outcome> runReport(const ReportOptions& o) {
  std::optional<ReportFolder> folder;
  if (!o.report.empty()) {
    Expected<ReportFolder> opened = ReportFolder::open(o.report);
    if (!opened) return opened.error();
    folder.emplace(std::move(*opened));
  }
  std::vector<NamedResult> parts;
  for (const std::string& name : o.merge) {
    Expected<NamedResult> part = readPart(name);
    if (!part) return part.error();
    parts.push_back(std::move(*part));
  }
  const Expected<Merged> merged = mergeResults(std::move(parts));
  if (!merged) return merged.error();
  fmt::print("{}", summaryText(merged->result));
  if (folder)
    if (Status bad = writeReport(*folder, merged->result, o.command)) return *bad;
  return merged->result.outcome();
}

}  // namespace lanewise
