// What a command works on. Every command reads its names here. The user may name it in four ways:
//
//   box-blur/double/naive                            a kernel, at --size and with the parameters of --with
//   'box-blur/double/naive @ 33x65 radius=7 ...'     a case as every report prints it
//   blur.toml, 'blur.toml @ 33x65 radius=7'          the same of a kernel that is described in a file (tools/described)
//   out/FAILURE.capsule                              a failure in one file
//   kernel.comp, kernel.spvasm, kernel.spv           a module, with the options of `lanewise run`
//
// A text with " @ " in it is a case. The name of a kernel, or of a file that ends in .toml, is a kernel. Anything else is a file, and its
// first bytes say of which kind. Options that would be ignored are refused.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tools/arbitrate/capsule.h"
#include "tools/subject/options.h"

namespace lanewise {

// A case of a kernel, with its input.
struct MadeCase {
  Case what;
  golden::Image input;
};

namespace amber {
struct Script;
}

struct Subject {
  std::string name;  // a case's name, or a file's
  Job job;
  std::variant<MadeCase, std::shared_ptr<const Capsule>, std::shared_ptr<const RunJob>> kind;
  std::shared_ptr<const amber::Script> script{};  // that the job is of; it may ask something of devices

  // nullptr if it is of another kind.
  const MadeCase* madeCase() const { return std::get_if<MadeCase>(&kind); }
  const Capsule* capsule() const;
  const RunJob* module() const;
  // Why a device cannot run it; empty if nothing speaks against it.
  std::string cannotRunOn(const Profile& profile) const;
};

// What its outputs have to be. Nothing says it of a module.
Expected<std::optional<Expectation>> expectationOf(const Subject& subject);
// The same, but nothing where that is only what the model gives: of a kernel that has invariants alone.
Expected<std::optional<Expectation>> knownResultOf(const Subject& subject);

bool namesCase(std::string_view text);
// The kernel of this name, or that a file of this name describes. Bad input: there is none. Errors of a description.
Expected<KernelRef> kernelNamed(const std::string& name, const std::atomic<bool>* stop = nullptr);
// The case that a text such as "blur.toml @ 33x65 radius=7" names.
Expected<Case> caseNamed(const std::string& text, const std::atomic<bool>* stop = nullptr);
// Whether it is a file, and neither a capsule nor a description.
bool namesModule(const std::string& text);

// The case that the text and the arguments name. The text is the name of a kernel or of a case.
Expected<Case> caseOf(const std::string& text, const CaseArguments& arguments, std::uint32_t subgroupSize = 0);

// A subject that is this case. Bad input: its input does not fit, or its picture cannot be read.
Expected<Subject> subjectOf(Case c);

// The modules that a subject dispatches, each once for its constants. A module's file needs no resources for this.
struct UsedModules {
  struct One {
    std::shared_ptr<const ShaderModule> module;
    std::vector<SpecConstant> spec;
  };
  std::string subject;  // the name of a case or a capsule; empty: the module is the user's own
  std::vector<One> all;
  std::shared_ptr<const Subject> of{};  // null: the module is the user's own
};
Expected<UsedModules> modulesOf(const SubjectArguments& arguments);

// What a command works on that takes several names: kernels by patterns, cases by name, and files.
struct Selection {
  std::vector<const Kernel*> kernels;
  std::vector<KernelRef> held;  // those of the kernels that are described in files
  std::vector<Case> cases;
  std::vector<std::string> files;
};
// Without a name: all kernels but the broken ones. `arguments` are the options beside these names: a kernel with --size is a case. Bad
// input: options that no name takes.
Expected<Selection> selectSubjects(std::span<const std::string> texts, const SubjectArguments& arguments = {});
// Bad input if there is a file among them; the hint says which command takes it.
Status refuseFiles(const Selection& selection, std::string_view command);

// The long name of the first given option for one of these; empty if there is none.
std::string givenOption(const SubjectArguments& arguments, std::initializer_list<For> what);

// Bad input if an option was given that only a module takes.
Status refuseModuleOptions(const SubjectArguments& arguments);

// Errors: bad input (no such subject, options that do not belong to it, and the errors of its kind), kIoError, unsupported.
// With `writes` the command writes the files of a module's --out. Without, only "-" is taken there.
Expected<Subject> openSubject(const SubjectArguments& arguments, bool writes = false);

}  // namespace lanewise
