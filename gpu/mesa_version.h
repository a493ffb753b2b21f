// Which Mesa a device is of, from what its driver says of itself; {0, 0} for others. Before 26 lavapipe needs seconds for what it compiles
// in a moment since.
#pragma once

#include <cstdio>
#include <utility>

#include "model/contract/profile.h"

namespace lanewise {

inline std::pair<int, int> mesaVersion(const Profile& profile) {
  std::pair<int, int> version;
  const std::size_t at = profile.description.find("Mesa ");
  if (at == std::string::npos || std::sscanf(profile.description.c_str() + at, "Mesa %d.%d", &version.first, &version.second) != 2)
    return {};
  return version;
}

// lavapipe from the version on that compiles quickly.
inline bool isQuickMesa(const Profile& profile) {
  return mesaVersion(profile) >= std::pair(26, 0);
}

}  // namespace lanewise
