// `lanewise manual`: reads the tree of commands, and writes what is made of it.
#include "tools/cli/manual.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "model/base/file.h"
#include "tools/cli/subject_options.h"

namespace lanewise {
namespace {

ManualOption manualOption(const CLI::Option& option) {
  ManualOption told{{},
                    option.get_items_expected_max() == 0 ? "" : option.get_type_name(),
                    option.get_description(),
                    option.get_type_name() == kKernelOrFile};
  if (option.get_positional()) {
    told.names = {option.get_name(true)};
    return told;
  }
  for (const std::string& name : option.get_snames()) told.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) told.names.push_back("--" + name);
  return told;
}

ManualCommand manualBelow(const CLI::App& app, const std::string& before) {
  ManualCommand told;
  told.name = before + app.get_name();
  told.says = app.get_description();
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? told.positionals : told.options).push_back(manualOption(*option));
  if (!told.options.empty()) told.usage += " [OPTIONS]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_name(true) + (option->get_items_expected_max() > 1 ? "..." : "");
    told.usage += option->get_required() ? " " + name : " [" + name + "]";
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    told.commands.push_back(manualBelow(*command, told.name + " "));
  if (!told.commands.empty()) told.usage += " COMMAND";
  return told;
}

struct ManualFile {
  std::string name, text;
};

void addPages(const ManualCommand& command, std::vector<ManualFile>& files) {
  std::string name = command.name;
  std::replace(name.begin(), name.end(), ' ', '-');
  files.push_back({name + ".1", manPage(command, LANEWISE_VERSION)});
  for (const ManualCommand& one : command.commands) addPages(one, files);
}

const ManualCommand* commandNamed(const ManualCommand& at, const std::string& name) {
  if (at.name == name) return &at;
  for (const ManualCommand& one : at.commands)
    if (const ManualCommand* found = commandNamed(one, name)) return found;
  return nullptr;
}

}  // namespace

ManualCommand manualOf(const CLI::App& app) {
  return manualBelow(app, "");
}

void addManual(CLI::App& app, ManualOptions& o) {
  app.add_option("WHAT", o.what, "bash, zsh or fish; or a command, 'golden image', for its page (default: the page of lanewise)");
  app.add_option("--out", o.out, "Write all of them into this folder instead");
}

Expected<Outcome> runManual(const CLI::App& app, const ManualOptions& o) {
  const ManualCommand program = manualOf(app);
  if (!o.out.empty()) {
    if (!o.what.empty()) return Error{Outcome::kBadInput, "the folder gets all of them", "--out", "leave out '" + o.what + "'"};
    std::vector<ManualFile> files = {
        {"lanewise.bash", bashCompletion(program)}, {"_lanewise", zshCompletion(program)}, {"lanewise.fish", fishCompletion(program)}};
    addPages(program, files);
    std::error_code failed;
    std::filesystem::create_directories(o.out, failed);
    for (const ManualFile& file : files)
      if (Status bad = writeTextFile(o.out + "/" + file.name, file.text)) return *bad;
    return Outcome::kOk;
  }
  if (o.what == "bash" || o.what == "zsh" || o.what == "fish") {
    fmt::print("{}", o.what == "bash" ? bashCompletion(program) : o.what == "zsh" ? zshCompletion(program) : fishCompletion(program));
    return Outcome::kOk;
  }
  const ManualCommand* command = commandNamed(program, o.what.empty() ? program.name : program.name + " " + o.what);
  if (command == nullptr)
    return Error{Outcome::kBadInput, "there is no command '" + o.what + "'", "WHAT",
                 "see `lanewise --help`; shells are bash, zsh and fish"};
  fmt::print("{}", manPage(*command, LANEWISE_VERSION));
  return Outcome::kOk;
}

}  // namespace lanewise
