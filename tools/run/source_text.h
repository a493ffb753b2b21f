// Sources that are no file: the text of a script's shader. Each is compiled as module_file.h compiles files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/base/outcome.h"

namespace lanewise {

struct ShaderModule;
struct SourceOptions;

// A text in GLSL or HLSL. `files`: by path, found first by #include.
struct SourceText {
  std::string file;  // its name in messages
  std::string text;
  bool hlsl = false;
  const std::vector<std::pair<std::string, std::string>>* files = nullptr;
};
// A folder for compiled sources (kept_source.h); empty: none are kept.
struct KeptIn {
  std::string folder;
};
// Compiles it (glsl.cpp). `options`: an unknown environment is bad input.
Expected<std::vector<std::uint32_t>> compileText(const SourceText& source, const SourceOptions& options, const KeptIn& keptIn = {});

// module_file.h's, with a place where compiled sources are kept.
Expected<std::shared_ptr<const ShaderModule>> loadModule(const std::string& file, const SourceOptions& options, const KeptIn& keptIn);

// Assembles a text for an environment; for an empty one for the version that the comment at `head` names, else for Vulkan 1.3.
Expected<std::vector<std::uint32_t>> assembleText(const std::string& file, const std::string& text, const std::string& environment,
                                                  const std::string& head);
bool assemblyNamesVersion(const std::string& text);
// vulkan1.0 to vulkan1.3, vulkan1.1spv1.4, spv1.0 to spv1.6, or empty. Bad input: another one.
Status checkEnvironment(const std::string& environment);

}  // namespace lanewise
