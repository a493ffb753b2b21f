#include "model/base/program_folder.h"

namespace lanewise {

std::filesystem::path programFolder() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
}

}  // namespace lanewise
