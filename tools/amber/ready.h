// A script made ready to run: its shaders compiled, its pipelines' descriptors matched with what the modules declare.
//
// Shaders. GLSL and HLSL are compiled as `lanewise run` compiles them, with the script's lines. Assembly without TARGET_ENV has the version
// that its head names, else the first of SPIR-V 1.0, 1.3 and 1.6 under which it is valid. Errors: bad input, unsupported.
#pragma once

#include <memory>
#include <span>

#include "model/spirv/interface.h"
#include "tools/amber/script.h"
#include "tools/run/make_job.h"
#include "tools/run/module_file.h"

namespace lanewise::amber {

struct ReadyPipeline {
  std::shared_ptr<const Interface> interface {};  // null: nothing runs it
  const InterfaceEntry* entry = nullptr;
  Dispatch dispatch;                  // without its groups and push constants
  std::vector<std::size_t> uses{};    // buffers that it binds
  std::vector<std::size_t> writes{};  // those of them that it may write
};

struct ReadyScript {
  Script script;
  std::vector<ReadyPipeline> pipelines{};  // in the order of the script's
  std::vector<bool> outputs{};             // buffers that a run or a copy may write
};

// `options`: of `lanewise run`. TARGET_ENV of a shader has priority.
Expected<std::shared_ptr<const ReadyScript>> makeReady(Script script, const SourceOptions& options);

// What reports say of the runs: a dispatch for each RUN, and as outputs all that may be written, in the order of the script's buffers.
// `outs`: of --out, by the names of buffers.
Expected<RunJob> reportOf(const ReadyScript& ready, std::span<const std::string> outs = {});

// The resource of a buffer, with these bytes.
Resource resourceOf(const Buffer& buffer, std::vector<std::byte> bytes);

// The script as one job: its runs and its copies between them, without its expectations.
struct WholeScript {
  Job job;
  std::vector<std::uint32_t> runs;          // of each run its dispatch
  std::vector<std::uint32_t> expectations;  // of each EXPECT the number of dispatches before it
};
// As ScriptRun::whole() makes it.
Expected<WholeScript> wholeScript(const ReadyScript& ready);

}  // namespace lanewise::amber
