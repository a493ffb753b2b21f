// The commands that a first build leaves out.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

#include "tools/cli/check.h"
#include "tools/cli/commands.h"
#include "tools/cli/debug.h"
#include "tools/cli/export.h"
#include "tools/cli/program.h"
#include "tools/cli/run_options.h"
#include "tools/cli/subject_options.h"
#include "tools/selftest/mutants.h"

namespace lanewise {
namespace {

void addGoldenImage(CLI::App& golden, GoldenOptions& o) {
  CLI::App* image = golden.add_subcommand("image", "Write what the oracle gives for any case, beside its input, as files");
  image->add_option("CASE", o.patterns, "Cases as reports name them, or kernels with --size")->required()->type_name(kKernelOrFile);
  addCase(*image, o.subject);
  image->add_option("--out", o.out, "The folder; each case has a folder of its own inside")->capture_default_str();
}

void addInit(CLI::App& app, InitOptions& o) {
  app.add_option("MODULE", o.modules,
                 "GLSL (.comp), HLSL (.hlsl), assembly (.spvasm) or SPIR-V (.spv). Of several, each is a dispatch, in their order");
  addSource(app, o.source);
  app.add_option("--entry", o.source.entry, "The entry point (default: main, or the only one)");
  app.add_option("--out", o.out, "The description's file, or - for the terminal (default: beside the module, with the ending .toml)");
  app.add_flag("--force", o.force, "Replace a file that is there");
  app.add_flag("--schema", o.schema, "Print the JSON schema of descriptions, for editors, and write nothing");
}

void addReplay(CLI::App& app, ReplayOptions& o) {
  app.add_option("SUBJECT", o.subject.text, "A capsule's file, a case as reports name it, or a kernel")
      ->required()
      ->type_name(kKernelOrFile);
  addCase(app, o.subject);
  app.add_option("--devices", o.devices, "What to run on: model, device names, or all (default: the model and a CPU Vulkan device)");
  app.add_option("--schedules", o.schedules, "Schedules, as for validate");
}

void addCapsule(CLI::App& app, CapsuleOptions& o) {
  addSubject(app, o.subject);
  addWay(app, o.profile, o.schedule);
  app.add_option("--file", o.out, "The capsule (default: the subject's name with .capsule, in this folder)");
}

void addExport(CLI::App& app, ExportOptions& o) {
  addSubject(app, o.subject);
  app.add_flag("--amber", o.amber, "As a script in AmberScript");
  app.add_option("--file", o.file, "The file (default: the terminal)");
}

void addSelftest(CLI::App& app, SelftestCommandOptions& o) {
  app.add_option("SUBJECT", o.texts,
                 "Kernels by name: by their quick cases. A case, a capsule or a module's file: by this run alone, and of a module only "
                 "by its bytes (default: all kernels but broken/)")
      ->type_name(kKernelOrFile);
  addCase(app, o.subject);
  addModule(app, o.subject.module);
  std::string rules = "Only these rules:";
  for (const MutationKind& kind : mutationKinds()) rules += std::string("\n") + kind.name + ": " + kind.says;
  app.add_option("--rules", o.rules, rules);
  app.add_option("--part", o.part, "Only part K of N of the changes: K/N");
  app.add_option("--threads", o.threads, "Host threads (default: all cores)")->check(CLI::PositiveNumber);
  app.add_option("--json", o.json, "Also write every change and its result to this file");
}

void addGolden(CLI::App& app, GoldenOptions& o) {
  app.require_subcommand(1);
  for (const auto& [name, what] : {std::pair{"status", "List which goldens are present, missing, stale or edited; computes nothing"},
                                   std::pair{"verify", "Recompute every golden and compare it with the store; writes nothing"},
                                   std::pair{"regen", "Recompute goldens from the oracles and say what would change; writes nothing"},
                                   std::pair{"diff", "The same, with every golden that would change"},
                                   std::pair{"approve", "Recompute goldens from the oracles and write what changed"}}) {
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("--golden", o.folder, "The golden store's folder (default: the one that came with the program)");
    command->add_flag("--full", o.full, "Goldens of the full set: one hash for each contract and width");
    const std::string_view which = name;
    command->add_option("PATTERN", o.patterns,
                        which == "status"
                            ? "A description, mine.toml (default: the whole store)"
                            : "Goldens by name, e.g. 'box-blur/double @ *', cases, or a description, mine.toml (default: all)");
    if (which != "status") addEach(*command, "--with", o.with, "Only cases with these values: radius=0..3; may be repeated");
    if (which == "regen" || which == "diff") {
      command->add_option("--html", o.html,
                          "Also write a page with the new picture of every changed hash, and the old one where it is known");
      command->add_option("--before", o.before, "An earlier lanewise program, which makes the old pictures of --html again");
    }
    if (which == "approve") command->add_flag("--all", o.all, "All goldens; also remove those that belong to no case");
  }
  addGoldenImage(app, o);
}

void addMeasure(CLI::App& app, MeasureOptions& o) {
  app.add_option("PICTURE", o.pictures, "A picture file, or two to compare")->required();
  app.add_option("--devices", o.devices, "What the kernels run on: model, device names, or all (default: model)");
  app.add_flag("--json", o.json, "Print one JSON document");
}

void addTable(CLI::App& app, TableOptions& o) {
  app.require_subcommand(1);
  CLI::App* roundings =
      app.add_subcommand("roundings", "In how many components and texels a blur that rounds once and one that rounds twice differ");
  CLI::App* blits = app.add_subcommand("blits", "How far a chain of blits is from exact means over each texel's area, by level");
  for (CLI::App* one : {roundings, blits}) {
    addEach(*one, "--picture", o.pictures, "A picture file; may be repeated");
    one->add_option("--sizes", o.sizes, "Sizes of generated pictures")->capture_default_str();
    one->add_option("--inputs", o.inputs, "Generated pictures: noise:1,ramp")->capture_default_str();
    one->add_option("--csv", o.csv, "Also write the table to this file");
  }
  roundings->add_option("--radii", o.radii, "Blur radii: 0,1,7 or 1..63")->capture_default_str();
  roundings->add_option("--edge", o.edge, "Edge mode")->capture_default_str();
  blits->add_option("--devices", o.devices, "What runs the blits: model, device names, or all (default: model)");
}

void addBench(CLI::App& app, BenchOptions& o) {
  app.add_option("SUBJECT", o.texts,
                 "Kernels by name, cases as reports name them, capsules, or a module's file (default: all kernels but broken/)")
      ->type_name(kKernelOrFile);
  app.add_option("--size,--sizes", o.size, "Of kernels: picture size (default: 1024x1024), or several: 1920x1080,4096x4096");
  app.add_option("--radius,--radii", o.radius, "Of kernels: blur radius (default: 15), or several: 1..63");
  app.add_option("--edge", o.edge, "Of kernels: edge mode (default: clamp)");
  addEach(app, "--with", o.subject.kernel.with, "Another parameter, NAME=VALUE or several values; kernels without it are left out");
  addModule(app, o.subject.module);
  CLI::Option* gpu = app.add_flag("--gpu", o.gpu, "Compare the kernels with one another on each Vulkan device, by its timestamps");
  app.add_option("--repeat", o.repeat, "With --gpu: dispatches in each run")->capture_default_str()->check(CLI::Range(1, 1000))->needs(gpu);
  app.add_flag("--time-only", o.timeOnly, "With --gpu: do not check the results first, which takes minutes for large pictures")->needs(gpu);
  app.add_option("--runs", o.runs, "Measured runs of the model and each device, after one that is not counted")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));
  addTier(app, o.tier, true);
  app.add_option("--threads", o.threads,
                 "Host threads of the model and of CPU devices, or several, 1,2,4, with the efficiency of more (default: all cores)");
  app.add_flag("--corpus", o.corpus, "Time the kernels of shaders/corpus instead, at their large size; SUBJECT chooses them by name");
  app.add_option("--csv", o.csv, "Also write a table of the figures to this file; with --gpu, with the ranks");
  app.add_option("--devices", o.devices, "What to run on: model, device names, or all (default: the model and a CPU Vulkan device)");
  app.add_option("--json", o.json, "Also write the figures to this file");
}

void addTrace(CLI::App& app, TraceOptions& o) {
  addSubject(app, o.subject);
  addWay(app, o.profile, o.schedule);
  app.add_option("--invocation", o.invocation, "The invocation, by gl_GlobalInvocationID: X, X,Y or X,Y,Z (default: 0,0,0)");
  const auto choose = [&o](const std::string& which) {
    o.variables = which == "all" ? TracedVariables::kAll : which == "none" ? TracedVariables::kNone : TracedVariables::kChanged;
  };
  app.add_option_function<std::string>("--variables", choose,
                                       "Which variables to show: changed (default), all (in scope, at each line), none")
      ->check(CLI::IsMember({"changed", "all", "none"}));
  app.add_flag("--lines", o.lines, "Show source lines instead of instructions");
  addEach(app, "--at", o.at, "Show only this line: LINE or FILE:LINE; may be repeated");
  app.add_option("--resource", o.resource, "Show only instructions that access this resource or variable of workgroup memory");
  app.add_flag("--json", o.json, "Print an object of JSON a line");
  app.add_option("--stop-at", o.stopAt, "Stop before this instruction of the invocation (they count from 1)")->check(notACount);
  app.add_option("--save", o.save, "The file for the state at --stop-at");
  app.add_option("--resume", o.resume, "Continue from a saved state; subject and options are stored in it");
}

RunCommand goldenCommand(CLI::App& command) {
  const auto o = std::make_shared<GoldenOptions>();
  addGolden(command, *o);
  return [&command, o]() -> Expected<Outcome> {
    o->diff = command.got_subcommand("diff");
    if (command.got_subcommand("image")) return runGoldenImage(*o);
    if (command.got_subcommand("approve")) return runGoldenApprove(*o);
    if (command.got_subcommand("regen") || o->diff) return runGoldenRegen(*o);
    if (command.got_subcommand("status")) return runGoldenStatus(*o);
    return runGoldenVerify(*o);
  };
}

RunCommand tableCommand(CLI::App& command) {
  const auto o = std::make_shared<TableOptions>();
  addTable(command, *o);
  return [&command, o] { return command.got_subcommand("blits") ? runTableBlits(*o) : runTableRoundings(*o); };
}

constexpr std::pair<std::string_view, AddCommand> kOthers[] = {
    {"init", [](CLI::App& c, const std::string&) { return commandOf(c, addInit, runInit); }},
    {"replay", [](CLI::App& c, const std::string&) { return commandOf(c, addReplay, runReplay); }},
    {"capsule", [](CLI::App& c, const std::string&) { return commandOf(c, addCapsule, runCapsule); }},
    {"export", [](CLI::App& c, const std::string&) { return commandOf(c, addExport, runExport); }},
    {"selftest", [](CLI::App& c, const std::string&) { return commandOf(c, addSelftest, runSelftestCommand); }},
    {"golden", [](CLI::App& c, const std::string&) { return goldenCommand(c); }},
    {"measure", [](CLI::App& c, const std::string&) { return commandOf(c, addMeasure, runMeasure); }},
    {"table", [](CLI::App& c, const std::string&) { return tableCommand(c); }},
    {"bench", [](CLI::App& c, const std::string&) { return commandOf(c, addBench, runBench); }},
    {"trace", [](CLI::App& c, const std::string&) { return commandOf(c, addTrace, runTrace); }},
    {"debug", [](CLI::App& c, const std::string&) { return commandOf(c, addDebug, runDebug); }},
    {"dap", [](CLI::App& c, const std::string&) { return commandOf(c, addDap, runDap); }},
    {"run", [](CLI::App& c, const std::string&) { return commandOf(c, addRun, runRun); }},
    {"check", [](CLI::App& c, const std::string&) { return commandOf(c, addCheck, runCheckCommand); }},
    {"inspect", [](CLI::App& c, const std::string&) { return commandOf(c, addInspect, runInspect); }},
    {"coverage", [](CLI::App& c, const std::string&) { return commandOf(c, addCoverage, runCoverage); }},
};

}  // namespace

AddCommand otherCommand(std::string_view name) {
  const auto* const row = std::ranges::find(kOthers, name, &std::pair<std::string_view, AddCommand>::first);
  return row == std::end(kOthers) ? nullptr : row->second;
}

Status notBuilt(const ValidateOptions&) {
  return {};
}

}  // namespace lanewise
