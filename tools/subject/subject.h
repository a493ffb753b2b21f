// What a command works on, however the user names it:
//
//   box-blur/double/naive                            a kernel, at --size and with the parameters that --with names
//   'box-blur/double/naive @ 33x65 radius=7 ...'     a case as every report prints it
//   out/FAILURE.capsule                              a failure in one file
//   kernel.comp, kernel.spvasm, kernel.spv           a module, with the options of `lanewise run`
//
// A text is a case where " @ " stands in it, a kernel where one has that name, and otherwise a file; what a file is, its first bytes say.
// Options that would be ignored are refused.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/arbitrate/capsule.h"
#include "tools/subject/options.h"

namespace lanewise {

struct Subject {
  enum class Kind : std::uint8_t { kCase, kCapsule, kModule };
  Kind kind = Kind::kCase;
  std::string name;  // a case's name, or a file's
  Job job;
  std::optional<Case> what;                // kCase
  golden::Image input;                     // kCase
  std::shared_ptr<const Capsule> capsule;  // kCapsule
  std::shared_ptr<const RunJob> run;       // kModule
};

bool namesCase(std::string_view text);

// The case that the text and the arguments name; the text is a kernel's name or a case's.
Expected<Case> caseOf(const std::string& text, const CaseArguments& arguments, std::uint32_t subgroupSize = 0);

// The module in a file, compiled where it is source, with its job.
Expected<RunJob> moduleJob(const std::string& file, const ModuleArguments& arguments, std::uint32_t subgroupSize);

Expected<Capsule> readCapsule(const std::string& file);

// The first option for one of these that was given, by its long name; empty where there is none.
std::string givenOption(const SubjectArguments& arguments, std::initializer_list<For> what);

// Bad input where an option was given that only a module takes.
Status refuseModuleOptions(const SubjectArguments& arguments);

// Errors: bad input (no such thing, options that do not belong to it, what its kind says), kIoError, unsupported.
Expected<Subject> openSubject(const SubjectArguments& arguments);

}  // namespace lanewise
