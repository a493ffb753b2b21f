// SPIR-V that is newer than the linked SPIRV-Tools: what the model can execute although the validator does not know it.
//
// The validator gets a copy in which each such instruction is replaced by an older one of the same operands and rules, and each such
// capability, extension, execution mode and decoration is left out; the module itself stays as it is. What is not in the tables here stays
// in the copy, and the validator refuses it. Left out too is non-semantic debug information: whatever a compiler wrote there, the program
// is the same. Two errors of glslang that every driver accepts are corrected in the copy: an OpFConvert to its operand's own type, and
// VulkanMemoryModel without VulkanMemoryModelDeviceScope.
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
  std::vector<std::size_t> offsets;  // by instruction of the copy: the word where it stands in the module
};

// The copy for the validator. Reads any words without harm.
OlderCopy withoutNewer(std::span<const std::uint32_t> words);

}  // namespace lanewise::spirv
