// A module whose local variables stay in memory on every device: each scalar and vector of a function becomes an array of two, and its
// index is a 0 that a compiler does not know. The module does what it did.
//
// It tells what a compiler does to values that it keeps in registers. Gap: what is no variable in the module, as after spirv-opt -O, stays
// as it is, and so does what has an initializer, or is handed to a function.
#pragma once

#include <optional>
#include <string>

#include "model/contract/device.h"
#include "model/spirv/module.h"

namespace lanewise {

// Empty: no variable can be changed so. The result is not validated.
std::optional<ShaderModule> withLocalsInMemory(const spirv::Module& module, const std::string& entryPoint);

}  // namespace lanewise
