// `lanewise debug`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/subject/subject.h"

namespace CLI {
class App;
}

namespace lanewise {

struct DebugOptions {
  SubjectArguments subject;
  std::string profile, schedule;      // empty: a capsule's own, or strict and in order
  std::vector<std::string> commands;  // run first
  std::vector<std::string> scripts;   // files of commands, run next
  std::string snapshots = "256M";     // bytes that copies of the state may take
};
void addDebug(CLI::App& app, DebugOptions& options);
Expected<Outcome> runDebug(const DebugOptions& options);

}  // namespace lanewise
