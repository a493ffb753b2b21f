#include "tools/cli/run_options.h"

#include <CLI/CLI.hpp>

#include "tools/cli/subject_options.h"
#include "tools/subject/comma_lists.h"

namespace lanewise {
namespace {

constexpr const char* kSubject =
    "A module's file: SPIR-V (.spv), its assembly (.spvasm) or a compute shader in GLSL (.comp, .glsl) or HLSL (.hlsl); or a kernel by its "
    "name, a case as reports name it, a capsule, a script in AmberScript (.amber, .vkscript), or a folder of scripts";

}  // namespace

void addRun(CLI::App& app, RunOptions& o) {
  CLI::App* run = app.add_subcommand("run", "Run your own module, a kernel or a capsule on the model and on devices; see docs/run.md");
  addSubject(*run, o.subject);
  run->get_option("SUBJECT")->description(kSubject)->required();
  run->add_option("--device,--devices", o.device, "What to run on: model, device names, or all; separated by commas")
      ->capture_default_str();
  run->remove_option(run->get_option("--subgroup-size"));
  run->add_option("--subgroup-size,--subgroup-sizes", o.subgroupSizes,
                  "Powers of two up to 128, separated by commas, or all (default: the device's own)");
  run->add_flag("--full-subgroups", o.fullSubgroups,
                "Every subgroup has all of its invocations: a workgroup whose width is no multiple of the subgroup size is an error");
  addWay(*run, o.profile, o.schedule);
  run->get_option("--profile")->description(profileHelp() + "; several with commas, or all (default: strict, or a capsule's own)");
  addEach(*run, "--expect", o.expect, "What an output has to be: sums=expected.bin, 0:2=right.exr, sums=u32:1,2,3; may be repeated");
  addEach(*run, "--tolerance", o.tolerance,
          "What it may differ by: ulp=2, absolute=1e-5, relative=1e-6 or rmse=0.5, of all outputs or sums:ulp=2");
  run->get_option("--schedule")
      ->description(
          "The model's order: in-order, reverse, seed:N, last:WORKGROUP, lanes, lanes-reverse, lanes-seed:N, lanes-last:WORKGROUP, "
          "interleave:seed:N, turns:SUBGROUP.TURNS-..., each with @N or @all for resident workgroups; several with commas, or all "
          "(default: in-order, or a capsule's own)");
  run->add_option("--timeout", o.subject.module.timeout,
                  "Time limit in seconds (default: none on the model; on devices 60 to build a pipeline, 30 for any other wait)");
  addTier(*run, o.tier);
  run->add_option("--threads", o.threads, "Host threads of the model and of CPU devices (default: all cores)");
  run->add_flag(
      "--diff", o.diff,
      "It is an error if there are no two sides to compare; several sides are always compared, and a difference gives exit code 1");
  run->add_flag("--findings", o.findings,
                "Observe the model: accesses out of range, reads of unwritten memory, outputs never written, data races, missed "
                "barriers; a finding gives exit code 1");
  run->add_option("--patch", o.patch,
                  "Patch the module before it runs: none, or exact, which makes each float operation one IEEE operation")
      ->capture_default_str();
  run->add_flag("--json", o.json, "Print one JSON document and nothing else");
  run->add_option("--junit", o.junit, "Of scripts: also write what each of them gave to this file, as JUnit's XML");
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
