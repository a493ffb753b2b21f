// Text that came from a file, for a terminal or a report.
#pragma once

#include <string>
#include <string_view>

namespace lanewise {

// Control characters but line ends (of two characters as of one) and tabs as text, "\x1b": a name in a script, a module or a description
// cannot move a terminal's cursor, change its colours or its title. Those of Latin-1 in UTF-8 (U+0080 to U+009F) too. Bytes that are no
// UTF-8 as well, so that the result is UTF-8, without which no program reads XML.
std::string visible(std::string_view text);

bool isUtf8(std::string_view text);

}  // namespace lanewise
