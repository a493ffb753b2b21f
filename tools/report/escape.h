// Text inside XML and HTML, and bytes inside a data URL.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace lanewise {

// & < > " ' as entities. Control characters, which XML 1.0 does not allow, as text (model/base/visible.h).
std::string escaped(std::string_view text);
// RFC 4648, section 4, with padding.
std::string base64(std::span<const std::byte> bytes);

}  // namespace lanewise
