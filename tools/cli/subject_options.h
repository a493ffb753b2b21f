// The options that say what a command works on; see tools/subject/subject.h.
#pragma once

#include "tools/subject/way.h"

namespace CLI {
class App;
}

namespace lanewise {

// One value an occurrence: a value may have commas of its own.
void addEach(CLI::App& app, const char* name, std::vector<std::string>& into, const char* help);

// What is wrong with the text of a count; empty: nothing that CLI11 does not tell. It takes -1 for 2^64 - 1.
std::string notACount(const std::string& text);

// -I, -D and --target-env.
void addSource(CLI::App& app, SourceOptions& source);

// What a module works on: entry point, workgroups, resources and constants.
void addModule(CLI::App& app, ModuleArguments& module);

// The options of a kernel, and those of any subject.
void addCase(CLI::App& app, SubjectArguments& subject);

// The type of a positional that may name a kernel: --help shows it, and shells complete the names of kernels there.
inline constexpr const char* kKernelOrFile = "KERNEL|FILE";

// SUBJECT, with the options of a kernel, of a module and of both.
void addSubject(CLI::App& app, SubjectArguments& subject);

// --profile and --schedule: see tools/subject/way.h.
void addWay(CLI::App& app, std::string& profile, std::string& schedule);

}  // namespace lanewise
