#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// The known name that is nearest to a mistyped one, the first of several. Empty: none is within `most` letters to change, add or leave
// out.
std::string nearestName(std::string_view name, const std::vector<std::string>& known, std::size_t most);

}  // namespace lanewise
