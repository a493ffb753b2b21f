// A script's text as values. A text that begins with "#!amber" is AmberScript, any other one the older form of sections.
//
// Promise: any text gives a script or one Error with the file, the line and the column; memory is bounded by kMostBytes. Errors: bad input;
// kUnsupported for what is no compute (vertex shaders, draw commands, ray tracing) and for OpenCL C, by name; kIoError for files that it
// names. A device is asked for the features and extensions when the script runs (requirements.h).
#pragma once

#include <string>
#include <string_view>

#include "tools/amber/script.h"

namespace lanewise::amber {

// Files that the script names are searched in `folder`.
Expected<Script> parseScript(const std::string& file, std::string_view text, const std::string& folder);
Expected<Script> readScript(const std::string& file);
// By the ending of its name, .amber, .vkscript or VkRunner's .shader_test.
bool isScriptFile(const std::string& file);

}  // namespace lanewise::amber
