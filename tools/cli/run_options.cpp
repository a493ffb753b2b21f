#include "tools/cli/run_options.h"

#include <CLI/CLI.hpp>

#include "tools/cli/comma_lists.h"

namespace lanewise {
namespace {

// One value an occurrence: a value may have commas of its own.
CLI::Option* addList(CLI::App& app, const char* name, std::vector<std::string>& into, const char* help) {
  return app.add_option(name, into, help)->expected(1)->take_all();
}

void addSource(CLI::App& app, SourceArguments& s) {
  app.add_option("MODULE", s.file, "SPIR-V (.spv), its assembly (.spvasm) or a GLSL compute shader (.comp, .glsl)")->required();
  addList(app, "-I,--include", s.include, "GLSL: a folder for #include; may be repeated");
  addList(app, "-D,--define", s.define, "GLSL: NAME or NAME=VALUE; may be repeated");
  app.add_option("--target-env", s.targetEnvironment, "GLSL and assembly: vulkan1.0 to vulkan1.3 (default: vulkan1.3)");
}

}  // namespace

void addRun(CLI::App& app, RunOptions& o) {
  CLI::App* run = app.add_subcommand("run", "Run a module of your own on the model and on devices; see docs/run.md");
  addSource(*run, o.source);
  run->add_option("--groups", o.groups, "Workgroups: X, X,Y or X,Y,Z (default: 1)");
  addList(*run, "--buffer,--texel-buffer", o.buffers,
          "What a buffer holds: 0:0=in.bin, 0:0=u32:1,2,3, 0:0=zeros:4096; by SET:BINDING[:ELEMENT] or by name");
  addList(*run, "--memory", o.memory, "A buffer that only addresses lead to, by a name of yours: nodes=in.bin; addr:nodes is its address");
  addList(*run, "--image", o.images, "What an image holds: 0:1=photo.png:rgba8ui, 0:1=texels.bin:r32f:64x64, 0:1=zeros:rgba8:64x64");
  addList(*run, "--sampler", o.samplers, "What a sampler does: 0:2=linear,repeat,mip=linear");
  addList(*run, "--out", o.outs, "What to write after the run: 0:2=result.exr:64x64:r32f, 0:3=sums.bin:1024, 0:3=-:u32");
  addList(*run, "--push", o.push, "Push constants: u32:5,f32:0.5 or @bytes.bin");
  addList(*run, "--spec", o.spec, "Specialization constants by id or name: 3=16");
  run->add_flag("--zero", o.zero, "Outputs start as zeros instead of poison (A7)");
  run->add_option("--entry", o.entry, "Entry point (default: main, or the only one)");
  run->add_option("--device,--devices", o.device, "Who runs: model, device names, all; commas between")->capture_default_str();
  run->add_option("--profile", o.profile, profileHelp())->capture_default_str();
  run->add_option("--schedule", o.schedule,
                  "The model's order: in-order, reverse, seed:N, last:WORKGROUP, lanes, lanes-reverse, lanes-seed:N, lanes-last:WORKGROUP, "
                  "interleave:seed:N, each with @N or @all for resident workgroups; "
                  "several with commas, or all")
      ->capture_default_str();
  run->add_option("--subgroup-size", o.subgroupSize, "A power of two up to 128 (default: the device's own)");
  run->add_option("--max-steps", o.maxSteps, "Instructions that one invocation may execute on the model (default: 2^32)");
  run->add_option("--timeout", o.timeout, "Seconds that one side may take (default: 30 on devices, none on the model)");
  run->add_option("--threads", o.threads, "Host threads of the model and of CPU devices (default: all cores)");
  run->add_flag("--diff", o.diff, "Compare the sides, value by value; a difference ends with exit code 1");
  run->add_flag("--findings", o.findings,
                "Watch the model run: accesses out of range, reads of what nobody wrote, outputs never written, data races, missed "
                "barriers; a finding ends with exit code 1");
  run->add_option("--patch", o.patch, "What every side runs: the module as it is (none), or with every float operation pinned (exact)")
      ->capture_default_str();
  run->add_flag("--json", o.json, "Print one JSON document and nothing else");
}

void addInspect(CLI::App& app, InspectOptions& o) {
  CLI::App* inspect = app.add_subcommand("inspect", "What a module needs, where it runs, and what devices may differ in");
  addSource(*inspect, o.source);
  addList(*inspect, "--spec", o.spec, "Specialization constants by id or name: sizes are shown with them");
  inspect->add_option("--device,--devices", o.device, "Where it might run: model, device names, all; commas between")
      ->capture_default_str();
  inspect->add_flag("--json", o.json, "Print one JSON document");
}

void addCoverage(CLI::App& app, CoverageOptions& o) {
  CLI::App* coverage = app.add_subcommand("coverage", "What of SPIR-V the model executes: every instruction and capability");
  coverage->add_flag("--json", o.json, "Print one JSON document");
  coverage->add_flag("--markdown", o.markdown, "Print docs/coverage.md");
}

}  // namespace lanewise
