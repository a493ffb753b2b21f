#include "tools/cli/run_options.h"

#include <CLI/CLI.hpp>

#include "tools/cli/subject_options.h"
#include "tools/subject/comma_lists.h"

namespace lanewise {
namespace {

constexpr const char* kModule = "SPIR-V (.spv), its assembly (.spvasm) or a GLSL compute shader (.comp, .glsl)";

}  // namespace

void addRun(CLI::App& app, RunOptions& o) {
  CLI::App* run = app.add_subcommand("run", "Run your own module on the model and on devices; see docs/run.md");
  run->add_option("MODULE", o.file, kModule)->required();
  addModule(*run, o.module);
  run->add_option("--device,--devices", o.device, "What to run on: model, device names, or all; separated by commas")
      ->capture_default_str();
  run->add_option("--profile", o.profile, profileHelp())->capture_default_str();
  run->add_option("--schedule", o.schedule,
                  "The model's order: in-order, reverse, seed:N, last:WORKGROUP, lanes, lanes-reverse, lanes-seed:N, lanes-last:WORKGROUP, "
                  "interleave:seed:N, each with @N or @all for resident workgroups; "
                  "several with commas, or all")
      ->capture_default_str();
  run->add_option("--subgroup-size", o.subgroupSize, "A power of two up to 128 (default: the device's own)");
  run->add_option("--timeout", o.module.timeout,
                  "Time limit in seconds, for the model and each device (default: 30 on devices, none on the model)");
  run->add_option("--threads", o.threads, "Host threads of the model and of CPU devices (default: all cores)");
  run->add_flag("--diff", o.diff, "Compare the outputs of the model and the devices; a difference gives exit code 1");
  run->add_flag("--findings", o.findings,
                "Observe the model: accesses out of range, reads of unwritten memory, outputs never written, data races, missed "
                "barriers; a finding gives exit code 1");
  run->add_option("--patch", o.patch,
                  "Patch the module before it runs: none, or exact, which makes each float operation one IEEE operation")
      ->capture_default_str();
  run->add_flag("--json", o.json, "Print one JSON document and nothing else");
}

void addInspect(CLI::App& app, InspectOptions& o) {
  CLI::App* inspect = app.add_subcommand("inspect", "Show what a module needs, where it runs, and where devices may differ");
  inspect->add_option("MODULE", o.file, kModule)->required();
  addSource(*inspect, o.source);
  addEach(*inspect, "--spec", o.spec, "Specialization constants by id or name; sizes are computed with them");
  inspect->add_option("--device,--devices", o.device, "Where it should run: model, device names, or all; separated by commas")
      ->capture_default_str();
  inspect->add_flag("--json", o.json, "Print one JSON document");
}

void addCoverage(CLI::App& app, CoverageOptions& o) {
  CLI::App* coverage = app.add_subcommand("coverage", "List which instructions and capabilities of SPIR-V the model executes");
  coverage->add_flag("--json", o.json, "Print one JSON document");
  coverage->add_flag("--markdown", o.markdown, "Print docs/coverage.md");
}

}  // namespace lanewise
