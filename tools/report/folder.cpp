#include "tools/report/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>

#include "golden/file.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

Error ioError(std::string what, const fs::path& where) {
  return {Outcome::kIoError, std::move(what), where.string(), ""};
}

// Empty, a report of ours, or the journal of one that was cut off: what may be replaced.
bool replaceable(const fs::path& folder) {
  std::error_code failed;
  const auto others = [](const fs::directory_entry& e) { return e.path().filename() != "journal.txt"; };
  if (std::none_of(fs::directory_iterator(folder, failed), fs::directory_iterator(), others)) return true;
  return fs::exists(folder / "report.json", failed) && fs::exists(folder / "report.html", failed);
}

}  // namespace

Expected<ReportFolder> ReportFolder::open(const fs::path& folder) {
  std::error_code failed;
  const fs::path target = fs::absolute(folder, failed).lexically_normal();
  const fs::path place = target.has_filename() ? target : target.parent_path();
  const fs::file_status status = fs::status(place, failed);
  if (fs::exists(status) && !fs::is_directory(status)) return ioError("the report's folder is a file", place);
  if (fs::exists(status) && !replaceable(place))
    return Error{Outcome::kBadInput, "the folder holds other things than a report", place.string(), "name a new folder, or empty this one"};
  failed.clear();
  fs::create_directories(place.parent_path(), failed);
  if (failed) return ioError("cannot make the folder: " + failed.message(), place.parent_path());
  std::string staging = (place.string() + ".XXXXXX");
  if (::mkdtemp(staging.data()) == nullptr)
    return ioError("cannot write a report here: " + std::generic_category().message(errno), place.parent_path());
  fs::permissions(staging, fs::perms(0755), failed);
  return ReportFolder(place, staging);
}

ReportFolder::ReportFolder(ReportFolder&& other) noexcept
    : folder_(std::move(other.folder_)), staging_(std::exchange(other.staging_, {})) {}

ReportFolder::~ReportFolder() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
}

Status ReportFolder::commit(const std::map<std::string, std::string>& files) {
  for (const auto& [name, text] : files)
    if (Status bad = golden::writeTextFile(staging_ / name, text)) return bad;
  std::error_code failed;
  if (fs::exists(journal(), failed)) fs::create_hard_link(journal(), staging_ / kJournal, failed);
  if (failed) return ioError("cannot keep the journal: " + failed.message(), journal());
  // Exchanged in one step where there is an old report; the old one is then what the destructor removes.
  const unsigned flags = fs::exists(folder_) ? RENAME_EXCHANGE : 0;
  if (::renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, folder_.c_str(), flags) != 0)
    return ioError("cannot put the report in its place: " + std::generic_category().message(errno), folder_);
  if (flags == 0) staging_.clear();
  return {};
}

}  // namespace lanewise
