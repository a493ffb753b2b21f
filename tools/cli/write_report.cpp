#include "tools/cli/write_report.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>

#include "model/base/file.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

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

Status canBeWritten(const std::vector<NamedFile>& files, const std::vector<NamedFile>& read) {
  std::map<fs::path, std::string_view> named;
  std::error_code ignored;
  const auto whole = [&](const std::string& file) { return fs::weakly_canonical(fs::absolute(file, ignored), ignored); };
  for (const auto& [option, file] : read)
    if (fs::is_regular_file(file, ignored)) named.emplace(whole(file), option);
  for (const auto& [option, file] : files) {
    if (file.empty()) continue;
    std::error_code none;
    const auto type = fs::status(file, none).type();
    if (type == fs::file_type::directory)
      return Error{Outcome::kIoError, fmt::format("cannot write {}: Is a directory", file), std::string(option), ""};
    if (!none && type != fs::file_type::regular && type != fs::file_type::not_found) continue;  // a device or a pipe
    if (const Expected<StagedFile> tried = StagedFile::stage(file, {}); !tried) return tried.error();
    const auto [other, isNew] = named.emplace(whole(file), option);
    if (!isNew)
      return Error{Outcome::kBadInput, fmt::format("{} and {} name the same file", other->second, option), file,
                   "it can keep one of both; give two files"};
  }
  return {};
}

}  // namespace lanewise
