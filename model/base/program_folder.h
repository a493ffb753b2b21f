// The files that belong to Lanewise, found from the program or the library that holds this code: an installation can be copied anywhere.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace lanewise {

// The worker or a module: beside this code, as in a build folder, or in the lib/lanewise of its installation. If it is nowhere: where it
// would be in that folder, or beside where there is none.
std::filesystem::path ownPart(std::string_view name);

// A folder of data, "golden" or "corpus", in the share/lanewise of the installation or of the build folder. If it is nowhere: where it
// would be in the first.
std::filesystem::path ownData(std::string_view name);

// What the linker has called the program or the library that holds this code, from all its bytes: another build has another. Empty:
// nothing.
std::string ownBuildId();

}  // namespace lanewise
