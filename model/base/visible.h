// Text that came from a file, for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace lanewise {

// Control characters but line ends (of two characters as of one) and tabs as text, "\x1b": a name in a script, a module or a description
// cannot move a terminal's cursor, change its colours or its title. Those of Latin-1 in UTF-8 (U+0080 to U+009F) too.
std::string visible(std::string_view text);

}  // namespace lanewise
