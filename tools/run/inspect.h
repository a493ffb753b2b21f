// What `lanewise inspect` reports about a module. See docs/run.md.
#pragma once

#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "model/spirv/interface.h"
#include "tools/run/unpinned_results.h"

namespace lanewise {

// Whether a side can run an entry point, or why not.
struct Runnable {
  std::string side;
  std::vector<std::string> obstacles;  // none: it runs
};

struct InspectedEntry {
  const InterfaceEntry* entry = nullptr;
  std::vector<Runnable> sides;
  std::vector<OpenResult> open;
  std::string floatModes;
  std::vector<std::string> subgroupOperations;  // "OpGroupNonUniformIAdd at kernel.comp:12"
  std::vector<std::string> depends;             // what else its results may depend on: "the subgroup size: SubgroupSize at kernel.comp:12"
  std::string command;                          // a `lanewise run` that works as it is
};

struct Inspection {
  const ShaderModule* module = nullptr;
  const Interface* interface = nullptr;
  std::vector<InspectedEntry> entries;
};

// What no look at a module can tell.
inline constexpr const char* kNotKnown =
    "data races, memory that nobody has written, accesses out of range, operands without a result (x / 0): they show when it runs "
    "(`lanewise check`)";

// Everything but `sides`, which the caller fills in. `options` are the source's options, written as on a command line. `spec` are the
// specialization constants that `interface` was read with.
Inspection inspect(const ShaderModule& module, const spirv::Module& parsed, const Interface& interface, const std::string& options = "",
                   std::span<const SpecConstant> spec = {});

// Why the device described by a profile cannot run an entry point: capabilities, limits.
std::vector<std::string> obstacles(const Interface& interface, const InterfaceEntry& entry, const Profile& profile);

// A command that gives every binding zeros, of a size that one workgroup needs (run_command.cpp).
std::string runCommand(const ShaderModule& module, const Interface& interface, const InterfaceEntry& entry, const std::string& options,
                       std::span<const SpecConstant> spec = {});

std::string inspectText(const Inspection& inspection);
std::string inspectJson(const Inspection& inspection, const std::string& version);

}  // namespace lanewise
