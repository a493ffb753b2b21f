// The subcommands of `lanewise`. Each takes its options as the user wrote them and returns the process's outcome, or one Error, which
// main() prints. Results go to stdout, progress and errors to stderr.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/tier_options.h"
#include "tools/subject/subject.h"

namespace lanewise {

struct ListOptions {
  std::vector<std::string> patterns;
  bool cases = false;  // print the quick set's cases instead
};
Expected<Outcome> runList(const ListOptions& options);

struct InitOptions {
  std::vector<std::string> modules;  // a dispatch of each, in their order
  std::string out;                   // empty: beside the first module; "-": the terminal
  SourceOptions source;
  bool force = false, schema = false;
};
Expected<Outcome> runInit(const InitOptions& options);

struct ValidateOptions {
  std::vector<std::string> patterns;
  std::string set = "quick";
  std::string sizes, radii, edges, inputs, subgroupSizes;  // empty: as the set has them
  std::vector<std::string> with;                           // other parameters, "format=srgb8,rgba8"
  std::string algorithms, formats, schedules;
  std::string shard;                 // "2/8"; empty: everything
  bool list = false, count = false;  // print the plan instead of running it
  bool noArbitration = false;        // only report which sides agree
  double timeout = 0;                // of a device, in seconds: for a pipeline to be built, and for each other wait; 0: the usual ones
  std::string profile = "strict", patch = "none";
  bool findings = false;
  TierOptions tier = {"interpreter", false};  // its cases are small: compiling them takes longer than it saves
  bool resume = false;                        // continue from the report folder's journal
  std::vector<std::string> pictures;
  std::string devices;
  std::string module;  // a file (tools/run/module_file.h) instead of the kernels' own module
  SourceOptions source;
  std::uint32_t threads = 0;
  std::string report, keep, golden;
  std::string command;  // the whole command line, for the reports
};
Expected<Outcome> runValidate(const ValidateOptions& options);

struct CapsuleOptions {
  SubjectArguments subject;
  std::string out;                // empty: the subject's name with .capsule, in the current folder
  std::string profile, schedule;  // of the model's run
};
Expected<Outcome> runCapsule(const CapsuleOptions& options);

struct ReplayOptions {
  SubjectArguments subject;
  std::string devices, schedules;
};
Expected<Outcome> runReplay(const ReplayOptions& options);

struct SelftestCommandOptions {
  std::vector<std::string> texts;
  SubjectArguments subject;  // without its text
  std::string rules, part, json;
  std::uint32_t threads = 0;
};
Expected<Outcome> runSelftestCommand(const SelftestCommandOptions& options);

struct ReportOptions {
  std::vector<std::string> merge;  // folders of parts
  std::string report;              // the folder for the merged report
  std::string command;
};
Expected<Outcome> runReport(const ReportOptions& options);

struct GoldenOptions {
  std::vector<std::string> patterns;  // goldens by name, or cases as they are printed; none: all
  SubjectArguments subject;           // of `image`: what a kernel that is no case needs besides
  std::string out = "golden-images";  // of `image`: the folder
  std::string before;                 // a program of another version, for the old pictures
  std::vector<std::string> with;      // only cases with these parameters
  std::string folder, html;
  bool full = false;  // the folded goldens of the full set
  bool diff = false;  // list every change
  bool all = false;   // approve without a pattern
};
Expected<Outcome> runGoldenRegen(const GoldenOptions& options);
Expected<Outcome> runGoldenApprove(const GoldenOptions& options);
Expected<Outcome> runGoldenStatus(const GoldenOptions& options);
Expected<Outcome> runGoldenVerify(const GoldenOptions& options);
Expected<Outcome> runGoldenImage(const GoldenOptions& options);

Expected<Outcome> runDevices();

struct MeasureOptions {
  std::vector<std::string> pictures;  // one or two
  std::string devices;                // empty: the model
  bool json = false;
};
Expected<Outcome> runMeasure(const MeasureOptions& options);

struct TableOptions {
  std::vector<std::string> pictures;
  std::string sizes = "512x512", inputs = "noise:1", radii = "1..63", edge = "clamp", devices, csv;
};
Expected<Outcome> runTableRoundings(const TableOptions& options);
Expected<Outcome> runTableBlits(const TableOptions& options);

struct BenchOptions {
  std::vector<std::string> texts;
  SubjectArguments subject;        // --with, and the options of a module
  std::string size, radius, edge;  // of kernels; empty: 1024x1024, 15, clamp
  std::string devices, json;
  std::string threads;  // a number, of the corpus several; empty: all cores
  TierOptions tier;     // several are compared
  std::uint32_t runs = 9;
  bool corpus = false;       // the kernels of shaders/corpus; `texts` are patterns of their names
  std::string csv;           // a file for the figures
  bool gpu = false;          // against one another on devices, by timestamps
  std::uint32_t repeat = 1;  // with gpu: how often a run dispatches
  bool timeOnly = false;     // with gpu: results are not checked
};
Expected<Outcome> runBench(const BenchOptions& options);

// Which variables are shown.
enum class TracedVariables : std::uint8_t { kChanged, kAll, kNone };

struct TraceOptions {
  SubjectArguments subject;
  std::string invocation;         // empty: 0,0,0
  std::string profile, schedule;  // empty: a capsule's own, or strict and in order
  std::uint64_t stopAt = 0;       // 0: never
  std::string save, resume;
  TracedVariables variables = TracedVariables::kChanged;
  bool lines = false;
  std::vector<std::string> at;  // only these lines: FILE:LINE or LINE
  std::string resource;         // only what touches it
  bool json = false;
};
Expected<Outcome> runTrace(const TraceOptions& options);

// The folder of the golden store: the named one, else the one installed beside the program, else the one of the source tree.
std::string goldenFolder(const std::string& named);
// kIoError if there is no such folder: the store is never looked for anywhere else, and never made.
Status checkGoldenFolder(const std::string& named);

}  // namespace lanewise
