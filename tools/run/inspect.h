// What `lanewise inspect` says of a module. See docs/run.md.
#pragma once

#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "model/spirv/interface.h"
#include "tools/run/unpinned_results.h"

namespace lanewise {

// Whether a side runs an entry point: yes, or why not.
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
  std::string command;                          // a `lanewise run` that works as it is
};

struct Inspection {
  const ShaderModule* module = nullptr;
  const Interface* interface = nullptr;
  std::vector<InspectedEntry> entries;
};

// Everything but `sides`, which the caller fills in. `options` are those of the source, as they stand in a command line.
Inspection inspect(const ShaderModule& module, const spirv::Module& parsed, const Interface& interface, const std::string& options = "");

// Why the device that a profile describes cannot run an entry point: capabilities, limits.
std::vector<std::string> obstacles(const Interface& interface, const InterfaceEntry& entry, const Profile& profile);

// run_command.cpp: a command that gives every binding zeros of a size that one workgroup needs.
std::string runCommand(const ShaderModule& module, const Interface& interface, const InterfaceEntry& entry, const std::string& options);

std::string inspectText(const Inspection& inspection);
std::string inspectJson(const Inspection& inspection, const std::string& version);

// "Shader"; a number for one nobody here knows.
std::string capabilityName(spv::Capability capability);

}  // namespace lanewise
