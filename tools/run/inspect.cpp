#include "tools/run/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/ir/operation_info.h"
#include "model/spirv/capability_name.h"
#include "model/spirv/uses.h"

namespace lanewise {
namespace {

bool isSubgroupOperation(spv::Op op) {
  return ir::factsOf(op).across != ir::Across::kNone;
}

// The built-ins that differ with the subgroup size.
constexpr std::pair<spv::BuiltIn, const char*> kOfSubgroups[] = {{spv::BuiltIn::SubgroupSize, "SubgroupSize"},
                                                                 {spv::BuiltIn::NumSubgroups, "NumSubgroups"},
                                                                 {spv::BuiltIn::SubgroupId, "SubgroupId"},
                                                                 {spv::BuiltIn::SubgroupLocalInvocationId, "SubgroupLocalInvocationId"},
                                                                 {spv::BuiltIn::SubgroupEqMask, "SubgroupEqMask"},
                                                                 {spv::BuiltIn::SubgroupGeMask, "SubgroupGeMask"},
                                                                 {spv::BuiltIn::SubgroupGtMask, "SubgroupGtMask"},
                                                                 {spv::BuiltIn::SubgroupLeMask, "SubgroupLeMask"},
                                                                 {spv::BuiltIn::SubgroupLtMask, "SubgroupLtMask"},
                                                                 {spv::BuiltIn::WarpsPerSMNV, "WarpsPerSMNV"},
                                                                 {spv::BuiltIn::WarpIDNV, "WarpIDNV"}};

// The name of a variable of these; empty for others.
std::string subgroupBuiltIn(const spirv::Module& m, std::uint32_t variable) {
  const std::optional<std::uint32_t> built = m.decorationNumber(variable, spv::Decoration::BuiltIn);
  const auto* const found =
      std::ranges::find_if(kOfSubgroups, [&](const auto& one) { return built == static_cast<std::uint32_t>(one.first); });
  return found == std::end(kOfSubgroups) ? "" : found->second;
}

// What the results may depend on, a line for each place.
std::vector<std::string> dependences(const spirv::Module& m, const InterfaceEntry& entry) {
  const auto instructions = spirv::reachableInstructions(m, entry.function);
  std::set<std::uint32_t> used;
  for (const spirv::Instruction* inst : instructions) used.insert(m.namedBy(*inst).begin(), m.namedBy(*inst).end());
  std::vector<std::string> out;
  const auto add = [&](const char* what, const std::string& name, const spirv::Instruction& at, const char* why) {
    const std::string text = fmt::format("{}: {} at {}{}", what, name, placeOf(m, at), why);
    if (std::ranges::find(out, text) == out.end()) out.push_back(text);
  };
  for (const spirv::Instruction* inst : instructions) {
    for (const std::uint32_t id : m.namedBy(*inst))
      if (const std::string name = subgroupBuiltIn(m, id); !name.empty()) add("the subgroup size", name, *inst, "");
    if (isSubgroupOperation(inst->op)) add("the subgroup size", spirv::opName(inst->op), *inst, "");
    const ir::AtomicUse atomic = ir::factsOf(inst->op).atomic;
    if (atomic == ir::AtomicUse::kLoads) add("the order of invocations", spirv::opName(inst->op), *inst, "");
    if (atomic >= ir::AtomicUse::kExchanges && used.contains(inst->result))
      add("the order of invocations", spirv::opName(inst->op), *inst, ", whose result is used");
    if (inst->op == spv::Op::OpUndef) add("a value that is not defined", spirv::opName(inst->op), *inst, "");
    if (inst->op == spv::Op::OpReadClockKHR) add("time", spirv::opName(inst->op), *inst, "");
  }
  return out;
}

}  // namespace

Inspection inspect(const ShaderModule& module, const spirv::Module& parsed, const Interface& interface, const std::string& options,
                   std::span<const SpecConstant> spec) {
  Inspection out{&module, &interface, {}};
  const Expected<spirv::Declarations> declarations = spirv::readDeclarations(parsed, spec);  // no error: `interface` comes from the same
  for (const InterfaceEntry& entry : interface.entries) {
    InspectedEntry one;
    one.entry = &entry;
    one.open = openResults(parsed, *declarations, entry);
    one.floatModes = floatModesText(interface, entry);
    for (const spirv::Instruction* inst : spirv::reachableInstructions(parsed, entry.function)) {
      if (!isSubgroupOperation(inst->op)) continue;
      const std::string text = fmt::format("{} at {}", spirv::opName(inst->op), placeOf(parsed, *inst));
      if (std::find(one.subgroupOperations.begin(), one.subgroupOperations.end(), text) == one.subgroupOperations.end())
        one.subgroupOperations.push_back(text);
    }
    one.depends = dependences(parsed, entry);
    one.command = runCommand(module, interface, entry, options, spec);
    out.entries.push_back(std::move(one));
  }
  return out;
}

std::vector<std::string> obstacles(const Interface& interface, const InterfaceEntry& entry, const Profile& profile) {
  std::vector<std::string> out = entry.conflicts;
  for (const spv::Capability capability : interface.capabilities) {
    const std::string name = spirv::capabilityName(capability);
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
