#include "model/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace lanewise {
namespace {

std::string folderOf(const std::filesystem::path& path) {
  const auto parent = path.parent_path();
  return parent.empty() ? "." : parent.string();
}

std::string hintFor(int systemError, const std::filesystem::path& path) {
  switch (systemError) {
    case ENOSPC:
    case EDQUOT:
      return "the disk is full";
    case EFBIG:
      return "the file would pass the size limit of this process";
    case ENOENT:
      return std::filesystem::exists(folderOf(path)) ? "" : "its folder does not exist";
    default:
      return "";
  }
}

// What a device or a pipe may give: some never end.
constexpr std::size_t kMostStreamed = std::size_t{1} << 30;

constexpr const char* kTemporary = ".new-";

// Creates a file that did not exist beside the target.
Expected<std::pair<Descriptor, std::filesystem::path>> createBeside(const std::filesystem::path& target) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    auto name =
        std::filesystem::path(folderOf(target)) / fmt::format(".{}{}{}-{}", target.filename().string(), kTemporary, ::getpid(), attempt);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return std::pair(Descriptor(fd), std::move(name));
    if (errno != EEXIST) return fileError("write", target, errno);
  }
  return fileError("write", target, EEXIST);
}

int writeAndFlush(int fd, std::span<const std::byte> bytes) {
  if (const int error = writeAll(fd, bytes)) return error;
  return ::fsync(fd) == 0 || errno == EINVAL ? 0 : errno;  // EINVAL: a device or pipe, which cannot be flushed
}

// A device or a pipe is written directly: renaming over it would replace it.
Status writeDevice(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  const int error = file.get() < 0 ? errno : writeAndFlush(file.get(), bytes);
  if (error != 0) return fileError("write", path, error);
  return std::nullopt;
}

}  // namespace

int writeAll(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

Error fileError(const char* verb, const std::filesystem::path& path, int systemError) {
  return Error{Outcome::kIoError, fmt::format("cannot {} {}: {}", verb, path.string(), std::generic_category().message(systemError)), "",
               hintFor(systemError, path)};
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

std::string endingOf(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

Expected<std::string> readWholeFile(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return fileError("read", path, errno);
  struct stat about {};
  const bool ends = ::fstat(file.get(), &about) == 0 && S_ISREG(about.st_mode);
  std::string bytes;
  for (;;) {
    if (!ends && bytes.size() > kMostStreamed)
      return Error{Outcome::kIoError, fmt::format("cannot read {}: it is no file and does not end within 1 GiB", path.string()), "", ""};
    char block[65536];
    const ssize_t count = ::read(file.get(), block, sizeof(block));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fileError("read", path, errno);
    if (count == 0) return bytes;
    bytes.append(block, static_cast<std::size_t>(count));
  }
}

Expected<StagedFile> StagedFile::stage(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::error_code code;
  const auto kind = std::filesystem::status(path, code).type();
  if (kind == std::filesystem::file_type::directory) return fileError("write", path, EISDIR);
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found && !code) {
    if (Status bad = writeDevice(path, bytes)) return *bad;
    return StagedFile({}, {});
  }
  // A link stays; its target is replaced.
  const auto real = std::filesystem::canonical(path, code);
  const std::filesystem::path target = code ? path : real;
  auto created = createBeside(target);
  if (!created) return created.error();
  StagedFile staged(target, std::move(created->second));
  if (const int error = writeAndFlush(created->first.get(), bytes)) return fileError("write", target, error);
  return staged;
}

StagedFile::StagedFile(StagedFile&& other) noexcept : target_(std::move(other.target_)), temporary_(std::move(other.temporary_)) {
  other.temporary_.clear();
}

StagedFile::~StagedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

bool StagedFile::isTemporary(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with('.') && name.find(kTemporary) != name.npos;
}

Status StagedFile::commit() {
  if (temporary_.empty()) return std::nullopt;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return fileError("write", target_, errno);
  temporary_.clear();
  return std::nullopt;
}

Status writeWholeFile(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  auto staged = StagedFile::stage(path, bytes);
  if (!staged) return staged.error();
  const bool renames = staged->renames();
  if (Status bad = staged->commit()) return bad;
  return renames ? flushFolder(folderOf(path)) : std::nullopt;
}

Status writeTextFile(const std::filesystem::path& path, std::string_view text) {
  return writeWholeFile(path, std::as_bytes(std::span(text)));
}

Status flushFolder(const std::filesystem::path& folder) {
  const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.get() < 0) return fileError("flush", folder, errno);
  // Some file systems cannot flush a folder. The renames were still made.
  if (::fsync(open.get()) != 0 && errno != EINVAL && errno != EROFS) return fileError("flush", folder, errno);
  return std::nullopt;
}

Expected<FolderLock> FolderLock::take(const std::filesystem::path& folder, double seconds, Kind kind) {
  Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open.get() < 0) return fileError("open", folder, errno);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (::flock(open.get(), (kind == Kind::kWriter ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
    if (kind == Kind::kReader && errno != EWOULDBLOCK && errno != EINTR) break;
    if (errno != EWOULDBLOCK && errno != EINTR) return fileError("lock", folder, errno);
    if (std::chrono::steady_clock::now() > end)
      return Error{Outcome::kIoError, fmt::format("cannot lock {}: another run is writing it", folder.string()), "",
                   "try again when it is done"};
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return FolderLock(std::move(open));
}

}  // namespace lanewise
