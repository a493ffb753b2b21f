// The report of a run, as text or as JSON (docs/run.md has the schema).
#pragma once

#include <string>
#include <vector>

#include "tools/run/output.h"

namespace lanewise {

// What native code did in the model (docs/model.md, "Tiers").
struct CompiledReport {
  std::uint64_t dispatches = 0;          // that it ran, whole or in part
  std::uint64_t programs = 0, kept = 0;  // compiled or read from disk; of these, those that were read
  double seconds = 0;                    // that this took
  std::vector<std::string> refusals;     // why programs were left to the interpreter
  std::string notKept;                   // why none is kept on disk
};

// One device, or the model under one schedule.
struct SideRun {
  std::string name;         // "model", "model, reverse", "lavapipe"
  std::string description;  // driver and version; the model's profile
  std::string schedule;     // of the model; empty for devices
  std::uint32_t subgroupSize = 0;
  RunResult result;
  std::vector<double> warm;                // --repeat: seconds of every further run
  std::uint32_t parted = 0;                // of those, whose bytes were not the first run's
  std::optional<std::string> wrong;        // the first texel that is not as expected, or empty; none: nothing is expected
  std::string wrongAt;                     // ... of --expect, as the debugger's `writer` takes it
  std::optional<CompiledReport> compiled;  // of the model
  // The commands that open it in the debugger; empty: there is none.
  std::vector<std::string> findingOpens;  // by finding
  std::string opens;                      // of its error, or what is not as expected
  std::vector<std::string> files;         // where each --out went, in the order of the outputs and their files; "-" for the terminal
};

struct Difference {
  std::string binding, first, second;
  std::string text;        // differenceText of output.h
  std::string opens = {};  // the command that goes to where they part, in the debugger; empty: there is none
};

// Of all outputs.
bool sameBytes(const SideRun& a, const SideRun& b);

struct RunReport {
  std::vector<SideRun> sides;
  std::vector<Difference> differences;
  bool compared = false;
  std::string subject;  // of a case or a capsule its name; empty: a module
  std::string patch;    // how the module was changed before any side ran it; empty: it was not
  // The outcome is a finding where there is a difference or the model found something, else the first side's error.
  Outcome outcome() const;
};

// Compares every side with the first, output by output. Sides with an error are left out.
std::vector<Difference> compareSides(const RunJob& runJob, const std::vector<SideRun>& sides);

// What the kernel printed, a line each.
std::string printedText(const SideRun& side);
std::string runText(const RunJob& runJob, const RunReport& report);
std::string runJson(const RunJob& runJob, const RunReport& report, const std::string& version);
// A document with the error alone, where nothing ran.
std::string runErrorJson(const Error& error, const std::string& version);

}  // namespace lanewise
