// The `lanewise` program: reads the command line, runs one command, prints its error if it has one, and exits with its outcome.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "tools/cli/check.h"
#include "tools/cli/commands.h"
#include "tools/cli/debug.h"
#include "tools/cli/export.h"
#include "tools/cli/manual.h"
#include "tools/cli/run_options.h"
#include "tools/cli/subject_options.h"
#include "tools/selftest/mutants.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/subject_text.h"

namespace {

using namespace lanewise;

constexpr const char* kDescription =
    "Lanewise runs Vulkan compute kernels on a simulated GPU and on real devices, and compares both, bit for bit, with exact results.\n"
    "Exit codes: 0 all well, 1 mismatch or finding, 2 bad input or usage, 3 unsupported, 4 device trouble, 5 golden missing, stale or "
    "edited,\n"
    "6 cannot read or write, 70 a bug of Lanewise, 130 interrupted.";

int finish(const Expected<Outcome>& result) {
  if (result) return static_cast<int>(*result);
  fmt::print(stderr, "lanewise: {}: {}\n", outcomeName(result.error().outcome), result.error().text());
  return static_cast<int>(result.error().outcome);
}

// Help with descriptions that are broken between words.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    constexpr std::size_t kColumns = 80;
    std::string text = CLI::Formatter::make_option_desc(option);
    for (std::size_t start = 0; text.size() - start > kColumns;) {
      std::size_t end = std::min(text.find('\n', start), text.rfind(' ', start + kColumns));
      if (end == std::string::npos || end < start) end = text.find(' ', start);
      if (end == std::string::npos) break;
      text[end] = '\n';
      start = end + 1;
    }
    return text;
  }
};

// An unknown command: lists the known ones.
std::optional<Error> commandError(const CLI::App& app, int argc, char** argv) {
  const auto every = [](const CLI::App*) { return true; };
  const CLI::App* at = &app;
  std::vector<const CLI::App*> commands = at->get_subcommands(every);
  int word = 1;
  for (; word < argc; ++word) {
    const auto named = [&](const CLI::App* command) { return command->get_name() == argv[word]; };
    const auto found = std::find_if(commands.begin(), commands.end(), named);
    if (found == commands.end()) break;
    at = *found;
    commands = at->get_subcommands(every);
  }
  if (commands.empty() || (word < argc && argv[word][0] == '-')) return {};
  std::string names;
  for (const CLI::App* command : commands) names += (names.empty() ? "" : ", ") + command->get_name();
  const std::string before = at == &app ? "lanewise" : "lanewise " + at->get_name();
  const std::string what = word < argc ? fmt::format("there is no command '{}'", argv[word]) : "a command is missing";
  return Error{Outcome::kBadInput, what, before, "one of " + names};
}

std::string commandLine(int argc, char** argv) {
  std::string line = "lanewise";
  for (int i = 1; i < argc; ++i) line += " " + shellWord(argv[i]);
  return line;
}

void addList(CLI::App& app, ListOptions& o) {
  CLI::App* list = app.add_subcommand("list", "List the kernels: name, what an invocation does, contract, parameters");
  list->add_option("PATTERN", o.patterns, "Kernels by name; '*' stands for any characters (default: all)");
  list->add_flag("--cases", o.cases, "Print the cases of the quick set, one a line");
}

void addInit(CLI::App& app, InitOptions& o) {
  CLI::App* init = app.add_subcommand("init", "Write a first description of your own kernel, from what its module declares");
  init->add_option("MODULE", o.module, "GLSL (.comp), HLSL (.hlsl), assembly (.spvasm) or SPIR-V (.spv)");
  addSource(*init, o.source);
  init->add_option("--out", o.out, "The description's file, or - for the terminal (default: beside the module, with the ending .toml)");
  init->add_flag("--force", o.force, "Replace a file that is there");
  init->add_flag("--schema", o.schema, "Print the JSON schema of descriptions, for editors, and write nothing");
}

void addValidate(CLI::App& app, ValidateOptions& o) {
  CLI::App* v = app.add_subcommand("validate", "Run kernels on the model and on devices and compare with the exact golden");
  v->add_option("PATTERN", o.patterns,
                "Kernels by name, e.g. 'box-blur/*', cases as reports name them, or descriptions, mine.toml (default: all but broken/)");
  v->add_option("--set", o.set,
                "quick: chosen cases; full: every size to 72x72, every radius to 63, every pair of values; exhaustive: all combinations")
      ->capture_default_str();
  v->add_option("--sizes", o.sizes, "Picture sizes: 33x65,1..8x1..8");
  v->add_option("--radii", o.radii, "Blur radii: 0,1,7 or 0..63");
  addEach(*v, "--with", o.with, "Values of any parameter: format=rgba8,srgb8 or levels=1..3; may be repeated");
  v->add_option("--edges", o.edges, "Edge modes: clamp,mirror,mirror-101,zero");
  v->add_option("--inputs", o.inputs, "Inputs: noise:1,ramp,checkerboard,constant:255,impulse:0,0,extremes,list:255,0");
  addEach(*v, "--picture", o.pictures, "A picture file as the input; may be repeated");
  v->add_option("--subgroup-sizes", o.subgroupSizes, "Subgroup sizes: 1,4,32 (powers of two up to 128)");
  v->add_option("--algorithms", o.algorithms, "Only kernels whose last part is one of these: naive,accumulated-*");
  v->add_option("--formats", o.formats, "Only these formats: rgba8ui,r32f");
  v->add_option("--schedules", o.schedules, "Schedules; the model runs once under each: in-order,reverse,seed:7,last:3 (docs/model.md)");
  v->add_option("--devices", o.devices, "What to run on: model, device names, or all (default: the model and a CPU Vulkan device)");
  v->add_flag("--list", o.list, "Print the cases, one a line, and run nothing");
  v->add_flag("--count", o.count, "Print how many cases there are, and run nothing");
  v->add_option("--shard", o.shard, "Only part K of N equal parts: K/N");
  v->add_flag("--resume", o.resume, "Continue where an earlier run with the same --report folder and options stopped");
  v->add_flag("--no-arbitration", o.noArbitration, "On a difference report only which sides agree, without looking for the cause");
  v->add_option("--module", o.module, "A file to run instead of the kernels' own module: GLSL, SPIR-V or its assembly");
  addSource(*v, o.source);
  v->add_option("--profile", o.profile, profileHelp())->capture_default_str();
  addTier(*v, o.tier);
  v->add_flag("--findings", o.findings, "Observe the model: a case fails on an access out of range, a data race and other findings");
  v->add_option("--patch", o.patch, "Patch every module before it runs: none or exact (docs/model.md)")->capture_default_str();
  v->add_option("--threads", o.threads, "Host threads of the model and of CPU devices (default: all cores)");
  v->add_option("--timeout", o.timeout, "Time limit of a device in seconds (default: 60 to build a pipeline, 30 for any other wait)");
  v->add_option("--report", o.report, "Write report.html, report.json and junit.xml into this folder");
  v->add_option("--keep", o.keep, "Save each case's input, expected output and the output of each side in this folder");
  v->add_option("--golden", o.golden, "The golden store's folder (default: the one that came with the program)");
}

void addReplay(CLI::App& app, ReplayOptions& o) {
  CLI::App* replay = app.add_subcommand("replay", "Run a failure again: a capsule that `validate --report` wrote, or a case by its name");
  replay->add_option("SUBJECT", o.subject.text, "A capsule's file, a case as reports name it, or a kernel")->required();
  addCase(*replay, o.subject);
  replay->add_option("--devices", o.devices, "What to run on: model, device names, or all (default: the model and a CPU Vulkan device)");
  replay->add_option("--schedules", o.schedules, "Schedules, as for validate");
}

void addCapsule(CLI::App& app, CapsuleOptions& o) {
  CLI::App* capsule = app.add_subcommand("capsule", "Put a run into one file: its modules, its data, and what the model gives");
  addSubject(*capsule, o.subject);
  addWay(*capsule, o.profile, o.schedule);
  capsule->add_option("--file", o.out, "The capsule (default: the subject's name with .capsule, in this folder)");
}

void addExport(CLI::App& app, ExportOptions& o) {
  CLI::App* exported =
      app.add_subcommand("export", "Write a run as a file for other programs, with its modules, its data and what it gives");
  addSubject(*exported, o.subject);
  exported->add_flag("--amber", o.amber, "As a script in AmberScript");
  exported->add_option("--file", o.file, "The file (default: the terminal)");
}

void addReport(CLI::App& app, ReportOptions& o) {
  CLI::App* report = app.add_subcommand("report", "Merge the reports of the parts of one run");
  report->add_option("--merge", o.merge, "The parts' report folders (or report.json files)")->required();
  report->add_option("--report", o.report, "Write the merged report.html, report.json and junit.xml into this folder");
}

void addSelftest(CLI::App& app, SelftestCommandOptions& o) {
  CLI::App* test =
      app.add_subcommand("selftest", "Change a kernel in one place at a time and check that its quick cases find every change");
  test->add_option("SUBJECT", o.texts,
                   "Kernels by name: by their quick cases. A case, a capsule or a module's file: by this run alone, and of a module only "
                   "by its bytes (default: all kernels but broken/)");
  addCase(*test, o.subject);
  addModule(*test, o.subject.module);
  std::string rules = "Only these rules:";
  for (const MutationKind& kind : mutationKinds()) rules += std::string("\n") + kind.name + ": " + kind.says;
  test->add_option("--rules", o.rules, rules);
  test->add_option("--part", o.part, "Only part K of N of the changes: K/N");
  test->add_option("--threads", o.threads, "Host threads (default: all cores)");
  test->add_option("--json", o.json, "Also write every change and its result to this file");
}

void addGoldenImage(CLI::App& golden, GoldenOptions& o) {
  CLI::App* image = golden.add_subcommand("image", "Write what the oracle gives for any case, beside its input, as files");
  image->add_option("CASE", o.patterns, "Cases as reports name them, or kernels with --size")->required();
  addCase(*image, o.subject);
  image->add_option("--out", o.out, "The folder; each case has a folder of its own inside")->capture_default_str();
}

void addGolden(CLI::App& app, GoldenOptions& o) {
  CLI::App* golden = app.add_subcommand("golden", "The golden store: hashes of exact results for the quick set");
  golden->require_subcommand(1);
  for (const auto& [name, what] : {std::pair{"status", "List which goldens are present, missing, stale or edited; computes nothing"},
                                   std::pair{"verify", "Recompute every golden and compare it with the store; writes nothing"},
                                   std::pair{"regen", "Recompute goldens from the oracles and say what would change; writes nothing"},
                                   std::pair{"diff", "The same, with every golden that would change"},
                                   std::pair{"approve", "Recompute goldens from the oracles and write what changed"}}) {
    CLI::App* command = golden->add_subcommand(name, what);
    command->add_option("--golden", o.folder, "The golden store's folder (default: the one that came with the program)");
    command->add_flag("--full", o.full, "Goldens of the full set: one hash for each contract and width");
    const std::string_view which = name;
    command->add_option("PATTERN", o.patterns,
                        which == "status" ? "A description, mine.toml (default: the whole store)" : "Goldens by name, e.g. 'box-blur/double @ *', cases, or a description, mine.toml (default: all)");
    if (which != "status") addEach(*command, "--with", o.with, "Only cases with these values: radius=0..3; may be repeated");
    if (which == "regen" || which == "diff") {
      command->add_option("--html", o.html,
                          "Also write a page with the new picture of every changed hash, and the old one where it is known");
      command->add_option("--before", o.before, "An earlier lanewise program, which makes the old pictures of --html again");
    }
    if (which == "approve") command->add_flag("--all", o.all, "All goldens; also remove those that belong to no case");
  }
  addGoldenImage(*golden, o);
}

void addMeasure(CLI::App& app, MeasureOptions& o) {
  CLI::App* measure =
      app.add_subcommand("measure", "Say exactly how saturated a picture is, how many edges it has, and how similar two are");
  measure->add_option("PICTURE", o.pictures, "A picture file, or two to compare")->required();
  measure->add_option("--devices", o.devices, "What the kernels run on: model, device names, or all (default: model)");
  measure->add_flag("--json", o.json, "Print one JSON document");
}

void addTable(CLI::App& app, TableOptions& o) {
  CLI::App* table = app.add_subcommand("table", "Make the tables of the pages again, as CSV, from pictures of one's own or generated ones");
  table->require_subcommand(1);
  CLI::App* roundings =
      table->add_subcommand("roundings", "In how many components and texels a blur that rounds once and one that rounds twice differ");
  CLI::App* blits = table->add_subcommand("blits", "How far a chain of blits is from exact means over each texel's area, by level");
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
  CLI::App* bench = app.add_subcommand("bench", "Time the same SPIR-V on the model and on devices, interleaved: medians and ratios");
  bench->add_option("SUBJECT", o.texts,
                    "Kernels by name, cases as reports name them, capsules, or a module's file (default: all kernels but broken/)");
  bench->add_option("--size,--sizes", o.size, "Of kernels: picture size (default: 1024x1024), or several: 1920x1080,4096x4096");
  bench->add_option("--radius,--radii", o.radius, "Of kernels: blur radius (default: 15), or several: 1..63");
  bench->add_option("--edge", o.edge, "Of kernels: edge mode (default: clamp)");
  addEach(*bench, "--with", o.subject.kernel.with, "Another parameter, NAME=VALUE or several values; kernels without it are left out");
  addModule(*bench, o.subject.module);
  CLI::Option* gpu = bench->add_flag("--gpu", o.gpu, "Compare the kernels with one another on each Vulkan device, by its timestamps");
  bench->add_option("--repeat", o.repeat, "With --gpu: dispatches in each run")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000))
      ->needs(gpu);
  bench->add_flag("--time-only", o.timeOnly, "With --gpu: do not check the results first, which takes minutes for large pictures")
      ->needs(gpu);
  bench->add_option("--runs", o.runs, "Measured runs of the model and each device, after one that is not counted")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));
  addTier(*bench, o.tier, true);
  bench->add_option("--threads", o.threads,
                    "Host threads of the model and of CPU devices, or several, 1,2,4, with the efficiency of more (default: all cores)");
  bench->add_flag("--corpus", o.corpus, "Time the kernels of shaders/corpus instead, at their large size; SUBJECT chooses them by name");
  bench->add_option("--csv", o.csv, "With --corpus or --gpu: also write a table of the figures, with the ranks, to this file");
  bench->add_option("--devices", o.devices, "What to run on: model, device names, or all (default: the model and a CPU Vulkan device)");
  bench->add_option("--json", o.json, "Also write the figures to this file");
}

void addTrace(CLI::App& app, TraceOptions& o) {
  CLI::App* trace = app.add_subcommand("trace", "Print every instruction that one invocation executes on the model");
  addSubject(*trace, o.subject);
  addWay(*trace, o.profile, o.schedule);
  trace->add_option("--invocation", o.invocation, "The invocation, by gl_GlobalInvocationID: X,Y or X,Y,Z (default: 0,0,0)");
  const auto choose = [&o](const std::string& which) {
    o.variables = which == "all" ? TracedVariables::kAll : which == "none" ? TracedVariables::kNone : TracedVariables::kChanged;
  };
  trace
      ->add_option_function<std::string>("--variables", choose,
                                         "Which variables to show: changed (default), all (in scope, at each line), none")
      ->check(CLI::IsMember({"changed", "all", "none"}));
  trace->add_flag("--lines", o.lines, "Show source lines instead of instructions");
  addEach(*trace, "--at", o.at, "Show only this line: LINE or FILE:LINE; may be repeated");
  trace->add_option("--resource", o.resource, "Show only instructions that access this resource or variable of workgroup memory");
  trace->add_flag("--json", o.json, "Print an object of JSON a line");
  trace->add_option("--stop-at", o.stopAt, "Stop before this instruction of the invocation (they count from 1)");
  trace->add_option("--save", o.save, "The file for the state at --stop-at");
  trace->add_option("--resume", o.resume, "Continue from a saved state; subject and options are stored in it");
}

int run(int argc, char** argv) {
  CLI::App app(kDescription, "lanewise");
  app.set_version_flag("--version", LANEWISE_VERSION);
  app.require_subcommand(1);
  ListOptions list;
  InitOptions init;
  ValidateOptions validate;
  ReplayOptions replay;
  CapsuleOptions capsule;
  ExportOptions exported;
  ReportOptions report;
  SelftestCommandOptions selftest;
  GoldenOptions golden;
  MeasureOptions measured;
  TableOptions table;
  BenchOptions bench;
  TraceOptions trace;
  DebugOptions debugged, served;
  RunOptions user;
  CheckOptions checked;
  InspectOptions inspected;
  CoverageOptions coverage;
  ManualOptions manual;
  app.formatter(std::make_shared<HelpFormatter>());  // for every command too
  addList(app, list);
  addInit(app, init);
  addValidate(app, validate);
  addReplay(app, replay);
  addCapsule(app, capsule);
  addExport(app, exported);
  addReport(app, report);
  addSelftest(app, selftest);
  addGolden(app, golden);
  addMeasure(app, measured);
  addTable(app, table);
  addBench(app, bench);
  addTrace(app, trace);
  addDebug(app, debugged);
  addDap(app, served);
  addRun(app, user);
  addCheck(app, checked);
  addInspect(app, inspected);
  addCoverage(app, coverage);
  addManual(app, manual);
  app.add_subcommand("devices", "List the model and the Vulkan devices found, with their profiles");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    if (std::optional<Error> none = commandError(app, argc, argv)) return finish(*none);
    return finish(Error{Outcome::kBadInput, error.what(), "", "see `lanewise --help` or `lanewise COMMAND --help`"});
  }
  validate.command = report.command = commandLine(argc, argv);
  if (app.got_subcommand("list")) return finish(runList(list));
  if (app.got_subcommand("init")) return finish(runInit(init));
  if (app.got_subcommand("validate")) return finish(runValidate(validate));
  if (app.got_subcommand("capsule")) return finish(runCapsule(capsule));
  if (app.got_subcommand("export")) return finish(runExport(exported));
  if (app.got_subcommand("replay")) return finish(runReplay(replay));
  if (app.got_subcommand("selftest")) return finish(runSelftestCommand(selftest));
  if (app.got_subcommand("report")) return finish(runReport(report));
  if (app.got_subcommand("measure")) return finish(runMeasure(measured));
  if (app.got_subcommand("bench")) return finish(runBench(bench));
  if (app.got_subcommand("trace")) return finish(runTrace(trace));
  if (app.got_subcommand("debug")) return finish(runDebug(debugged));
  if (app.got_subcommand("dap")) return finish(runDap(served));
  if (app.got_subcommand("run")) return finish(runRun(user));
  if (app.got_subcommand("check")) return finish(runCheckCommand(checked));
  if (app.got_subcommand("inspect")) return finish(runInspect(inspected));
  if (app.got_subcommand("coverage")) return finish(runCoverage(coverage));
  if (app.got_subcommand("devices")) return finish(runDevices());
  if (app.got_subcommand("manual")) return finish(runManual(app, manual));
  if (app.got_subcommand("table"))
    return finish(app.get_subcommand("table")->got_subcommand("blits") ? runTableBlits(table) : runTableRoundings(table));
  const CLI::App* command = app.get_subcommand("golden");
  golden.diff = command->got_subcommand("diff");
  if (command->got_subcommand("image")) return finish(runGoldenImage(golden));
  if (command->got_subcommand("approve")) return finish(runGoldenApprove(golden));
  if (command->got_subcommand("regen") || golden.diff) return finish(runGoldenRegen(golden));
  if (command->got_subcommand("status")) return finish(runGoldenStatus(golden));
  return finish(runGoldenVerify(golden));
}

}  // namespace

int main(int argc, char** argv) {
  const Error unwritten{Outcome::kIoError, "cannot write all of the output", "standard output", "is the disk full?"};
  try {
    const int code = run(argc, argv);
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? code : finish(unwritten);
  } catch (const std::exception& error) {
    // Only exceptions of libraries, such as out of memory: Lanewise itself returns its errors.
    return finish(std::ferror(stdout) != 0 ? unwritten : Error{Outcome::kInternal, error.what(), "", ""});
  }
}
