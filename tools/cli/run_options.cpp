#include "tools/cli/run_options.h"

#include <CLI/CLI.hpp>

#include "tools/cli/subject_options.h"

namespace lanewise {
namespace {

constexpr const char* kSubject =
    "A module's file: SPIR-V (.spv), its assembly (.spvasm) or a GLSL compute shader (.comp, .glsl); or a kernel by its name, a case as "
    "reports name it, or a capsule";

}  // namespace

void addRun(CLI::App& app, RunOptions& o) {
  CLI::App* run = app.add_subcommand("run", "Run your own module, a kernel or a capsule on the model and on devices; see docs/run.md");
  addSubject(*run, o.subject);
  run->get_option("SUBJECT")->description(kSubject)->required();
  run->add_option("--device,--devices", o.device, "What to run on: model, device names, or all; separated by commas")
      ->capture_default_str();
  addWay(*run, o.profile, o.schedule);
  run->get_option("--schedule")
      ->description(
          "The model's order: in-order, reverse, seed:N, last:WORKGROUP, lanes, lanes-reverse, lanes-seed:N, lanes-last:WORKGROUP, "
          "interleave:seed:N, each with @N or @all for resident workgroups; several with commas, or all (default: in-order, or a capsule's "
          "own)");
  run->add_option("--timeout", o.subject.module.timeout,
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
  CLI::App* inspect = app.add_subcommand("inspect", "Show what modules need, where they run, and where devices may differ");
  inspect->add_option("SUBJECT", o.subject.text, kSubject)->required();
  addCase(*inspect, o.subject);
  addSource(*inspect, o.subject.module.source);
  addEach(*inspect, "--spec", o.subject.module.run.spec, "Specialization constants by id or name; sizes are computed with them");
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
