// SPIR-V that is newer than the linked SPIRV-Tools: what the model can execute although the validator does not know it.
//
// The validator gets a copy of the module. In it each newer instruction is replaced by an older one with the same operands and rules, and
// each newer capability, extension, execution mode and decoration is left out. The module itself is not changed. Anything newer that is not
// in the tables here stays in the copy, and the validator refuses it. Non-semantic debug information is left out too, because it does not
// affect the program. Two errors of glslang that every driver accepts are corrected in the copy: an OpFConvert to its operand's own type,
// and VulkanMemoryModel without VulkanMemoryModelDeviceScope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lanewise::spirv {

// The words before the first instruction.
inline constexpr std::size_t kHeaderWords = 5;

namespace newer {
inline constexpr std::uint32_t kConstantCompositeReplicate = 4461, kSpecConstantCompositeReplicate = 4462,
                               kCompositeConstructReplicate = 4463;
inline constexpr std::uint32_t kExtInstWithForwardRefs = 4433;
inline constexpr std::uint32_t kQuadAll = 5110, kQuadAny = 5111;
inline constexpr std::uint32_t kFma = 6030;
inline constexpr std::uint32_t kFDot2MixAcc32 = 6916, kFDot2MixAcc16 = 6917;
}  // namespace newer

// Whether an opcode is one of these, and whether it has a result and a type.
bool isNewer(std::uint32_t opcode);

// The name of a newer capability that the model does not execute; empty for any other number.
std::string_view refusedCapability(std::uint32_t capability);

struct OlderCopy {
  std::vector<std::uint32_t> words;
  std::vector<std::size_t> offsets;  // by instruction of the copy: its word in the module
};

// Makes the copy for the validator. Safe for any words.
OlderCopy withoutNewer(std::span<const std::uint32_t> words);

}  // namespace lanewise::spirv
