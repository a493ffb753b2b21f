#include "tools/cli/subject_options.h"

#include <CLI/CLI.hpp>
#include <string_view>

#include "tools/subject/comma_lists.h"

namespace lanewise {

void addEach(CLI::App& app, const char* name, std::vector<std::string>& into, const char* help) {
  app.add_option(name, into, help)->expected(1)->take_all()->allow_extra_args(false);
}

std::string notACount(const std::string& text) {
  return text.starts_with('-') ? text + " is below 0" : "";
}

namespace {

std::string noCount(const std::string& text) {
  return text.find_first_not_of('0') == std::string::npos ? "has to be at least 1" : notACount(text);
}

// Each as an option of its field's type.
auto addTo(CLI::App& app) {
  return [&app]<class Field>(const OptionRow& row, Field& field) {
    if constexpr (std::is_same_v<Field, std::vector<std::string>>)
      addEach(app, row.names, field, row.help);
    else if constexpr (std::is_same_v<Field, bool>)
      app.add_flag(row.names, field, row.help);
    else if constexpr (std::is_same_v<Field, std::uint64_t>)
      app.add_option(row.names, field, row.help)->check(noCount);
    else
      app.add_option(row.names, field, row.help);
    if (std::string_view(row.field) == "include") app.get_option("--include")->check(CLI::ExistingDirectory);
  };
}

}  // namespace

void addSource(CLI::App& app, SourceOptions& s) {
  forEachSourceOption(s, addTo(app));
}

void addModule(CLI::App& app, ModuleArguments& m) {
  forEachModuleOption(m, addTo(app));
}

void addCase(CLI::App& app, SubjectArguments& s) {
  forEachCaseOption(s, addTo(app));
}

void addSubject(CLI::App& app, SubjectArguments& s) {
  forEachOption(s, addTo(app));
  app.get_option("SUBJECT")->type_name(kKernelOrFile);
}

void addWay(CLI::App& app, std::string& profile, std::string& schedule) {
  app.add_option("--profile", profile, profileHelp() + " (default: strict, or a capsule's own)");
  app.add_option("--schedule", schedule,
                 "Order of workgroups, subgroups and lanes, e.g. reverse, seed:7, lanes-reverse (default: in-order, or a capsule's own)");
}

}  // namespace lanewise
