// The older form of a script, of sections: [require], [compute shader], [compute shader spirv], [compute shader spirv hex], [test]. It has
// one compute shader; its buffers come into being by the commands that give them data, and are as large as the last of these needs.
#pragma once

#include "tools/amber/script.h"

namespace lanewise::amber {

// Promise and errors: as parseScript().
Expected<Script> parseSections(const std::string& file, std::string_view text);

}  // namespace lanewise::amber
