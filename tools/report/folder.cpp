#include "tools/report/folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "model/base/file.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

Error ioError(std::string what, const fs::path& where) {
  return {Outcome::kIoError, std::move(what), where.string(), ""};
}

// Holds nothing but files of a report: what may be replaced.
bool replaceable(const fs::path& folder) {
  constexpr const char* kOurs[] = {"journal.txt", "junit.xml", "report.html", "report.json"};
  const auto other = [&](const fs::directory_entry& e) {
    return e.path().extension() != ".capsule" && std::find(std::begin(kOurs), std::end(kOurs), e.path().filename()) == std::end(kOurs);
  };
  std::error_code failed;
  return std::none_of(fs::directory_iterator(folder, failed), fs::directory_iterator(), other);
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
    if (Status bad = writeTextFile(staging_ / name, text)) {
      if (const std::size_t at = bad->what.find(staging_.string()); at != std::string::npos)
        bad->what.replace(at, staging_.string().size(), folder_.string());  // where it was to be
      return bad;
    }
  std::error_code failed;
  if (fs::exists(journal(), failed)) fs::create_hard_link(journal(), staging_ / kJournal, failed);
  if (failed) {  // a file system without links
    failed.clear();
    fs::copy_file(journal(), staging_ / kJournal, failed);
  }
  if (failed) return ioError("cannot keep the journal: " + failed.message(), journal());
  // Exchanged in one step where there is an old report; the old one is then what the destructor removes.
  const unsigned flags = fs::exists(folder_) ? RENAME_EXCHANGE : 0;
  if (::renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, folder_.c_str(), flags) == 0) {
    if (flags == 0) staging_.clear();
    return {};
  }
  const int exchanged = errno;
  if (flags == 0 || (exchanged != EINVAL && exchanged != ENOSYS && exchanged != ENOTSUP))
    return ioError("cannot put the report in its place: " + std::generic_category().message(exchanged), folder_);
  // A file system that cannot exchange: the old one makes room first.
  const fs::path old = staging_.string() + ".old";
  fs::rename(folder_, old, failed);
  if (!failed) fs::rename(staging_, folder_, failed);
  if (failed) {
    const Error trouble = ioError("cannot put the report in its place: " + failed.message() + "; it is in " + staging_.string(), folder_);
    staging_.clear();  // stays
    return trouble;
  }
  staging_ = old;
  return {};
}

}  // namespace lanewise
