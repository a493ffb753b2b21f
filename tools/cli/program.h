// The commands of the program. Those that validate kernels (first.cpp) are always in it. A first build, which has to be short, leaves the
// others out (LANEWISE_COMMANDS): then others.cpp is not compiled, and absent.cpp stands in its place.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "model/base/outcome.h"

namespace CLI {
class App;
}

namespace lanewise {

struct ValidateOptions;

using RunCommand = std::function<Expected<Outcome>()>;
// Gives a command its options. What it returns runs it, once the line has been read. `line`: the whole command line.
using AddCommand = RunCommand (*)(CLI::App& command, const std::string& line);

// nullptr: not one of these.
AddCommand firstCommand(std::string_view name);
AddCommand otherCommand(std::string_view name);

// What this build does not have, as an error that says how to build it: a command, or an option of `validate`.
Error notBuilt(const std::string& what);
Status notBuilt(const ValidateOptions& options);
// The exit code of a command that is not in this build, as shells have it for a command that is not found.
inline constexpr int kNotBuilt = 127;

// A command whose options are a value.
template <class Options>
RunCommand commandOf(CLI::App& command, void (*add)(CLI::App&, Options&), Expected<Outcome> (*run)(const Options&)) {
  const auto options = std::make_shared<Options>();
  add(command, *options);
  return [options, run] { return run(*options); };
}

}  // namespace lanewise
