// The `lanewise` program: reads the command line, runs one command, prints its error if it has one, and exits with its outcome.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "model/base/nearest_name.h"
#include "model/base/text.h"
#include "tools/cli/program.h"

namespace {

using namespace lanewise;

constexpr const char* kDescription =
    "Lanewise runs Vulkan compute kernels on a simulated GPU and on real devices, and compares both, bit for bit, with exact results.\n"
    "Exit codes: 0 all well, 1 mismatch or finding, 2 bad input or usage, 3 unsupported, 4 device trouble, 5 golden missing, stale or "
    "edited, 6 cannot read or write, 70 a bug of Lanewise, 127 a command that is not in this build, 130 interrupted.";

int finish(const Expected<Outcome>& result) {
  if (result) return static_cast<int>(*result);
  fmt::print(stderr, "lanewise: {}: {}\n", outcomeName(result.error().outcome), result.error().text());
  return static_cast<int>(result.error().outcome);
}

// --json without a file's name: the document goes to standard output, and so does an error.
bool asksForJson(const CLI::App& command) {
  const CLI::Option* json = command.get_option_no_throw("--json");
  return json != nullptr && json->count() != 0 && json->get_items_expected_max() == 0;
}

std::string errorDocument(const Error& error) {
  const nlohmann::json json = {
      {"schema", "lanewise-error-1"},
      {"version", LANEWISE_VERSION},
      {"error", {{"outcome", outcomeName(error.outcome)}, {"what", error.what}, {"where", error.where}, {"hint", error.hint}}},
      {"outcome", outcomeName(error.outcome)},
      {"exitCode", static_cast<int>(error.outcome)}};
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Help with lines that are broken between words, or after a comma in a long word, so that a terminal of 80 columns shows them as they are.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    constexpr std::size_t kColumns = 80;
    std::istringstream lines(CLI::Formatter::make_help(app, std::move(name), mode));
    std::string help;
    for (std::string line; std::getline(lines, line); help += line + '\n') {
      const std::size_t indent = line.starts_with(' ') ? get_column_width() : 0;
      while (line.size() > kColumns) {
        std::size_t end = line.rfind(' ', kColumns);
        if (end == std::string::npos || end <= indent) end = line.rfind(',', kColumns - 1) + 1;
        if (end <= indent) break;
        help += line.substr(0, end) + '\n';
        line = std::string(indent, ' ') + line.substr(line[end] == ' ' ? end + 1 : end);
      }
    }
    return help;
  }
};

// "did you mean run? ": the name that is meant, if one is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  const std::string nearest = nearestName(word, names, std::max<std::size_t>(1, word.size() / 4));
  return nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest);
}

std::string nameOf(const CLI::App& command) {
  return command.get_parent() ? nameOf(*command.get_parent()) + " " + command.get_name() : "lanewise";
}

// What no option and no positional argument took.
std::optional<Error> unexpectedError(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return {};
  const CLI::App* at = &app;
  while (at->remaining_size() == 0 && !at->get_subcommands().empty()) at = at->get_subcommands().front();
  const std::string help = fmt::format("see `{} --help`", nameOf(*at));
  const auto option = std::ranges::find_if(words, [](const std::string& word) { return word.starts_with('-'); });
  if (option == words.end()) return Error{Outcome::kBadInput, fmt::format("'{}' is not expected here", words[0]), nameOf(*at), help};
  const std::string name = option->substr(0, option->find('='));
  std::vector<std::string> known;
  for (const CLI::Option* o : at->get_options())
    for (const std::string& one : o->get_lnames()) known.push_back("--" + one);
  return Error{Outcome::kBadInput, fmt::format("there is no option '{}'", name), nameOf(*at), suggestion(name, known) + help};
}

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
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  const std::string what = word < argc ? fmt::format("there is no command '{}'", argv[word]) : "a command is missing";
  return Error{Outcome::kBadInput, what, nameOf(*at),
               fmt::format("{}one of {}", word < argc ? suggestion(argv[word], names) : "", fmt::join(names, ", "))};
}

std::string commandLine(int argc, char** argv) {
  std::string line = "lanewise";
  for (int i = 1; i < argc; ++i) line += " " + shellWord(argv[i]);
  return line;
}

constexpr const char* kManual = "manual";

// In the order of --help.
constexpr std::pair<const char*, const char*> kCommands[] = {
    {"list", "List the kernels: name, what an invocation does, contract, parameters"},
    {"init", "Write a first description of your own kernel, from what its module declares"},
    {"validate", "Run kernels on the model and on devices and compare with the exact golden"},
    {"replay", "Run a failure again: a capsule that `validate --report` wrote, or a case by its name"},
    {"capsule", "Put a run into one file: its modules, its data, and what the model gives"},
    {"export", "Write a run as a file for other programs, with its modules, its data and what it gives"},
    {"report", "Merge the reports of the parts of one run"},
    {"selftest", "Change a kernel in one place at a time and check that its quick cases find every change"},
    {"golden", "The golden store: hashes of exact results for the quick set"},
    {"measure", "Say exactly how saturated a picture is, how many edges it has, and how similar two are"},
    {"table", "Make the tables of the pages again, as CSV, from pictures of one's own or generated ones"},
    {"bench", "Time the same SPIR-V on the model and on devices, interleaved: medians and ratios"},
    {"trace", "Print every instruction that one invocation executes on the model"},
    {"debug", "Step through a kernel by line, forwards and backwards (docs/debug.md)"},
    {"dap", "Serve an editor by the Debug Adapter Protocol, whose launch request may name the subject"},
    {"run", "Run your own module, a kernel or a capsule on the model and on devices; see docs/run.md"},
    {"check", "Run a kernel under many schedules, subgroup sizes, profiles and devices, and give one verdict"},
    {"inspect", "Show what modules need, where they run, and where devices may differ"},
    {"coverage", "List which instructions and capabilities of SPIR-V the model executes"},
    {kManual, "Print a page for man(1), or what a shell needs to complete command lines"},
    {"devices", "List the model and the Vulkan devices found, with their profiles"},
};

// One that is not in this build: it takes any words, and says that.
void addAbsent(CLI::App& app, const char* name, const std::string& says) {
  CLI::App* command = app.add_subcommand(name, says + " (not in this build)");
  command->set_help_flag();
  command->prefix_command();
}

int run(int argc, char** argv) {
  CLI::App app(kDescription, "lanewise");
  app.set_version_flag("--version", LANEWISE_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());  // for every command too
  const std::string line = commandLine(argc, argv);
  // Only the command that the line names needs its options, and the manual those of all. They take most of a short run's time.
  const std::string_view named = argc > 1 ? argv[1] : "";
  const bool isManual = named == kManual;
  std::map<const CLI::App*, RunCommand> commands;
  for (const auto& [name, says] : kCommands) {
    AddCommand add = firstCommand(name);
    if (!add) add = otherCommand(name);
    if (!add) {
      addAbsent(app, name, says);
      continue;
    }
    CLI::App* command = app.add_subcommand(name, says);
    if (isManual || named == name) commands[command] = add(*command, line);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    if (std::optional<Error> none = commandError(app, argc, argv)) return finish(*none);
    if (std::optional<Error> unexpected = unexpectedError(app)) return finish(*unexpected);
    return finish(Error{Outcome::kBadInput, error.what(), "", "see `lanewise --help` or `lanewise COMMAND --help`"});
  }
  const CLI::App* command = app.get_subcommands().front();
  if (const auto found = commands.find(command); found != commands.end()) {
    const Expected<Outcome> outcome = found->second();
    if (!outcome && asksForJson(*command)) fmt::print("{}\n", errorDocument(outcome.error()));
    return finish(outcome);
  }
  fmt::print(stderr, "lanewise: not built: {}\n", notBuilt("`lanewise " + command->get_name() + "`").text());
  return kNotBuilt;
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
