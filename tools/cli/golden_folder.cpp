// Where the golden store is. See commands.h.
#include <fmt/format.h>

#include <filesystem>

#include "model/base/program_folder.h"
#include "tools/cli/commands.h"

namespace lanewise {

std::string goldenFolder(const std::string& named) {
  return named.empty() ? ownData("golden").string() : named;
}

Status checkGoldenFolder(const std::string& named) {
  std::error_code failed;
  if (const std::string folder = goldenFolder(named); !std::filesystem::is_directory(folder, failed))
    return Error{Outcome::kIoError, fmt::format("there is no folder '{}'", folder), "--golden", "a new store begins in an empty folder"};
  return {};
}

}  // namespace lanewise
