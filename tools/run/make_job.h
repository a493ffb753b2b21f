// From what a user asks for to a Job: the arguments of `lanewise run` laid against what the module declares.
//
// Every error says what is wrong with which binding or option and what to write instead; all bindings that have nothing are named at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/contract/device.h"
#include "model/spirv/interface.h"
#include "tools/run/arguments.h"
#include "tools/run/resources.h"

namespace lanewise {

// What a user says of a module's run, in the words of the options.
struct RunArguments {
  std::string entry{};   // empty: "main", or the only one
  std::string groups{};  // empty: one workgroup
  std::vector<std::string> buffers{}, memory{}, images{}, samplers{}, outs{}, push{}, spec{};
  bool zero = false;  // outputs start as zeros instead of poison
};

struct RunRequest : RunArguments {
  std::shared_ptr<const ShaderModule> module;
  std::uint32_t subgroupSize = 0;
  Limits limits;
};

// What comes back from a run: RunResult::outputs in this order.
struct RunOutput {
  Slot slot;
  const InterfaceBinding* binding = nullptr;
  std::vector<OutArgument> files;     // none: only its hash is of interest
  Format texels = Format::UNDEFINED;  // of a texel buffer
};

struct RunJob {
  std::shared_ptr<Interface> interface;
  std::shared_ptr<ResourceSet> resources;
  const InterfaceEntry* entry = nullptr;
  Job job;
  std::vector<RunOutput> outputs;
  std::vector<std::string> notes;
};

Expected<RunJob> makeRunJob(const RunRequest& request);

// "3=16", "scale=0.5", several with commas; typed as the module declares them.
Expected<std::vector<SpecConstant>> parseSpec(const std::vector<std::string>& texts, const Interface& interface);
// "u32:5,f32:0.5" or "@bytes.bin", one after another.
Expected<ParsedValues> parsePush(const std::vector<std::string>& texts);

}  // namespace lanewise
