// The folder of the running program. Files that belong to it are there.
#pragma once

#include <filesystem>

namespace lanewise {

std::filesystem::path programFolder();

}  // namespace lanewise
