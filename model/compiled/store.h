// Compiled programs on disk, for later processes: bytes by key, in a folder that nobody but this user can read or write.
//
// What is read here is executed, so the folder decides whom to trust: it is this user's, with mode 0700, and stays open, so that no other
// can be put in its place. An entry ends in a checksum of all its bytes and its key; one that is damaged, cut off or not this user's is
// none, and is replaced. Entries are written beside their place and renamed: any number of processes may share the folder.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "model/base/file.h"

namespace lanewise::compiled {

using StoreKey = std::array<std::uint64_t, 2>;

class Store {
 public:
  static constexpr std::uint64_t kUsualLimit = std::uint64_t{256} << 20;  // bytes

  // Makes the folder where it is absent. kIoError: it cannot be made; bad input: it is not to be trusted.
  static Expected<Store> open(const std::filesystem::path& folder, std::uint64_t limit = kUsualLimit);

  // Whether there is an entry, damaged or not.
  bool has(const StoreKey& key) const;
  // Nothing where there is none, or a damaged one. The entry counts as used now.
  std::optional<std::string> read(const StoreKey& key) const;
  // Where all entries together are above the limit, those that were used longest ago are removed.
  Status write(const StoreKey& key, std::string_view bytes) const;

 private:
  Store(Descriptor folder, std::filesystem::path path, std::uint64_t limit)
      : folder_(std::move(folder)), path_(std::move(path)), limit_(limit) {}
  void removeOld() const;

  Descriptor folder_;
  std::filesystem::path path_;
  std::uint64_t limit_;
};

}  // namespace lanewise::compiled
