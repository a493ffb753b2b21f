#include "model/compiled/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <vector>

namespace lanewise::compiled {
namespace {

namespace fs = std::filesystem;

constexpr char kMagic[16] = {'l', 'a', 'n', 'e', 'w', 'i', 's', 'e', ' ', 'c', 'o', 'd', 'e', ' ', '1', '\n'};
constexpr std::size_t kHead = sizeof kMagic + sizeof(StoreKey), kChecksum = sizeof(StoreKey);
constexpr off_t kMostBytes = off_t{1} << 28;
constexpr const char* kTemporary = ".new-";
constexpr std::int64_t kForgotten = 3600;  // seconds: whoever wrote such a file has ended

StoreKey checksumOf(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

void append(std::string& to, const auto& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string nameOf(const StoreKey& key) {
  return fmt::format("{:016x}{:016x}", key[1], key[0]);
}

// This user's, and nobody else may write it.
bool isOwn(const struct stat& file) {
  return file.st_uid == ::geteuid() && (file.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Why a folder is not to be trusted; empty: it is.
std::string refusalOf(int folder) {
  struct stat now {};
  if (::fstat(folder, &now) != 0) return "it cannot be looked at";
  if (now.st_uid != ::geteuid() || ::getuid() != ::geteuid()) return "it is another user's";
  if ((now.st_mode & 07777) != 0700) return fmt::format("its mode is {:04o}, not 0700", now.st_mode & 07777);
  return "";
}

bool readAll(int fd, std::string& out) {
  for (std::size_t at = 0; at < out.size();) {
    const ssize_t count = ::read(fd, out.data() + at, out.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += static_cast<std::size_t>(count);
  }
  return true;
}

struct Listed {
  std::string name;
  std::int64_t used = 0;  // nanoseconds
  std::uint64_t bytes = 0;
};

std::vector<Listed> listed(int folder) {
  std::vector<Listed> all;
  const int own = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* open = own < 0 ? nullptr : ::fdopendir(own);
  if (!open) {
    if (own >= 0) ::close(own);
    return all;
  }
  while (const dirent* entry = ::readdir(open)) {
    struct stat file {};
    if (::fstatat(folder, entry->d_name, &file, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(file.st_mode)) continue;
    all.push_back({entry->d_name, file.st_mtim.tv_sec * std::int64_t{1'000'000'000} + file.st_mtim.tv_nsec,
                   static_cast<std::uint64_t>(file.st_size)});
  }
  ::closedir(open);
  return all;
}

}  // namespace

Expected<Store> Store::open(const fs::path& folder, std::uint64_t limit) {
  std::error_code failed;
  fs::create_directories(folder.parent_path(), failed);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return fileError("make", folder, errno);
  Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (open.get() < 0) return fileError("open", folder, errno);
  if (const std::string refusal = refusalOf(open.get()); !refusal.empty())
    return Error{Outcome::kBadInput, fmt::format("compiled code is not kept in {}: {}", folder.string(), refusal), "",
                 "give it to yourself alone (chmod 700), or remove it"};
  return Store(std::move(open), folder, limit);
}

bool Store::has(const StoreKey& key) const {
  return ::faccessat(folder_.get(), nameOf(key).c_str(), R_OK, 0) == 0;
}

std::optional<std::string> Store::read(const StoreKey& key) const {
  if (!refusalOf(folder_.get()).empty()) return {};
  const Descriptor file(::openat(folder_.get(), nameOf(key).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat now {};
  if (file.get() < 0 || ::fstat(file.get(), &now) != 0 || !S_ISREG(now.st_mode) || !isOwn(now) || now.st_size > kMostBytes ||
      now.st_size < static_cast<off_t>(kHead + kChecksum))
    return {};
  std::string bytes(static_cast<std::size_t>(now.st_size), '\0');
  if (!readAll(file.get(), bytes)) return {};
  const std::string_view whole = std::string_view(bytes).substr(0, bytes.size() - kChecksum);
  const StoreKey checksum = checksumOf(whole);
  if (std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0 || std::memcmp(bytes.data() + sizeof kMagic, &key, sizeof key) != 0 ||
      std::memcmp(bytes.data() + whole.size(), &checksum, kChecksum) != 0)
    return {};
  static_cast<void>(::futimens(file.get(), nullptr));
  return bytes.substr(kHead, whole.size() - kHead);
}

Status Store::write(const StoreKey& key, std::string_view bytes) const {
  const std::string name = nameOf(key), temporary = fmt::format("{}{}{}", name, kTemporary, ::gettid());
  std::string whole(kMagic, sizeof kMagic);
  append(whole, key);
  whole += bytes;
  append(whole, checksumOf(whole));
  ::unlinkat(folder_.get(), temporary.c_str(), 0);
  const Descriptor file(::openat(folder_.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  const bool written = file.get() >= 0 && writeAll(file.get(), std::as_bytes(std::span(whole))) == 0 &&
                       ::renameat(folder_.get(), temporary.c_str(), folder_.get(), name.c_str()) == 0;
  const int why = errno;
  if (!written) ::unlinkat(folder_.get(), temporary.c_str(), 0);
  if (!written) return fileError("write", path_ / name, why);
  removeOld();
  return {};
}

void Store::removeOld() const {
  std::vector<Listed> all = listed(folder_.get());
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  std::uint64_t sum = 0;
  for (const Listed& one : all) {
    const bool left = one.name.find(kTemporary) != one.name.npos && now.tv_sec - one.used / 1'000'000'000 > kForgotten;
    if (left) ::unlinkat(folder_.get(), one.name.c_str(), 0);
    sum += one.bytes;
  }
  std::ranges::sort(all, {}, &Listed::used);
  for (const Listed& one : all) {
    if (sum <= limit_) return;
    ::unlinkat(folder_.get(), one.name.c_str(), 0);
    sum -= one.bytes;
  }
}

}  // namespace lanewise::compiled
