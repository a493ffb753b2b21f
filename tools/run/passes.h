// A module after chosen passes of SPIRV-Tools.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/contract/device.h"

namespace lanewise {

// `passes`: the options of spirv-opt, "--merge-return". Bad input: there is no such pass. Unsupported: SPIRV-Tools cannot do it.
Expected<std::shared_ptr<const ShaderModule>> afterPasses(const ShaderModule& module, const std::vector<std::string>& passes);

}  // namespace lanewise
