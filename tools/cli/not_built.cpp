// What a command says that this build does not have. See program.h.
#include <fmt/format.h>

#include <filesystem>

#include "model/base/program_folder.h"
#include "tools/cli/program.h"

namespace lanewise {

Error notBuilt(const std::string& what) {
  const std::filesystem::path build = ownPart("lanewise").parent_path().parent_path();
  std::error_code failed;
  const bool known = std::filesystem::exists(build / "CMakeCache.txt", failed);
  const std::string folder = known ? fmt::format("'{}'", build.string()) : "FOLDER";
  return {Outcome::kUnsupported, what + " is not in this build, which only validates the kernels that come with it", "",
          fmt::format("build all of it: cmake -DLANEWISE_COMMANDS=ON {0} && cmake --build {0} --target lanewise", folder)};
}

}  // namespace lanewise
