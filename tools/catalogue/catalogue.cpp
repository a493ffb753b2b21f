#include "tools/catalogue/catalogue.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <mutex>

#include "golden/image/half.h"
#include "golden/image/inputs.h"
#include "shaders/embedded.h"
#include "tools/catalogue/families.h"

namespace lanewise {
namespace {

// The modules that are built in; their words are copied where one is asked for: most commands need few of them.
class BuiltModules {
 public:
  BuiltModules() {
    for (const EmbeddedModule& m : embeddedModules()) all_[m.name].words = m.words;
  }
  // nullptr: there is none.
  std::shared_ptr<const ShaderModule> named(std::string_view name) {
    const auto found = all_.find(name);
    if (found == all_.end()) return nullptr;
    One& one = found->second;
    std::call_once(one.made, [&] {
      auto module = std::make_shared<ShaderModule>();
      module->name = std::string(name) + ".comp";
      module->words.assign(one.words.begin(), one.words.end());
      one.module = std::move(module);
    });
    return one.module;
  }

 private:
  struct One {
    std::span<const std::uint32_t> words;
    std::once_flag made;
    std::shared_ptr<const ShaderModule> module;
  };
  std::map<std::string_view, One> all_;
};

// The points of a known-bad kernel's rows belong to its quick set.
void addPoints(Kernel& kernel) {
  for (const Defect& defect : kernel.defects)
    for (const std::string& point : {defect.point, defect.nearMiss}) {
      const Expected<Case> c = parsePoint(kernel, point);
      if (!c) continue;  // no near miss
      CaseBlock b;
      b.sizes = {c->size};
      for (const std::uint32_t value : c->values) b.values.push_back({value});
      b.inputs = {c->input};
      b.subgroupSizes = {c->subgroupSize};
      kernel.quick.push_back(std::move(b));
    }
}

std::vector<Kernel> build() {
  std::vector<Kernel> all;
  for (auto family : {boxBlurKernels, checksumKernels, depthKernels, photoKernels, pyramidKernels, spdFloatKernels, spdKernels})
    for (Kernel& kernel : family()) all.push_back(std::move(kernel));
  addBrokenSinglePass(all);
  for (Kernel& kernel : all) addPoints(kernel);
  std::vector<Kernel*> byName;  // sorted in the place of the kernels, which are large
  for (Kernel& kernel : all) byName.push_back(&kernel);
  std::ranges::sort(byName, {}, [](const Kernel* kernel) -> const std::string& { return kernel->name; });
  std::vector<Kernel> sorted;
  sorted.reserve(all.size());
  for (Kernel* kernel : byName) sorted.push_back(std::move(*kernel));
  return sorted;
}

}  // namespace

std::span<const Kernel> kernels() {
  static const std::vector<Kernel> all = build();
  return all;
}

const Kernel* findKernel(std::string_view name) {
  for (const Kernel& kernel : kernels())
    if (kernel.name == name) return &kernel;
  return nullptr;
}

std::shared_ptr<const ShaderModule> kernelModule(const Kernel& kernel) {
  return kernel.own ? kernel.own : moduleNamed(kernel.module);
}

std::shared_ptr<const ShaderModule> moduleNamed(std::string_view name) {
  static BuiltModules all;
  return all.named(name);
}

bool isBuiltModule(const ShaderModule& module) {
  return moduleNamed(std::string_view(module.name).substr(0, module.name.find('.'))).get() == &module;
}

golden::Provenance Kernel::provenance() const {
  const auto today = std::chrono::year_month_day{std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  return {oracle, std::to_string(golden::kInputVersion), contract.name, LANEWISE_VERSION,
          fmt::format("{:04}-{:02}-{:02}", int(today.year()), unsigned(today.month()), unsigned(today.day()))};
}

Resource inputPicture(std::string name, const golden::Image& picture) {
  ImageData image;
  const bool single = picture.channels == 1;
  image.format = picture.component == golden::Component::kF32   ? single ? Format::R32_SFLOAT : Format::R32G32B32A32_SFLOAT
                 : picture.component == golden::Component::kF16 ? Format::R16G16B16A16_SFLOAT
                                                                : Format::R8G8B8A8_UINT;
  image.extent = {picture.extent.width, picture.extent.height, 1};
  image.bytes = picture.bytes;
  Resource resource;
  resource.name = std::move(name);
  resource.data = std::move(image);
  return resource;
}

golden::Image codesAsFloats(const golden::Image& codes, golden::Component component, double unit) {
  golden::Image floats = golden::makeImage(codes.extent, codes.channels, component);
  const std::size_t size = golden::componentBytes(component);
  for (std::size_t i = 0; i < codes.bytes.size(); ++i) {
    const double value = std::to_integer<unsigned>(codes.bytes[i]) / unit;
    const std::uint32_t bits =
        component == golden::Component::kF16 ? golden::halfFromDouble(value) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    std::memcpy(floats.bytes.data() + i * size, &bits, size);
  }
  return floats;
}

std::vector<std::byte> pushWords(std::initializer_list<std::uint32_t> words) {
  std::vector<std::byte> bytes(words.size() * sizeof(std::uint32_t));
  std::memcpy(bytes.data(), words.begin(), bytes.size());
  return bytes;
}

bool matchesPattern(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t from = star; from <= text.size(); ++from)
    if (matchesPattern(rest, text.substr(from))) return true;
  return false;
}

Expected<std::vector<const Kernel*>> selectKernels(std::span<const std::string> patterns) {
  std::vector<const Kernel*> selected;
  for (const Kernel& kernel : kernels()) {
    const auto matches = [&](const std::string& p) { return matchesPattern(p, kernel.name); };
    // A pattern that begins with '*' does not name the broken ones.
    const auto names = [&](const std::string& p) { return matches(p) && (!kernel.broken() || p.starts_with("broken/")); };
    if (patterns.empty() ? !kernel.broken() : std::any_of(patterns.begin(), patterns.end(), names)) selected.push_back(&kernel);
  }
  for (const std::string& pattern : patterns) {
    const auto used = [&](const Kernel* k) { return matchesPattern(pattern, k->name); };
    if (std::any_of(selected.begin(), selected.end(), used)) continue;
    return Error{Outcome::kBadInput, fmt::format("no kernel matches '{}'", pattern), "",
                 "see `lanewise list`; '*' stands for any characters"};
  }
  return selected;
}

}  // namespace lanewise
