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
Expected<NamedResult> readPart(const std::string& name, std::map<std::string, KernelRef>& described) {
  std::error_code failed;
  const fs::path file = fs::is_directory(name, failed) ? fs::path(name) / "report.json" : fs::path(name);
  const Expected<std::string> text = readWholeFile(file);
  if (!text) return text.error();
  // A description is read once, not for each of its cases.
  Expected<SweepResult> result = readJson(*text, [&](std::string_view what) -> Expected<Case> {
    const CaseName parts = splitCaseName(what);
    const auto known = described.find(std::string(parts.kernel));
    if (known != described.end() && parts.point) return parsePoint(*known->second, *parts.point);
    Expected<Case> c = caseNamed(std::string(what));
    if (c && parts.point) described.emplace(parts.kernel, c->kernel);
    return c;
  });
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
  std::map<std::string, KernelRef> described;
  for (const std::string& name : o.merge) {
    Expected<NamedResult> part = readPart(name, described);
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
