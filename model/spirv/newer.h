// SPIR-V that is newer than the linked SPIRV-Tools: what the model can execute although the validator does not know it.
//
// The validator gets a copy of the module. In it each newer instruction is replaced by an older one (newer.inc), and each newer capability,
// extension, execution mode and decoration is left out. What the older instruction cannot say about the operands is checked here. The
// module itself is not changed. Anything newer that is not in the tables here stays in the copy, and the validator refuses it.
// Non-semantic debug information is left out too, because it does not affect the program. Two errors of glslang that every driver accepts
// are corrected in the copy: an OpFConvert to its operand's own type, and VulkanMemoryModel without VulkanMemoryModelDeviceScope. Gap: an
// atomic operation on vectors may have any constants for its scope and semantics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::spirv {

// The words before the first instruction.
inline constexpr std::size_t kHeaderWords = 5;

namespace newer {
#define NEWER(name, number, ...) inline constexpr spv::Op name{number};
#include "model/spirv/newer.inc"
#undef NEWER
inline constexpr spv::ExecutionMode FPFastMathDefault{6028};
}  // namespace newer

// Of an instruction of newer.inc, each of which has a result and a type; empty for any other.
std::string_view newerName(spv::Op op);

// The name of a newer capability that the model does not execute; empty for any other number.
std::string_view refusedCapability(std::uint32_t capability);
// The name of any newer capability in the tables; empty for any other number.
std::string_view newerCapability(std::uint32_t capability);

struct OlderCopy {
  std::vector<std::uint32_t> words;
  std::vector<std::size_t> offsets;  // by instruction of the copy: its word in the module
  std::string wrong;                 // why an instruction of newer.inc is not valid; empty if all are
  std::size_t wrongAt = 0;           // its word
};

// Makes the copy for the validator. Safe for any words.
OlderCopy withoutNewer(std::span<const std::uint32_t> words);

}  // namespace lanewise::spirv
