// Files that are complete or absent: reading a whole file, writing a new one and renaming it, locking a folder. POSIX.
//
// Errors are kIoError with the path and the system's reason in plain words.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "model/base/outcome.h"

namespace lanewise {

// An open file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

// Writes all of it, in as many pieces as it takes. 0, or the system's error.
int writeAll(int fd, std::span<const std::byte> bytes);

Expected<std::string> readWholeFile(const std::filesystem::path& path);

// New bytes for a file, on disk beside it (a hidden name in the same folder), but not yet in its place. Removed if never committed.
class StagedFile {
 public:
  // Writes and flushes the bytes. A device or pipe (/dev/stdout) is written at once, and commit() has nothing left to do.
  static Expected<StagedFile> stage(const std::filesystem::path& path, std::span<const std::byte> bytes);
  StagedFile(StagedFile&& other) noexcept;
  StagedFile& operator=(StagedFile&&) = delete;
  ~StagedFile();
  // Renames it over the target: other processes see the whole old file or the whole new one.
  Status commit();
  bool renames() const { return !temporary_.empty(); }
  const std::filesystem::path& target() const { return target_; }
  const std::filesystem::path& temporary() const { return temporary_; }
  // Leaves the file where it is, for somebody else to rename.
  void keep() { temporary_.clear(); }
  // Whether a name is one of these hidden names.
  static bool isTemporary(const std::filesystem::path& path);

 private:
  StagedFile(std::filesystem::path target, std::filesystem::path temporary)
      : target_(std::move(target)), temporary_(std::move(temporary)) {}
  std::filesystem::path target_, temporary_;  // temporary_ is empty if there is nothing to clean up
};

// The ending of a file's name in small letters: ".png".
std::string endingOf(const std::filesystem::path& path);

// Makes a file with these bytes, atomically and flushed.
Status writeWholeFile(const std::filesystem::path& path, std::span<const std::byte> bytes);
Status writeTextFile(const std::filesystem::path& path, std::string_view text);
// Makes the renames and removals in a folder durable.
Status flushFolder(const std::filesystem::path& folder);

// A lock on a folder among all users of this class, for one writer or many readers. The system releases it when its holder ends in any way.
class FolderLock {
 public:
  enum class Kind : std::uint8_t { kWriter, kReader };
  // Waits up to `seconds` for another holder. If the file system has no locks, a reader continues without one.
  static Expected<FolderLock> take(const std::filesystem::path& folder, double seconds, Kind kind = Kind::kWriter);

 private:
  explicit FolderLock(Descriptor folder) : folder_(std::move(folder)) {}
  Descriptor folder_;
};

// kIoError: "cannot VERB PATH: REASON".
Error fileError(const char* verb, const std::filesystem::path& path, int systemError);

}  // namespace lanewise
