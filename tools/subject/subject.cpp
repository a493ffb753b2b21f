#include "tools/subject/subject.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "model/base/file.h"
#include "model/spirv/validate.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/with.h"
#include "tools/sweep/inputs.h"

namespace lanewise {
namespace {

Error refused(std::string option, std::string_view why, std::string_view hint) {
  return {Outcome::kBadInput, std::string(why), std::move(option), std::string(hint)};
}

bool isCapsule(const std::string& file) {
  constexpr std::string_view kBegins = "lanewise capsule";
  std::string begin(kBegins.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return in && begin == kBegins;
}

Expected<Subject> openCase(const SubjectArguments& a) {
  Expected<Case> c = caseOf(a.text, a.kernel, a.subgroupSize);
  if (!c) return c.error();
  Inputs inputs;
  if (Status bad = inputs.addPictureOf(*c)) return *bad;
  if (Status bad = outsideDomain(*c)) return *bad;
  Expected<golden::Image> input = inputs.make(*c);
  if (!input) return input.error();
  Subject s;
  s.name = c->name();
  s.job = c->kernel->plan(*c, kernelModule(*c->kernel), *input);
  if (a.module.maxSteps != 0) s.job.limits.maxSteps = a.module.maxSteps;
  s.input = std::move(*input);
  s.what = std::move(*c);
  return s;
}

Expected<Subject> openFile(const SubjectArguments& a) {
  if (std::string option = givenOption(a, {For::kCase, For::kKernel}); !option.empty())
    return refused(std::move(option), "only a built-in kernel has it", "see `lanewise list`");
  Subject s;
  s.name = a.text;
  if (!isCapsule(a.text)) {
    Expected<RunJob> run = moduleJob(a.text, a.module, a.subgroupSize);
    if (!run) return run.error();
    s.kind = Subject::Kind::kModule;
    s.job = run->job;
    s.run = std::make_shared<const RunJob>(std::move(*run));
    return s;
  }
  if (std::string option = givenOption(a, {For::kModule}); !option.empty())
    return refused(std::move(option), "a capsule holds its job: only a module takes it", "leave it out");
  Expected<Capsule> capsule = readCapsule(a.text);
  if (!capsule) return capsule.error();
  s.kind = Subject::Kind::kCapsule;
  s.job = capsule->job;
  if (a.subgroupSize != 0) s.job.subgroupSize = a.subgroupSize;
  if (a.module.maxSteps != 0) s.job.limits.maxSteps = a.module.maxSteps;
  s.capsule = std::make_shared<const Capsule>(std::move(*capsule));
  return s;
}

}  // namespace

bool namesCase(std::string_view text) {
  return text.find(" @ ") != std::string_view::npos;
}

Status refuseKernel(const std::string& text) {
  if (!namesCase(text) && findKernel(text) == nullptr) return {};
  return Error{Outcome::kBadInput, fmt::format("'{}' is a built-in kernel, and a file is meant here", text), "",
               "`lanewise check`, `trace` and `debug` take kernels too; its source is in shaders/"};
}

Expected<Case> caseOf(const std::string& text, const CaseArguments& a, std::uint32_t subgroupSize) {
  Expected<std::vector<NamedValues>> with = parseWith(a.with);
  if (!with) return with.error();
  for (const Status& bad : {addShort("--radius", kRadiusParameter, a.radius, *with), addShort("--edge", kEdgeParameter, a.edge, *with)})
    if (bad) return *bad;
  Expected<Case> c = parseCase(namesCase(text) ? text : fmt::format("{} @ {}", text, a.size.empty() ? "1x1" : a.size));
  if (!c) return c.error();
  if (namesCase(text)) {
    if (!a.size.empty()) return refused("--size", "the case's name says its size", "leave it out");
    if (!a.input.empty()) return refused("--input", "the case's name says its input", "leave it out");
  } else if (!a.input.empty()) {
    c->input = a.input;
  }
  if (subgroupSize != 0) {
    const Expected<std::uint32_t> size = parseSubgroupSize(std::to_string(subgroupSize));
    if (!size) return Error{size.error().outcome, size.error().what, "--subgroup-size", size.error().hint};
    c->subgroupSize = *size;
  }
  return withValues(std::move(*c), *with);
}

Expected<RunJob> moduleJob(const std::string& file, const ModuleArguments& a, std::uint32_t subgroupSize) {
  if (subgroupSize != 0)
    if (const auto size = parseSubgroupSizes("--subgroup-size", std::to_string(subgroupSize)); !size) return size.error();
  if (!(a.timeout >= 0)) return Error{Outcome::kBadInput, fmt::format("not a number of seconds: {}", a.timeout), "--timeout", "0 is none"};
  if (Status kernel = refuseKernel(file)) return *kernel;
  Expected<std::shared_ptr<const ShaderModule>> module = loadModule(file, a.source);
  if (!module) return module.error();
  // SPIRV-Tools may not know an instruction that the model or a device knows. If they do not know it, they report that themselves.
  if (Status wrong = spirv::validate((*module)->name, (*module)->words); wrong && wrong->outcome == Outcome::kBadInput) return *wrong;
  RunRequest request{a.run, *module, subgroupSize, {}};
  if (a.maxSteps != 0) request.limits.maxSteps = a.maxSteps;
  if (a.timeout > 0) request.limits.timeoutSeconds = a.timeout;
  return makeRunJob(request);
}

Expected<Capsule> readCapsule(const std::string& file) {
  const Expected<std::string> bytes = readWholeFile(file);
  if (!bytes) return bytes.error();
  Expected<Capsule> capsule = decodeCapsule(std::as_bytes(std::span(*bytes)));
  if (!capsule) capsule.error().where = file;
  return capsule;
}

Expected<Subject> openSubject(const SubjectArguments& a) {
  if (a.text.empty()) return Error{Outcome::kBadInput, "nothing is named", "", "a kernel, a case, a capsule, or a module's file"};
  const bool kernel = refuseKernel(a.text).has_value();
  std::error_code failed;
  if (!kernel && !std::filesystem::exists(a.text, failed)) {
    // No kernel's name has a dot.
    if (a.text.find('.') != std::string::npos) return Error{Outcome::kIoError, fmt::format("there is no file '{}'", a.text), "", ""};
    return Error{
        Outcome::kBadInput, fmt::format("there is no kernel, case or file '{}'", a.text), "",
        a.text.find('*') != std::string::npos ? "one is meant here: `lanewise list` names them" : "see `lanewise list` for kernels"};
  }
  if (!kernel) return openFile(a);
  if (Status bad = refuseModuleOptions(a)) return *bad;
  return openCase(a);
}

std::string givenOption(const SubjectArguments& arguments, std::initializer_list<For> what) {
  std::string name;
  forEachOption(arguments, [&]<class Field>(const OptionRow& row, const Field& field) {
    if (name.empty() && field != Field{} && std::ranges::find(what, row.what) != what.end()) name = longName(row);
  });
  return name;
}

Status refuseModuleOptions(const SubjectArguments& a) {
  if (std::string option = givenOption(a, {For::kModule}); !option.empty())
    return refused(std::move(option), "a built-in kernel has its own job: only a module takes it", "leave it out");
  return {};
}

}  // namespace lanewise
