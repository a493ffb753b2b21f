// Where this user's programs may keep what later processes need not make again.
#pragma once

#include <filesystem>
#include <string_view>

namespace lanewise {

// The folder `name` in lanewise below $XDG_CACHE_HOME, or below ~/.cache. Empty: LANEWISE_NO_CACHE is set, or there is no such place.
std::filesystem::path cacheFolder(std::string_view name);

}  // namespace lanewise
