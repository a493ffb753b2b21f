// Where the running program lies: what belongs to it lies beside it.
#pragma once

#include <filesystem>

namespace lanewise {

std::filesystem::path programFolder();

}  // namespace lanewise
