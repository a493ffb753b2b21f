// Errors, modules and jobs: what goes in.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

#include "library/access.h"
#include "model/spirv/interface.h"
#include "tools/run/arguments.h"
#include "tools/run/module_file.h"
#include "tools/subject/comma_lists.h"

namespace lw {
namespace {

lanewise::Error badResource(const Resource& r, std::string what, std::string hint = "") {
  return {lanewise::Outcome::kBadInput, std::move(what), "resource '" + r.name + "'", std::move(hint)};
}

lanewise::SourceOptions sourceInside(const SourceOptions& o) {
  return {.includeFolders = o.includeFolders,
          .defines = o.defines,
          .targetEnvironment = o.targetEnvironment,
          .optimise = o.optimise,
          .entry = o.entry};
}

// The image without its texels.
lanewise::Expected<lanewise::ImageData> shapeOf(const Resource& r) {
  const std::optional<lanewise::Format> format = lanewise::parseFormat(r.format);
  if (!format) return badResource(r, "there is no format '" + r.format + "'", "such as rgba8ui or R8G8B8A8_UINT");
  constexpr std::uint64_t kMostTexels = std::uint64_t{1} << 48;  // so that no size wraps
  std::uint64_t texels = 1;
  for (const std::uint64_t axis : {r.extent.x, r.extent.y, r.extent.z, r.layers})
    if (texels != 0) texels = axis <= kMostTexels / texels ? texels * axis : 0;
  const bool isDeep = r.extent.z > 1, isFlat = r.dimensions == 2 ? !isDeep : r.dimensions == 1 && !isDeep && r.extent.y == 1;
  if (texels == 0 || r.levels == 0 || r.levels > 32 || !(isFlat || (r.dimensions == 3 && r.layers == 1)))
    return badResource(r, "no image has this shape", isDeep ? "one with slices has dimensions = 3" : "");
  lanewise::ImageData image{.format = *format, .extent = {r.extent.x, r.extent.y, r.extent.z}, .bytes = {}};
  image.levels = r.levels;
  image.layers = r.layers;
  image.dimensions = r.dimensions;
  return image;
}

lanewise::Expected<lanewise::Binding> bindingInside(const Binding& b) {
  lanewise::Binding made{.set = b.set, .binding = b.binding, .element = b.element, .resource = b.resource};
  made.baseLevel = b.baseLevel;
  made.levelCount = b.levelCount;
  made.offset = b.offset;
  made.size = b.size;
  if (!b.viewFormat.empty()) {
    const std::optional<lanewise::Format> format = lanewise::parseFormat(b.viewFormat);
    if (!format)
      return lanewise::Error{lanewise::Outcome::kBadInput, "there is no format '" + b.viewFormat + "'",
                             "the binding of '" + b.resource + "'", "such as rgba8ui or R8G8B8A8_UINT"};
    made.viewFormat = *format;
  }
  if (!b.sampler.empty()) {
    const lanewise::Expected<lanewise::SamplerState> state = lanewise::samplerByText(b.sampler);
    if (!state)
      return lanewise::Error{state.error().outcome, state.error().what, "the binding of '" + b.resource + "'", state.error().hint};
    made.sampler = *state;
  }
  return made;
}

lanewise::Expected<lanewise::Dispatch> dispatchInside(const Dispatch& d) {
  lanewise::Dispatch made;
  made.module = Access::shader(d.module);
  if (made.module == nullptr)
    return lanewise::Error{lanewise::Outcome::kBadInput, "a dispatch has no module", "", "one that Module::load gave"};
  made.entryPoint = d.entry;
  made.groups = {d.groups.x, d.groups.y, d.groups.z};
  std::map<std::uint32_t, std::uint64_t> values;  // by id
  for (const Constant& c : d.constants) {
    if (values.try_emplace(c.id, c.value).first->second != c.value)
      return lanewise::Error{lanewise::Outcome::kBadInput, "a constant has two values", "constant " + std::to_string(c.id), ""};
    made.spec.push_back({c.id, c.value});
  }
  made.push = d.push;
  made.barrierBefore = d.barrierBefore;
  std::set<std::array<std::uint32_t, 3>> bound;  // arrays of descriptors have a million
  for (const Binding& b : d.bindings) {
    lanewise::Expected<lanewise::Binding> binding = bindingInside(b);
    if (!binding) return binding.error();
    if (!bound.insert({b.set, b.binding, b.element}).second)
      return lanewise::Error{lanewise::Outcome::kBadInput, "two resources are bound to one descriptor",
                             "the binding of '" + b.resource + "'", "a descriptor is a set, a binding and an element"};
    made.bindings.push_back(std::move(*binding));
  }
  return made;
}

// What the command line calls an option is a field of RunOptions or SourceOptions.
std::string fieldOf(const std::string& where) {
  constexpr std::pair<std::string_view, const char*> kFields[] = {
      {"--include", "includeFolders"}, {"--define", "defines"}, {"--target-env", "targetEnvironment"},
      {"--optimise", "optimise"},      {"--entry", "entry"},    {"--profile", "profile"},
  };
  const auto* field = std::ranges::find(kFields, where, &std::pair<std::string_view, const char*>::first);
  return field == std::end(kFields) ? where : field->second;
}

std::optional<Error> uselessEntry(const std::string& file, const SourceOptions& options) {
  if (options.entry.empty() || file.ends_with(".hlsl")) return {};
  return Error{Outcome::badInput, "'" + file + "' is no HLSL", "entry", "an entry point of another module is named where it runs"};
}

// What there is no memory for is told when the job runs.
Resource withBytes(Resource made, std::size_t bytes) {
  made.output = made.undefined = true;
  try {
    made.bytes.assign(bytes, lanewise::kPoisonByte);
  } catch (const std::exception&) {
    made.lacking = bytes;
  }
  return made;
}

}  // namespace

std::string Error::text() const {
  return lanewise::Error{static_cast<lanewise::Outcome>(outcome), what, where, hint}.text();
}

std::string version() {
  return LANEWISE_VERSION;
}

Error errorOf(const lanewise::Error& error) {
  const bool isOption = error.hint.starts_with("--");  // "--entry: A, B"
  return {static_cast<Outcome>(error.outcome), error.what, fieldOf(error.where), isOption ? error.hint.substr(2) : error.hint};
}

Expected<Module> Module::load(const std::string& file, const SourceOptions& options) {
  return guardedValue<Module>([&]() -> Expected<Module> {
    if (const std::optional<Error> wrong = uselessEntry(file, options)) return {{}, wrong};
    auto shader = lanewise::loadModule(file, sourceInside(options));
    if (!shader) return {{}, errorOf(shader.error())};
    return {Access::module(*shader), {}};
  });
}

Expected<Module> Module::fromSpirv(std::vector<std::uint32_t> words, const std::string& name) {
  auto shader = std::make_shared<lanewise::ShaderModule>();
  shader->name = name;
  shader->words = std::move(words);
  return {Access::module(std::move(shader)), {}};
}

Expected<Module> Module::fromSource(const std::string& text, const std::string& name, const SourceOptions& options) {
  return guardedValue<Module>([&]() -> Expected<Module> {
    if (const std::optional<Error> wrong = uselessEntry(name, options)) return {{}, wrong};
    auto words = lanewise::compileSource(name, text, sourceInside(options));
    if (!words) return {{}, errorOf(words.error())};
    return fromSpirv(std::move(*words), name);
  });
}

std::string Module::name() const {
  const auto shader = Access::shader(*this);
  return shader == nullptr ? "" : shader->name;
}

std::vector<std::uint32_t> Module::words() const {
  const auto shader = Access::shader(*this);
  return shader == nullptr ? std::vector<std::uint32_t>{} : shader->words;
}

Expected<std::vector<EntryInfo>> Module::entries() const {
  return guardedValue<std::vector<EntryInfo>>([&]() -> Expected<std::vector<EntryInfo>> {
    const auto shader = Access::shader(*this);
    if (shader == nullptr) return {{}, Error{Outcome::badInput, "this is no module", "", ""}};
    const auto interface = lanewise::readInterface(*shader);
    if (!interface) return {{}, errorOf(interface.error())};
    std::vector<EntryInfo> entries;
    for (const lanewise::InterfaceEntry& e : interface->entries) {
      EntryInfo info{e.name, {e.localSize[0], e.localSize[1], e.localSize[2]}, {}, e.pushBytes, {}};
      for (const lanewise::InterfaceBinding& b : e.bindings)
        info.bindings.push_back({b.set, b.binding, b.name, lanewise::descriptorKindName(b.kind), b.writable()});
      for (const lanewise::InterfaceSpec& s : interface->spec) {
        const std::uint32_t bits = s.scalar == lanewise::Scalar::kBool ? 1 : 8 * lanewise::scalarBytes(s.scalar);
        info.constants.push_back({s.id, s.name, bits, lanewise::isFloat(s.scalar)});
      }
      entries.push_back(std::move(info));
    }
    return {std::move(entries), {}};
  });
}

Resource output(const std::string& name, std::size_t bytes) {
  return withBytes(Resource{name, {}}, bytes);
}

Resource outputImage(const std::string& name, const std::string& format, Extent extent, std::uint32_t levels) {
  Resource made{name, {}};
  made.format = format;
  made.extent = extent;
  made.levels = levels;
  // An unknown format is told when the job runs, and so is a shape that no image has.
  const auto shape = shapeOf(made);
  return withBytes(std::move(made), shape.ok() ? shape->levelOffset(levels) : 0);
}

lanewise::Expected<lanewise::Resource> resourceInside(const Resource& r) {
  lanewise::Resource made{.name = r.name, .data = lanewise::BufferData{r.bytes}, .undefined = r.undefined, .output = r.output};
  if (r.lacking != 0) return badResource(r, "there is no memory for its " + std::to_string(r.lacking) + " bytes");
  if (r.format.empty()) return made;
  lanewise::Expected<lanewise::ImageData> image = shapeOf(r);
  if (!image) return image.error();
  if (const std::size_t bytes = image->levelOffset(r.levels); bytes != r.bytes.size())
    return badResource(r, std::to_string(r.bytes.size()) + " bytes, but its shape has " + std::to_string(bytes));
  image->bytes = r.bytes;
  made.data = std::move(*image);
  return made;
}

lanewise::Expected<lanewise::Job> jobInside(const Job& job) {
  lanewise::Job made;
  for (const Resource& r : job.resources) {
    if (lanewise::resourceNamed(made.resources, r.name) != made.resources.size()) return badResource(r, "two resources have this name");
    lanewise::Expected<lanewise::Resource> inside = resourceInside(r);
    if (!inside) return inside.error();
    made.resources.push_back(std::move(*inside));
  }
  for (const Dispatch& d : job.dispatches) {
    lanewise::Expected<lanewise::Dispatch> inside = dispatchInside(d);
    if (!inside) return inside.error();
    made.dispatches.push_back(std::move(*inside));
  }
  if (made.dispatches.empty()) return lanewise::Error{lanewise::Outcome::kBadInput, "the job has no dispatch", "", "nothing would run"};
  if (!(job.timeoutSeconds >= 0))
    return lanewise::Error{lanewise::Outcome::kBadInput, "not a number of seconds: " + std::to_string(job.timeoutSeconds), "timeoutSeconds",
                           "0 is no limit"};
  made.subgroupSize = job.subgroupSize;
  made.limits = {.maxSteps = job.maxSteps, .maxMemory = job.maxMemory, .timeoutSeconds = job.timeoutSeconds};
  if (job.timeoutSeconds == 0) made.limits.timeoutSeconds = std::numeric_limits<double>::infinity();
  return made;
}

lanewise::Expected<lanewise::ModelOptions> modelOptions(const RunOptions& options) {
  const lanewise::Expected<lanewise::Profile> profile = lanewise::parseProfile(options.profile);
  if (!profile) return profile.error();
  const lanewise::Expected<lanewise::Schedule> schedule = lanewise::parseSchedule(options.schedule);
  if (!schedule) return schedule.error();
  return lanewise::ModelOptions{.profile = *profile, .schedule = *schedule, .findings = options.findings};
}

}  // namespace lw
