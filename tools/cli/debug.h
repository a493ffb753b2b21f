// `lanewise debug`, and `lanewise dap` for editors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/debug/opened.h"

namespace CLI {
class App;
}

namespace lanewise {

struct DebugOptions {
  SessionArguments session;
  std::vector<std::string> commands;  // run first
  std::vector<std::string> scripts;   // files of commands, run next
  bool web = false;                   // serve a page to a browser of this host
  int port = -1;                      // of this host; 0: any; negative: with --web any, with dap the standard input and output
};
void addDebug(CLI::App& app, DebugOptions& options);
Expected<Outcome> runDebug(const DebugOptions& options);
void addDap(CLI::App& app, DebugOptions& options);
Expected<Outcome> runDap(const DebugOptions& options);

}  // namespace lanewise
