#include "tools/cli/write_report.h"

#include <fmt/format.h>

#include <chrono>

#include "model/base/file.h"

namespace lanewise {
namespace {

std::string utcNow() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto day = std::chrono::floor<std::chrono::days>(now);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{now - day};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", int(date.year()), unsigned(date.month()), unsigned(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

}  // namespace

Status writeReport(ReportFolder& folder, const SweepResult& result, const std::string& command, std::map<std::string, std::string> more) {
  const ReportHeader header{command, utcNow()};
  more["report.html"] = htmlText(result, header);
  more["report.json"] = jsonText(result, header);
  more["junit.xml"] = junitText(result);
  if (Status bad = folder.commit(more)) return bad;
  fmt::print("report: {}\n", (folder.path() / "report.html").string());
  return {};
}

Status canBeWritten(const std::string& file) {
  std::error_code none;
  const auto type = std::filesystem::status(file, none).type();
  if (file.empty() || (type != std::filesystem::file_type::regular && type != std::filesystem::file_type::not_found)) return {};
  const Expected<StagedFile> tried = StagedFile::stage(file, {});
  return tried ? Status() : Status(tried.error());
}

}  // namespace lanewise
