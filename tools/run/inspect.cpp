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

// The built-ins that differ with the subgroup size, by name; empty for others.
std::string subgroupBuiltIn(const spirv::Module& m, std::uint32_t variable) {
  const spirv::Decoration* built = m.decoration(variable, spv::Decoration::BuiltIn);
  if (built == nullptr || built->operands.empty()) return {};
  switch (static_cast<spv::BuiltIn>(built->operands[0])) {
    case spv::BuiltIn::SubgroupSize:
      return "SubgroupSize";
    case spv::BuiltIn::NumSubgroups:
      return "NumSubgroups";
    case spv::BuiltIn::SubgroupId:
      return "SubgroupId";
    case spv::BuiltIn::SubgroupLocalInvocationId:
      return "SubgroupLocalInvocationId";
    default:
      return {};
  }
}

// What the results may depend on, a line for each place.
std::vector<std::string> dependences(const spirv::Module& m, const InterfaceEntry& entry) {
  const auto instructions = spirv::reachableInstructions(m, entry.function);
  std::set<std::uint32_t> used;
  for (const spirv::Instruction* inst : instructions) used.insert(inst->operands.begin(), inst->operands.end());
  std::vector<std::string> out;
  const auto add = [&](const char* what, const std::string& name, const spirv::Instruction& at, const char* why) {
    const std::string text = fmt::format("{}: {} at {}{}", what, name, placeOf(m, at), why);
    if (std::ranges::find(out, text) == out.end()) out.push_back(text);
  };
  for (const spirv::Instruction* inst : instructions) {
    if (inst->op == spv::Op::OpLoad)
      if (const std::string name = subgroupBuiltIn(m, inst->operand(0)); !name.empty()) add("the subgroup size", name, *inst, "");
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
