// The options that say what a command works on; see tools/subject/subject.h.
#pragma once

#include "model/contract/schedule.h"
#include "tools/subject/subject.h"

namespace CLI {
class App;
}

namespace lanewise {

// One value an occurrence: a value may have commas of its own.
void addEach(CLI::App& app, const char* name, std::vector<std::string>& into, const char* help);

// -I, -D and --target-env.
void addSource(CLI::App& app, SourceOptions& source);

// What a module works on: entry point, workgroups, resources and constants.
void addModule(CLI::App& app, ModuleArguments& module);

// SUBJECT, with the options of a kernel, of a module and of both.
void addSubject(CLI::App& app, SubjectArguments& subject);

// How a subject runs on the model: --profile and --schedule; a capsule's own, or strict and in order, where they are not given.
struct Way {
  Profile profile;
  Schedule schedule;
};
void addWay(CLI::App& app, std::string& profile, std::string& schedule);
Expected<Way> wayOf(const Subject& subject, const std::string& profile, const std::string& schedule);

}  // namespace lanewise
