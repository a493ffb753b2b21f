// `lanewise debug`.
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
  bool dap = false;                   // serve an editor by the Debug Adapter Protocol, and read no commands
  int port = -1;                      // of this host, by TCP; 0: any; negative: the standard input and output instead
};
void addDebug(CLI::App& app, DebugOptions& options);
Expected<Outcome> runDebug(const DebugOptions& options);

}  // namespace lanewise
