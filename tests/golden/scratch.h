// A folder of its own for a test, removed when it goes.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace lanewise::golden {

class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "lanewise-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~Scratch() { std::filesystem::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::filesystem::path operator/(const char* name) const { return folder_ / name; }
  const std::filesystem::path& folder() const { return folder_; }
  std::size_t files() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(folder_)) ++count;
    return count;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace lanewise::golden
