// The SPIR-V modules built from shaders/*.comp, as embedded in the program: unoptimised, with NonSemantic.Shader.DebugInfo.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lanewise {

struct EmbeddedModule {
  std::string_view name;                 // file name relative to shaders/, without ".comp", e.g. "broken/box_blur_remainder_x4"
  std::span<const std::uint32_t> words;  // the whole module, host byte order
};

// All modules, in the order of shaders/CMakeLists.txt. Valid for the life of the program; safe from any thread.
std::span<const EmbeddedModule> embeddedModules();

}  // namespace lanewise
