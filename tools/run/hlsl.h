// HLSL as it was written, for debuggers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/run/module_file.h"
#include "tools/run/source_text.h"

namespace lanewise {

// What an #include names. Without a name there is no such file, and the text says so.
struct Included {
  std::string name, text;
};
using FindIncluded = std::function<Included(const std::string& requested, const std::string& requesting, bool besideToo)>;

struct WrittenHlsl {
  // The function that only the initializer of a global calls, and that glslang drops for that: neither it nor shaderc survives to write the
  // call. Empty: there is none.
  std::string lost;
  // Empty: the source is wrong, or the module is not valid so, and has to be legalised, as shaderc does.
  std::vector<std::uint32_t> words;
};

// A source as the preprocessor leaves it, in its lines; files that it includes stand in it. Nothing: it is wrong, or glslang's headers are
// not there.
std::optional<std::string> preprocessedHlsl(const SourceText& source, const SourceOptions& options, const FindIncluded& find);

// A source by glslang alone: functions and variables are kept, and the debug information describes them.
WrittenHlsl hlslAsWritten(const SourceText& source, const SourceOptions& options, const std::string& entry, const FindIncluded& find);

}  // namespace lanewise
