// Every option that says what a command works on: its field, its name in a saved state, its names on the command line, and its help.
//
// Saved states, the command line, and the check that refuses options that do not belong together all read these rows. A field with its
// initial value has not been given.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/catalogue/kernel.h"
#include "tools/run/make_job.h"
#include "tools/run/module_file.h"

namespace lanewise {

// For a module: the options of `lanewise run` that say what it is and what data it has.
struct ModuleArguments {
  SourceOptions source{};
  RunArguments run{};
  std::uint64_t maxSteps = 0;  // 0: the usual limit
  double timeout = 0;          // 0: none
};

// For a kernel of the catalogue.
struct CaseArguments {
  std::string size{}, radius{}, edge{}, input{};
  std::vector<std::string> with{};
  const std::atomic<bool>* stop = nullptr;  // no option: set from outside, and runs that say what is right end as interrupted
};

struct SubjectArguments {
  std::string text{};
  CaseArguments kernel{};
  ModuleArguments module{};
  std::uint32_t subgroupSize = 0;  // 0: the device's own
};

// What an option is for: any subject; any single subject, but no set of cases; a case of a kernel; a kernel or its sets; a module.
enum class For : std::uint8_t { kAny, kOne, kCase, kKernel, kModule };
struct OptionRow {
  For what;
  const char* field;  // in a saved state
  const char* names;  // on the command line
  const char* help;
};

// "--include" of "-I,--include". Empty for the subject itself, which has no option.
inline std::string longName(const OptionRow& row) {
  std::string_view names = row.names;
  names.remove_prefix(std::min(names.find("--"), names.size()));
  return std::string(names.substr(0, names.find(',')));
}

// Calls use(row, field) for each option.
template <class Arguments, class Use>
void forEachSourceOption(Arguments& s, const Use& use) {
  use(OptionRow{For::kModule, "include", "-I,--include", "GLSL, HLSL: a folder for #include; may be repeated"}, s.includeFolders);
  use(OptionRow{For::kModule, "define", "-D,--define", "GLSL, HLSL: NAME or NAME=VALUE; may be repeated"}, s.defines);
  use(
      OptionRow{
          For::kModule, "targetEnvironment", "--target-env",
          "GLSL, HLSL and assembly: vulkan1.0 to vulkan1.3, or vulkan1.1spv1.4 (default: vulkan1.3, or the version that assembly names)"},
      s.targetEnvironment);
  use(OptionRow{For::kModule, "optimise", "-O,--optimise", "GLSL, HLSL: optimise it, as spirv-opt -O does"}, s.optimise);
}

template <class Arguments, class Use>
void forEachModuleOption(Arguments& m, const Use& use) {
  forEachSourceOption(m.source, use);
  use(OptionRow{For::kModule, "groups", "--groups", "Workgroups: X, X,Y or X,Y,Z (default: 1)"}, m.run.groups);
  use(OptionRow{For::kModule, "buffer", "--buffer,--texel-buffer",
                "What a buffer holds: 0:0=in.bin, 0:0=u32:1,2,3, 0:0=zeros:4096; by SET:BINDING[:ELEMENT] or by name"},
      m.run.buffers);
  use(
      OptionRow{
          For::kModule, "memory", "--memory",
          "A buffer without a binding, with a name that you choose: nodes=in.bin; addr:nodes is its device address. Or weak:seed:N: stale "
          "memory, where the seed decides what is not seen yet (docs/model.md)"},
      m.run.memory);
  use(OptionRow{For::kModule, "image", "--image",
                "What an image holds: 0:1=photo.png:rgba8ui, 0:1=texels.bin:r32f:64x64, 0:1=zeros:rgba8:64x64"},
      m.run.images);
  use(OptionRow{For::kModule, "sampler", "--sampler", "What a sampler does: 0:2=linear,repeat,mip=linear"}, m.run.samplers);
  use(OptionRow{For::kModule, "out", "--out", "What to write after the run: 0:2=result.exr:64x64:r32f, 0:3=sums.bin:1024, 0:3=-:u32"},
      m.run.outs);
  use(OptionRow{For::kModule, "push", "--push", "Push constants: u32:5,f32:0.5 or @bytes.bin"}, m.run.push);
  use(OptionRow{For::kModule, "spec", "--spec", "Specialization constants by id or name: 3=16"}, m.run.spec);
  use(
      OptionRow{
          For::kModule, "then", "--then",
          "Another dispatch after it, '[FILE] --groups 8 --entry E --push .. --spec .. --no-barrier', or 'copy 0:1 0:0'; may be repeated. "
          "It keeps what is bound; 2/0:1 is binding 0:1 of the second dispatch"},
      m.run.then);
  use(OptionRow{For::kModule, "zero", "--zero", "Outputs start as zeros instead of poison (A7)"}, m.run.zero);
  use(OptionRow{For::kModule, "entry", "--entry", "Entry point (default: main, or the only one)"}, m.run.entry);
  use(OptionRow{For::kAny, "maxSteps", "--max-steps", "Step limit of an invocation on the model (default: 2^32; check: 2^24)"}, m.maxSteps);
}

template <class Arguments, class Use>
void forEachCaseOption(Arguments& a, const Use& use) {
  use(OptionRow{For::kCase, "size", "--size", "Of a kernel: picture size (default: 1x1)"}, a.kernel.size);
  use(OptionRow{For::kCase, kRadiusParameter, "--radius", "Of a kernel: blur radius"}, a.kernel.radius);
  use(OptionRow{For::kCase, kEdgeParameter, "--edge", "Of a kernel: edge mode"}, a.kernel.edge);
  use(OptionRow{For::kCase, "input", "--input", "Of a kernel: input (default: noise:1)"}, a.kernel.input);
  use(OptionRow{For::kKernel, "with", "--with", "Of a kernel or a case: a parameter, NAME=VALUE; may be repeated"}, a.kernel.with);
  use(OptionRow{For::kOne, "subgroupSize", "--subgroup-size", "A power of two up to 128 (default: the device's own)"}, a.subgroupSize);
}

template <class Arguments, class Use>
void forEachOption(Arguments& a, const Use& use) {
  use(OptionRow{For::kAny, "subject", "SUBJECT", "A kernel by its name, a case as reports name it, a capsule, or a module's file"}, a.text);
  forEachCaseOption(a, use);
  forEachModuleOption(a.module, use);
}

}  // namespace lanewise
