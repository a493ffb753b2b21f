// What shells and man(1) are told about the program, made from the tree of its commands, so that it says what --help says.
#pragma once

#include <string>
#include <vector>

#include "model/base/outcome.h"

namespace CLI {
class App;
}

namespace lanewise {

struct ManualOption {
  std::vector<std::string> names;  // "-h", "--help"; of a positional its one name
  std::string value;               // "TEXT"; empty: a flag
  std::string says;
  bool takesKernels = false;  // kKernelOrFile (subject_options.h)
};

struct ManualCommand {
  std::string name;   // "lanewise golden image"
  std::string usage;  // what stands behind the name
  std::string says;
  std::vector<ManualOption> positionals, options;
  std::vector<ManualCommand> commands;
};

ManualCommand manualOf(const CLI::App& app);

// A page in the language of man(7).
std::string manPage(const ManualCommand& command, const std::string& version);
std::string bashCompletion(const ManualCommand& program);
std::string zshCompletion(const ManualCommand& program);
std::string fishCompletion(const ManualCommand& program);

struct ManualOptions {
  std::string what;  // "bash", "zsh", "fish", or the words of a command; empty: of the program
  std::string out;   // a folder for all of them
};
void addManual(CLI::App& app, ManualOptions& options);
Expected<Outcome> runManual(const CLI::App& app, const ManualOptions& options);

}  // namespace lanewise
