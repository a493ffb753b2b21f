// The commands that every build has: to validate the built-in kernels.
#include <CLI/CLI.hpp>

#include "tools/cli/commands.h"
#include "tools/cli/manual.h"
#include "tools/cli/program.h"
#include "tools/cli/subject_options.h"
#include "tools/subject/comma_lists.h"

namespace lanewise {
namespace {

void addList(CLI::App& app, ListOptions& o) {
  app.add_option("PATTERN", o.patterns, "Kernels by name; '*' stands for any characters (default: all)")->type_name(kKernelOrFile);
  app.add_flag("--cases", o.cases, "Print the cases of the quick set, one a line");
}

void addValidate(CLI::App& app, ValidateOptions& o) {
  app.add_option("PATTERN", o.patterns,
                 "Kernels by name, e.g. 'box-blur/*', cases as reports name them, or descriptions, mine.toml (default: all but broken/)")
      ->type_name(kKernelOrFile);
  app.add_option("--set", o.set,
                 "quick: chosen cases; full: every size to 72x72, every radius to 63, every pair of values; exhaustive: all combinations")
      ->capture_default_str();
  app.add_option("--sizes", o.sizes, "Picture sizes: 33x65,1..8x1..8");
  app.add_option("--radii", o.radii, "Blur radii: 0,1,7 or 0..63");
  addEach(app, "--with", o.with, "Values of any parameter: format=rgba8,srgb8 or levels=1..3; may be repeated");
  app.add_option("--edges", o.edges, "Edge modes: clamp,mirror,mirror-101,zero");
  app.add_option("--inputs", o.inputs, "Inputs: noise:1,ramp,checkerboard,impulse:0,0,constant:255,extremes,list:255,0");
  addEach(app, "--picture", o.pictures, "A picture file as the input; may be repeated");
  app.add_option("--subgroup-sizes", o.subgroupSizes, "Subgroup sizes: 1,4,32 (powers of two up to 128)");
  app.add_option("--algorithms", o.algorithms, "Only kernels whose last part is one of these: naive,accumulated-*");
  app.add_option("--formats", o.formats, "Only these formats: rgba8ui,r32f");
  app.add_option("--schedules", o.schedules, "Schedules; the model runs once under each: in-order,reverse,seed:7,last:3 (docs/model.md)");
  app.add_option("--devices", o.devices, "What to run on: model, device names, or all (default: the model and a CPU Vulkan device)");
  app.add_flag("--list", o.list, "Print the cases, one a line, and run nothing");
  app.add_flag("--count", o.count, "Print how many cases there are, and run nothing");
  app.add_option("--shard", o.shard, "Only part K of N equal parts: K/N");
  app.add_flag("--resume", o.resume, "Continue where an earlier run with the same --report folder and options stopped");
  app.add_flag("--no-arbitration", o.noArbitration, "On a difference report only which sides agree, without looking for the cause");
  app.add_option("--module", o.module, "A file to run instead of the kernels' own module: GLSL, SPIR-V or its assembly");
  addSource(app, o.source);
  app.add_option("--profile", o.profile, profileHelp())->capture_default_str();
  addTier(app, o.tier);
  app.add_flag("--findings", o.findings, "Observe the model: a case fails on an access out of range, a data race and other findings");
  app.add_option("--patch", o.patch, "Patch every module before it runs: none or exact (docs/model.md)")->capture_default_str();
  app.add_option("--threads", o.threads, "Host threads of the model and of CPU devices (default: all cores)")->check(CLI::PositiveNumber);
  app.add_option("--timeout", o.timeout, "Time limit of a device in seconds (default: 60 to build a pipeline, 30 for any other wait)");
  app.add_option("--report", o.report, "Write report.html, report.json and junit.xml into this folder");
  app.add_option("--keep", o.keep, "Save each case's input, expected output and the output of each side in this folder");
  app.add_option("--golden", o.golden, "The golden store's folder (default: the one that came with the program)");
}

void addReport(CLI::App& app, ReportOptions& o) {
  app.add_option("--merge", o.merge, "The parts' report folders (or report.json files)")->required();
  app.add_option("--report", o.report, "Write the merged report.html, report.json and junit.xml into this folder");
}

// A command whose reports say how they were made.
template <class Options>
RunCommand reporting(CLI::App& command, const std::string& line, void (*add)(CLI::App&, Options&),
                     Expected<Outcome> (*run)(const Options&)) {
  const auto options = std::make_shared<Options>();
  add(command, *options);
  return [options, run, line] {
    options->command = line;
    return run(*options);
  };
}

Expected<Outcome> runBuilt(const ValidateOptions& options) {
  if (Status absent = notBuilt(options)) return *absent;
  return runValidate(options);
}

RunCommand manualCommand(CLI::App& command) {
  const auto options = std::make_shared<ManualOptions>();
  addManual(command, *options);
  return [options, program = command.get_parent()] { return runManual(*program, *options); };
}

}  // namespace

AddCommand firstCommand(std::string_view name) {
  if (name == "list") return [](CLI::App& c, const std::string&) { return commandOf(c, addList, runList); };
  if (name == "validate") return [](CLI::App& c, const std::string& line) { return reporting(c, line, addValidate, runBuilt); };
  if (name == "report") return [](CLI::App& c, const std::string& line) { return reporting(c, line, addReport, runReport); };
  if (name == "manual") return [](CLI::App& c, const std::string&) { return manualCommand(c); };
  if (name == "devices") return [](CLI::App&, const std::string&) { return RunCommand(runDevices); };
  return nullptr;
}

}  // namespace lanewise
