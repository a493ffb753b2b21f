#include "tools/subject/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "model/base/caches.h"
#include "model/base/file.h"
#include "model/spirv/validate.h"
#include "tools/amber/parse.h"
#include "tools/amber/requirements.h"
#include "tools/amber/run_script.h"
#include "tools/described/described_kernel.h"
#include "tools/run/source_text.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/named.h"
#include "tools/sweep/inputs.h"

namespace lanewise {
namespace {

Error refused(std::string option, std::string_view why, std::string_view hint) {
  return {Outcome::kBadInput, std::string(why), std::move(option), std::string(hint)};
}

// By its beginning or its name's ending: a damaged one is a capsule too.
bool isCapsule(const std::string& file) {
  constexpr std::string_view kBegins = "lanewise capsule";
  std::string begin(kBegins.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return file.ends_with(".capsule") || (in && begin == kBegins);
}

Expected<std::shared_ptr<const ShaderModule>> validModule(const std::string& file, SourceOptions source, const std::string& entry) {
  source.entry = entry;
  Expected<std::shared_ptr<const ShaderModule>> module = loadModule(file, source, KeptIn{cacheFolder("sources").string()});
  if (!module) return module;
  // SPIRV-Tools may not know an instruction that the model or a device knows. If they do not know it, they report that themselves.
  if (Status wrong = spirv::validate((*module)->name, (*module)->words); wrong && wrong->outcome == Outcome::kBadInput) return *wrong;
  return module;
}

// The module of a --then: the first one itself where it would be compiled to the same.
Expected<std::shared_ptr<const ShaderModule>> moduleOfThen(const std::string& file, const ModuleArguments& a, const ThenArguments& then,
                                                           const RunRequest& request) {
  SourceOptions source = then.source;
  const bool own = !source.defines.empty() || !source.includeFolders.empty() || source.optimise || !source.targetEnvironment.empty();
  if (!own) source = a.source;
  const std::string& name = then.file.empty() ? file : then.file;
  const bool hlsl = name.ends_with(".hlsl");  // whose entry point is an option of the compiler
  if (name == file && !own && !hlsl) return request.module;
  return validModule(name, std::move(source), then.entry);
}

// The module in a file, with its job. Source is compiled.
Expected<RunJob> moduleJob(const std::string& file, const ModuleArguments& a, std::uint32_t subgroupSize) {
  if (subgroupSize != 0)
    if (const auto size = parseSubgroupSizes("--subgroup-size", std::to_string(subgroupSize)); !size) return size.error();
  Expected<std::shared_ptr<const ShaderModule>> module = validModule(file, a.source, a.run.entry);
  if (!module) return module.error();
  RunRequest request{a.run, *module, subgroupSize, {}};
  for (const std::string& text : a.run.then) {
    Expected<ThenArguments> then = parseThen(text);
    if (!then) return then.error();
    RunRequest::Next next{std::move(*then), nullptr};
    if (next.what.from.empty()) {
      Expected<std::shared_ptr<const ShaderModule>> other = moduleOfThen(file, a, next.what, request);
      if (!other) return other.error();
      next.module = std::move(*other);
    }
    request.next.push_back(std::move(next));
  }
  return makeRunJob(request);
}

Expected<Capsule> readCapsule(const std::string& file) {
  const Expected<std::string> bytes = readWholeFile(file);
  if (!bytes) return bytes.error();
  Expected<Capsule> capsule = decodeCapsule(std::as_bytes(std::span(*bytes)));
  if (!capsule) capsule.error().where = file;
  return capsule;
}

Expected<Subject> openCase(const std::string& text, const SubjectArguments& a) {
  Expected<Case> c = caseOf(text, a.kernel, a.subgroupSize);
  if (!c) return c.error();
  return subjectOf(std::move(*c));
}

Expected<Subject> openCapsule(const SubjectArguments& a) {
  if (std::string option = givenOption(a, {For::kModule, For::kCase}); !option.empty())
    return refused(std::move(option), "a capsule holds its job", "leave it out; --with changes a parameter of its case");
  Expected<Capsule> capsule = readCapsule(a.text);
  if (!capsule) return capsule.error();
  if (!a.kernel.with.empty()) return openCase(capsule->what, a);  // its case, with other parameters
  Subject s{a.text, capsule->job, {}};
  if (!capsule->needs.empty())
    s.script = std::make_shared<const amber::Script>(amber::Script{.file = a.text, .requirements = amber::requirementsOf(capsule->needs)});
  if (a.subgroupSize != 0) s.job.subgroupSize = a.subgroupSize;
  s.kind = std::make_shared<const Capsule>(std::move(*capsule));
  return s;
}

Status refuseKernelOptions(const SubjectArguments& a) {
  if (std::string option = givenOption(a, {For::kCase, For::kKernel}); !option.empty())
    return refused(std::move(option), "only a built-in kernel has it", "see `lanewise list`");
  return {};
}

// Bad input: a file that nobody would write.
Status refuseFilesToWrite(const RunJob& run) {
  for (const RunOutput& output : run.outputs)
    for (const OutArgument& out : output.files)
      if (out.file != kTerminal)
        return Error{Outcome::kBadInput, fmt::format("'{}' would not be written: only `lanewise run` writes files", out.file),
                     "--out " + out.slot.text(), "with - in place of the file, it says what the output is"};
  return {};
}

// A script whose runs are one job.
Expected<Subject> openScript(const SubjectArguments& a) {
  SubjectArguments others = a;
  others.module.source = {};
  if (std::string option = givenOption(others, {For::kModule}); !option.empty())
    return refused(std::move(option), "a script says this itself", "leave it out");
  Expected<amber::Script> script = amber::readScript(a.text);
  if (!script) return script.error();
  const Expected<std::shared_ptr<const amber::ReadyScript>> plan = amber::makeReady(std::move(*script), a.module.source);
  if (!plan) return plan.error();
  Expected<amber::WholeScript> whole = amber::wholeScript(**plan);
  if (!whole) return whole.error();
  if (a.subgroupSize != 0) whole->job.subgroupSize = a.subgroupSize;
  Expected<RunJob> run = givenRunJob(std::move(whole->job), {});
  if (!run) return run.error();
  return Subject{a.text, run->job, std::make_shared<const RunJob>(std::move(*run)), {*plan, &(**plan).script}};
}

Expected<Subject> openFile(const SubjectArguments& a, bool writes) {
  if (isCapsule(a.text)) return openCapsule(a);
  if (Status bad = refuseKernelOptions(a)) return *bad;
  if (amber::isScriptFile(a.text)) return openScript(a);
  Expected<RunJob> run = moduleJob(a.text, a.module, a.subgroupSize);
  if (!run) return run.error();
  if (!writes)
    if (Status bad = refuseFilesToWrite(*run)) return *bad;
  return Subject{a.text, run->job, std::make_shared<const RunJob>(std::move(*run))};
}

bool sameSpec(std::span<const SpecConstant> a, std::span<const SpecConstant> b) {
  return std::ranges::equal(a, b, [](const SpecConstant& x, const SpecConstant& y) { return x.id == y.id && x.value == y.value; });
}

}  // namespace

const Capsule* Subject::capsule() const {
  const auto* held = std::get_if<std::shared_ptr<const Capsule>>(&kind);
  return held ? held->get() : nullptr;
}

const RunJob* Subject::module() const {
  const auto* held = std::get_if<std::shared_ptr<const RunJob>>(&kind);
  return held ? held->get() : nullptr;
}

std::string Subject::cannotRunOn(const Profile& profile) const {
  if (const MadeCase* made = madeCase()) return cannotRun(made->what, profile);
  if (script == nullptr) return {};
  const Status lacks = amber::checkRequirements(*script, profile);
  return lacks ? lacks->text() : "";
}

Expected<std::optional<Expectation>> expectationOf(const Subject& subject) {
  if (subject.capsule()) return std::optional(subject.capsule()->expected);
  if (subject.module()) return std::optional<Expectation>();
  Expected<Expectation> expected = expectationOf(subject.madeCase()->what, subject.madeCase()->input);
  if (!expected) return expected.error();
  return std::optional(std::move(*expected));
}

Expected<std::optional<Expectation>> knownResultOf(const Subject& subject) {
  const MadeCase* const made = subject.madeCase();
  return made != nullptr && made->what.kernel->invariants ? std::optional<Expectation>() : expectationOf(subject);
}

Expected<Subject> subjectOf(Case c) {
  Inputs inputs;
  if (Status bad = inputs.addPictureOf(c)) return *bad;
  if (Status bad = outsideDomain(c)) return *bad;
  Expected<golden::Image> input = inputs.make(c);
  if (!input) return input.error();
  Job job = c.kernel->plan(c, kernelModule(*c.kernel), *input);
  return Subject{c.name(), std::move(job), MadeCase{std::move(c), std::move(*input)}};
}

Expected<Subject> openSubject(const SubjectArguments& a, bool writes) {
  if (a.text.empty()) return Error{Outcome::kBadInput, "nothing is named", "", "a kernel, a case, a capsule, or a module's file"};
  if (Status none = namesNothing(a.text)) return *none;
  const double timeout = a.module.timeout;
  if (!(timeout >= 0)) return Error{Outcome::kBadInput, fmt::format("not a number of seconds: {}", timeout), "--timeout", "0 is none"};
  const bool isFile = !namesCase(a.text) && !namesKernel(a.text);
  if (!isFile)
    if (Status bad = refuseModuleOptions(a)) return *bad;
  Expected<Subject> s = isFile ? openFile(a, writes) : openCase(a.text, a);
  if (!s) return s;
  if (a.module.maxSteps != 0) s->job.limits.maxSteps = a.module.maxSteps;
  if (timeout > 0) s->job.limits.timeoutSeconds = timeout;
  return s;
}

bool namesModule(const std::string& text) {
  std::error_code failed;
  return !namesCase(text) && !namesKernel(text) && std::filesystem::exists(text, failed) && !isCapsule(text) && !amber::isScriptFile(text);
}

Expected<UsedModules> modulesOf(const SubjectArguments& a) {
  UsedModules out;
  if (namesModule(a.text)) {
    if (Status bad = refuseKernelOptions(a)) return *bad;
    if (a.subgroupSize != 0) return refused("--subgroup-size", "nothing that is told of a module depends on it", "leave it out");
    Expected<std::shared_ptr<const ShaderModule>> module = validModule(a.text, a.module.source, a.module.run.entry);
    if (!module) return module.error();
    const Expected<Interface> interface = readInterface(**module);
    if (!interface) return interface.error();
    if (const std::string& entry = a.module.run.entry; !entry.empty() && interface->entry(entry) == nullptr) {
      std::string names;
      for (const InterfaceEntry& e : interface->entries) names += (names.empty() ? "it has " : ", ") + e.name;
      return Error{Outcome::kBadInput, fmt::format("it has no compute entry point '{}'", entry), a.text, names};
    }
    Expected<std::vector<SpecConstant>> spec = parseSpec(a.module.run.spec, *interface);
    if (!spec) return spec.error();
    out.all.push_back({std::move(*module), std::move(*spec)});
    return out;
  }
  Expected<Subject> subject = openSubject(a);
  if (!subject) return subject.error();
  out.subject = subject->name;
  out.of = std::make_shared<const Subject>(std::move(*subject));
  for (const Dispatch& d : out.of->job.dispatches)
    if (std::ranges::none_of(out.all, [&](const UsedModules::One& one) { return one.module == d.module && sameSpec(one.spec, d.spec); }))
      out.all.push_back({d.module, d.spec});
  return out;
}

}  // namespace lanewise
