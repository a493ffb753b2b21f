// Makes a Job from the arguments of `lanewise run` and the module's declarations; or takes a kernel's or a capsule's job as it is.
//
// Every error says which binding or option is wrong, why, and what to write instead. All bindings without data are named in one error.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/contract/device.h"
#include "model/spirv/interface.h"
#include "tools/run/arguments.h"
#include "tools/run/resources.h"
#include "tools/run/then.h"

namespace lanewise {

// What a user asks for, in the words of the options.
struct RunArguments {
  std::string entry{};   // empty: "main", or the only one
  std::string groups{};  // empty: one workgroup
  std::vector<std::string> buffers{}, memory{}, images{}, samplers{}, outs{}, push{}, spec{};
  std::vector<std::string> then{};  // further dispatches and copies (then.h)
  bool zero = false;                // outputs start as zeros instead of poison
};

struct RunRequest : RunArguments {
  std::shared_ptr<const ShaderModule> module;
  std::uint32_t subgroupSize = 0;
  Limits limits;
  // What comes after the first dispatch, and its module.
  struct Next {
    ThenArguments what;
    std::shared_ptr<const ShaderModule> module;  // null: a copy
  };
  std::vector<Next> next{};
};

// The outputs of a run, in the order of RunResult::outputs.
struct RunOutput {
  Slot slot;
  const InterfaceBinding* binding = nullptr;
  std::string title;                  // "0:1 (sums)"
  std::vector<OutArgument> files;     // none: only its hash is reported
  Format texels = Format::UNDEFINED;  // of a texel buffer
};

struct RunJob {
  std::vector<std::shared_ptr<const Interface>> interfaces;   // of each dispatch
  std::vector<const InterfaceEntry*> entries;                 // of each dispatch
  std::shared_ptr<std::deque<ResourceSet>> resources;         // of a module: of each dispatch that is no copy
  std::shared_ptr<const std::deque<InterfaceBinding>> named;  // of a job as it is: bindings with the names of their resources
  Job job;
  std::vector<RunOutput> outputs;
  std::vector<std::string> notes;
};

Expected<RunJob> makeRunJob(const RunRequest& request);

// A job as it is, with the files of --out, which name its outputs (given_job.cpp). Bad input: no such output, or a word about its shape.
Expected<RunJob> givenRunJob(Job job, std::span<const std::string> outs);

// The output of this resource's own name, else the one that the slot's dispatch binds there.
std::optional<std::size_t> outputNamed(const RunJob& runJob, const Slot& slot);

// Bad input if two outputs go to one file.
Status distinctFiles(std::span<const RunOutput> outputs);

// "3=16", "scale=0.5", several with commas; typed as the module declares them. An id that the module does not have, which Vulkan allows, is
// a note, or without `notes` an error.
Expected<std::vector<SpecConstant>> parseSpec(const std::vector<std::string>& texts, const Interface& interface,
                                              std::vector<std::string>* notes = nullptr);
// "u32:5,f32:0.5" or "@bytes.bin", one after another.
Expected<ParsedValues> parsePush(const std::vector<std::string>& texts);

}  // namespace lanewise
