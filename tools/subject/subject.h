// What a command works on. The user may name it in four ways:
//
//   box-blur/double/naive                            a kernel, at --size and with the parameters of --with
//   'box-blur/double/naive @ 33x65 radius=7 ...'     a case as every report prints it
//   out/FAILURE.capsule                              a failure in one file
//   kernel.comp, kernel.spvasm, kernel.spv           a module, with the options of `lanewise run`
//
// A text with " @ " in it is a case. The name of a kernel is a kernel. Anything else is a file, and its first bytes say of which kind.
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

// Bad input if the text names a built-in kernel or a case, and a command takes only files.
Status refuseKernel(const std::string& text);

// The case that the text and the arguments name. The text is the name of a kernel or of a case.
Expected<Case> caseOf(const std::string& text, const CaseArguments& arguments, std::uint32_t subgroupSize = 0);

// The module in a file, with its job. Source is compiled.
Expected<RunJob> moduleJob(const std::string& file, const ModuleArguments& arguments, std::uint32_t subgroupSize);

Expected<Capsule> readCapsule(const std::string& file);

// The long name of the first given option for one of these; empty if there is none.
std::string givenOption(const SubjectArguments& arguments, std::initializer_list<For> what);

// Bad input if an option was given that only a module takes.
Status refuseModuleOptions(const SubjectArguments& arguments);

// Errors: bad input (no such subject, options that do not belong to it, and the errors of its kind), kIoError, unsupported.
Expected<Subject> openSubject(const SubjectArguments& arguments);

}  // namespace lanewise
