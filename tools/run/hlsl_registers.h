// The registers of HLSL as bindings.
#pragma once

#include <cstdint>
#include <vector>

namespace lanewise {

// HLSL counts the registers of each class from 0, and glslang takes the number as the binding, so that t0 and u0 of a space would be one
// binding. The first variable keeps its number; others get the least ones that are free in their set. A texture and a sampler of the same
// number stay together: Vulkan has a descriptor for both. Which variable is the first depends on the entry point's code. False: no number
// changed.
bool separateRegisters(std::vector<std::uint32_t>& words);

}  // namespace lanewise
