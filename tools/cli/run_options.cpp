#include "tools/cli/run_options.h"

#include <CLI/CLI.hpp>

#include "tools/cli/subject_options.h"
#include "tools/subject/comma_lists.h"

namespace lanewise {
namespace {

constexpr const char* kSubject =
    "A module's file: SPIR-V (.spv), its assembly (.spvasm) or a compute shader in GLSL (.comp, .glsl) or HLSL (.hlsl); or a kernel by its "
    "name, a case as reports name it, a capsule, a script in AmberScript (.amber, .vkscript, .shader_test), or a folder of scripts";

}  // namespace

void addRun(CLI::App& app, RunOptions& o) {
  addSubject(app, o.subject);
  app.get_option("SUBJECT")->description(kSubject)->required();
  app.add_option("--device,--devices", o.device, "What to run on: model, device names, or all; separated by commas")->capture_default_str();
  app.remove_option(app.get_option("--subgroup-size"));
  app.add_option("--subgroup-size,--subgroup-sizes", o.subgroupSizes,
                 "Powers of two up to 128, separated by commas, or all (default: the device's own)");
  app.add_flag("--full-subgroups", o.fullSubgroups,
               "Every subgroup has all of its invocations: a workgroup whose width is no multiple of the subgroup size is an error");
  addWay(app, o.profile, o.schedule);
  app.get_option("--profile")->description(profileHelp() + "; several with commas, or all (default: strict, or a capsule's own)");
  addEach(app, "--expect", o.expect, "What an output has to be: sums=expected.bin, 0:2=right.exr, sums=u32:1,2,3; may be repeated");
  addEach(app, "--tolerance", o.tolerance,
          "What it may differ by: ulp=2, absolute=1e-5, relative=1e-6 or rmse=0.5, of all outputs or sums:ulp=2");
  app.get_option("--schedule")
      ->description(
          "The model's order: in-order, reverse, seed:N, last:WORKGROUP, lanes, lanes-reverse, lanes-seed:N, lanes-last:WORKGROUP, "
          "interleave:seed:N, turns:[SUBJECT:]SUBGROUP.TURNS-... with the four digits that check prints as SUBJECT, each with @N or @all "
          "for resident workgroups; several with commas, or all (default: in-order, or a capsule's own)");
  app.add_option("--timeout", o.subject.module.timeout,
                 "Time limit in seconds (default: none on the model; on devices 60 to build a pipeline, 30 for any other wait)");
  addTier(app, o.tier);
  app.add_option("--threads", o.threads, "Host threads of the model and of CPU devices (default: all cores)")->check(CLI::PositiveNumber);
  app.add_option("--repeat", o.repeat,
                 "Run N times more, in one process and each side in turn, and tell the median of their times beside the first one's")
      ->check(CLI::Range(1, 10000));
  app.add_flag(
      "--diff", o.diff,
      "It is an error if there are no two sides to compare; several sides are always compared, and a difference gives exit code 1");
  app.add_flag("--findings", o.findings,
               "Observe the model: accesses out of range, reads of unwritten memory, outputs never written, data races, missed "
               "barriers; a finding gives exit code 1");
  app.add_option("--patch", o.patch, "Patch the module before it runs: none, or exact, which makes each float operation one IEEE operation")
      ->capture_default_str();
  app.add_flag("--json", o.json, "Print one JSON document and nothing else");
  app.add_option("--junit", o.junit, "Of scripts: also write what each of them gave to this file, as JUnit's XML");
}

void addInspect(CLI::App& app, InspectOptions& o) {
  app.add_option("SUBJECT", o.subject.text, kSubject)->required()->type_name(kKernelOrFile);
  addCase(app, o.subject);
  addSource(app, o.subject.module.source);
  app.add_option("--entry", o.subject.module.run.entry,
                 "An entry point that it has to have; of HLSL the function that is compiled as one (default: main, or the only one)");
  addEach(app, "--spec", o.subject.module.run.spec, "Specialization constants by id or name; sizes are computed with them");
  app.add_option("--device,--devices", o.device, "Where it should run: model, device names, or all; separated by commas")
      ->capture_default_str();
  app.add_flag("--json", o.json, "Print one JSON document");
}

void addCoverage(CLI::App& app, CoverageOptions& o) {
  app.add_flag("--json", o.json, "Print one JSON document");
  app.add_flag("--markdown", o.markdown, "Print docs/coverage.md");
}

}  // namespace lanewise
