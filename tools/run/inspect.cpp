#include "tools/run/inspect.h"
#include "model/spirv/uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <spirv-tools/libspirv.hpp>
#include <sstream>

namespace lanewise {
namespace {

bool isSubgroupOperation(spv::Op op) {
  const auto n = static_cast<std::uint32_t>(op);
  return (n >= 333 && n <= 366) || (n >= 4421 && n <= 4432) ||
         n == 5296;  // OpGroupNonUniform*, OpSubgroup*KHR, OpGroupNonUniformPartitionNV
}

}  // namespace

// SPIRV-Tools has the names only in its disassembler, so this disassembles a module of one OpCapability.
std::string capabilityName(spv::Capability capability) {
  const std::uint32_t words[] = {0x07230203, 0x00010600, 0, 1, 0, 2u << 16 | 17u, static_cast<std::uint32_t>(capability)};
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  std::string text;
  if (!tools.Disassemble(words, std::size(words), &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER))
    return std::to_string(static_cast<std::uint32_t>(capability));
  std::istringstream in(text);
  std::string op, name;
  in >> op >> name;
  return name;
}

Inspection inspect(const ShaderModule& module, const spirv::Module& parsed, const Interface& interface, const std::string& options,
                   std::span<const SpecConstant> spec) {
  Inspection out{&module, &interface, {}};
  for (const InterfaceEntry& entry : interface.entries) {
    InspectedEntry one;
    one.entry = &entry;
    one.open = openResults(parsed, interface, entry);
    one.floatModes = floatModesText(interface, entry);
    for (const spirv::Instruction* inst : spirv::reachableInstructions(parsed, entry.function)) {
      if (!isSubgroupOperation(inst->op)) continue;
      const std::string text = fmt::format("{} at {}", spirv::opName(inst->op), placeOf(parsed, *inst));
      if (std::find(one.subgroupOperations.begin(), one.subgroupOperations.end(), text) == one.subgroupOperations.end())
        one.subgroupOperations.push_back(text);
    }
    one.command = runCommand(module, interface, entry, options, spec);
    out.entries.push_back(std::move(one));
  }
  return out;
}

std::vector<std::string> obstacles(const Interface& interface, const InterfaceEntry& entry, const Profile& profile) {
  std::vector<std::string> out = entry.conflicts;
  for (const spv::Capability capability : interface.capabilities) {
    const std::string name = capabilityName(capability);
    if (std::find(profile.capabilities.begin(), profile.capabilities.end(), name) == profile.capabilities.end())
      out.push_back(fmt::format("it lacks the capability {}", name));
  }
  std::uint64_t invocations = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    invocations *= entry.localSize[i];
    if (entry.localSize[i] > profile.maxWorkgroupSize[i])
      out.push_back(fmt::format("workgroups of {} on axis {}, it has {}", entry.localSize[i], "xyz"[i], profile.maxWorkgroupSize[i]));
  }
  if (invocations > profile.maxWorkgroupInvocations)
    out.push_back(fmt::format("workgroups of {} invocations, it has {}", invocations, profile.maxWorkgroupInvocations));
  if (entry.pushBytes > profile.maxPushConstants)
    out.push_back(fmt::format("{} bytes of push constants, it has {}", entry.pushBytes, profile.maxPushConstants));
  return out;
}

}  // namespace lanewise
