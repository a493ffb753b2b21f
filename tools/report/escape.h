// Text inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace lanewise {

// & < > " ' as entities. Control characters, which XML 1.0 does not allow, as text (model/base/visible.h).
std::string escaped(std::string_view text);

}  // namespace lanewise
