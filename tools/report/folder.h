// A report's folder, written whole or not at all: files go into a new folder beside it, which takes its place at the end. Only the journal
// (tools/sweep/journal.h) is there from the start, and stays.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "model/base/outcome.h"

namespace lanewise {

class ReportFolder {
 public:
  // Made before any work starts, so that a place that cannot be written is known at once (kIoError). A folder that holds anything but an
  // earlier report is never replaced (bad input).
  static Expected<ReportFolder> open(const std::filesystem::path& folder);

  ReportFolder(ReportFolder&& other) noexcept;
  ReportFolder& operator=(ReportFolder&&) = delete;
  ~ReportFolder();  // removes what was not committed

  // Writes the files and puts the new folder in the place of the old one.
  Status commit(const std::map<std::string, std::string>& files);
  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path journal() const { return folder_ / kJournal; }

 private:
  static constexpr const char* kJournal = "journal.txt";
  ReportFolder(std::filesystem::path folder, std::filesystem::path staging) : folder_(std::move(folder)), staging_(std::move(staging)) {}
  std::filesystem::path folder_, staging_;
};

}  // namespace lanewise
