// The SPIR-V of text programs: .comp files as the build compiled them, .spvasm files assembled here; and the same optimised.
#pragma once

#include <spirv-tools/libspirv.h>
#include <memory>
#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "model/contract/device.h"
#include "tests/text/program_text.h"

namespace lanewise::text {

// Every program's file name, sorted; without those of which only one order is known (`one-order`).
std::vector<std::string> programFiles();
std::vector<std::string> allProgramFiles();
std::string programPath(const std::string& file);

Expected<std::shared_ptr<const ShaderModule>> programModule(const std::string& file);

// Assembly as a module; without words, and named by the messages, if it does not assemble.
std::shared_ptr<const ShaderModule> assembled(const std::string& text, spv_target_env environment = SPV_ENV_VULKAN_1_3);

// The module after spirv-opt -O or -Os; nothing if the optimiser refuses it.
std::shared_ptr<const ShaderModule> optimised(const ShaderModule& module, bool forSize);

}  // namespace lanewise::text
