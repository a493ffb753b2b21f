// A report's folder, written completely or not at all. Files go into a new folder beside it, which replaces it at the end. Only the journal
// (tools/sweep/journal.h) is in the folder from the start, and it stays.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "model/base/outcome.h"

namespace lanewise {

class ReportFolder {
 public:
  // Made before any work starts, so that a folder that cannot be written is reported at once (kIoError). A folder with anything but an
  // earlier report is never replaced (bad input).
  static Expected<ReportFolder> open(const std::filesystem::path& folder);

  ReportFolder(ReportFolder&& other) noexcept;
  ReportFolder& operator=(ReportFolder&&) = delete;
  ~ReportFolder();  // removes what was not committed

  // Writes the files and replaces the old folder by the new one.
  Status commit(const std::map<std::string, std::string>& files);
  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path journal() const { return folder_ / kJournal; }

 private:
  static constexpr const char* kJournal = "journal.txt";
  ReportFolder(std::filesystem::path folder, std::filesystem::path staging) : folder_(std::move(folder)), staging_(std::move(staging)) {}
  std::filesystem::path folder_, staging_;
};

}  // namespace lanewise
