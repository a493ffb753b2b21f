// A kernel from a file: SPIR-V, SPIR-V assembly, GLSL, or HLSL.
//
// A file that begins with SPIR-V's magic number, in either byte order, is SPIR-V. Otherwise the ending of its name decides: .spvasm and
// .asm are assembled by SPIRV-Tools, for the version that the comment "; Version: 1.4" at their head names; .comp, .glsl and .hlsl are
// compiled by shaderc, unoptimised and with debug information. Errors: kIoError (cannot be read), kBadInput (an option that its language
// has no use for; it does not compile: every message with its file and line), kUnsupported (a build without shaderc).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/contract/device.h"

namespace lanewise {

struct SourceOptions {
  std::vector<std::string> includeFolders;  // searched after the folder of the file that includes
  std::vector<std::string> defines;         // NAME or NAME=VALUE
  std::string targetEnvironment;            // vulkan1.0 to vulkan1.3, vulkan1.1spv1.4; empty: vulkan1.3
  bool optimise = false;                    // as spirv-opt -O does
  std::string entry{};                      // HLSL: the function; empty: main
};

Expected<std::shared_ptr<const ShaderModule>> loadModule(const std::string& file, const SourceOptions& options = {});

// Compiles GLSL or HLSL (glsl.cpp).
Expected<std::vector<std::uint32_t>> compileSource(const std::string& file, const std::string& text, const SourceOptions& options);

}  // namespace lanewise
