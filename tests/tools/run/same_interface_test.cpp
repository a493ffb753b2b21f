// One interface of every module there is: what `inspect` prints, what `run` binds, what the Vulkan backend lays out and plans, and what the
// model decodes.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "gpu/checked_job.h"
#include "gpu/pipelines.h"
#include "model/model.h"
#include "model/spirv/parse.h"
#include "shaders/embedded.h"
#include "tests/kernels/kernels.h"
#include "tests/text/program_modules.h"
#include "tools/run/inspect.h"
#include "tools/run/make_job.h"

namespace lanewise {
namespace {

// What can be asked of all four, as a text: differences are read in it.
struct Answer {
  std::uint32_t localSize[3] = {0, 0, 0};
  std::uint32_t pushBytes = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> bindings;  // "storage buffer x1"

  std::string text() const {
    std::string out = fmt::format("{}x{}x{}, {} bytes of push constants\n", localSize[0], localSize[1], localSize[2], pushBytes);
    for (const auto& [at, what] : bindings) out += fmt::format("{}:{} {}\n", at.first, at.second, what);
    return out;
  }
};

Answer ofInspect(const nlohmann::json& entry) {
  Answer out;
  for (std::size_t i = 0; i < 3; ++i) out.localSize[i] = entry["localSize"][i];
  out.pushBytes = entry["pushBytes"];
  for (const auto& b : entry["bindings"])
    out.bindings[{b["set"], b["binding"]}] = fmt::format("{} x{}", b["kind"].get<std::string>(), b["count"].get<std::uint32_t>());
  return out;
}

const char* nameOf(vk::DescriptorType type) {
  switch (type) {
    case vk::DescriptorType::eUniformBuffer:
      return "uniform buffer";
    case vk::DescriptorType::eStorageBuffer:
      return "storage buffer";
    case vk::DescriptorType::eStorageImage:
      return "storage image";
    case vk::DescriptorType::eSampledImage:
      return "sampled image";
    case vk::DescriptorType::eSampler:
      return "sampler";
    case vk::DescriptorType::eCombinedImageSampler:
      return "combined image sampler";
    case vk::DescriptorType::eUniformTexelBuffer:
      return "uniform texel buffer";
    case vk::DescriptorType::eStorageTexelBuffer:
      return "storage texel buffer";
    default:
      return "?";
  }
}

// Whether the backend refuses an entry point on a device with these limits, all else being there.
bool refused(const InterfaceEntry& entry, const Answer& limits, std::uint32_t workgroupBytes) {
  PhysicalFacts facts;
  vk::PhysicalDeviceLimits& l = facts.limits;
  std::copy(limits.localSize, limits.localSize + 3, l.maxComputeWorkGroupSize.data());
  l.maxComputeWorkGroupInvocations = 0xffffffffu;
  l.maxPushConstantsSize = limits.pushBytes;
  l.maxComputeSharedMemorySize = workgroupBytes;
  InterfaceEntry withoutModes = entry;
  withoutModes.floatModes.clear();
  return checkModule({}, withoutModes, "m", facts).has_value();
}

Answer ofBackend(const InterfaceEntry& entry) {
  Answer out;
  std::copy(entry.localSize, entry.localSize + 3, out.localSize);
  out.pushBytes = entry.pushBytes;
  const auto sets = layoutBindings(entry);
  for (std::uint32_t set = 0; set < sets.size(); ++set)
    for (const vk::DescriptorSetLayoutBinding& b : sets[set])
      out.bindings[{set, b.binding}] = fmt::format("{} x{}", nameOf(b.descriptorType), b.descriptorCount);
  return out;
}

const char* nameOf(const ir::ResourceDeclaration& r) {
  using Kind = ir::ResourceDeclaration::Kind;
  const bool texels = (r.kind == Kind::kSampledImage || r.kind == Kind::kStorageImage) && r.type->dim == spv::Dim::Buffer;
  switch (r.kind) {
    case Kind::kUniformBuffer:
      return "uniform buffer";
    case Kind::kStorageBuffer:
      return "storage buffer";
    case Kind::kStorageImage:
      return texels ? "storage texel buffer" : "storage image";
    case Kind::kSampledImage:
      return texels ? "uniform texel buffer" : "sampled image";
    case Kind::kSampler:
      return "sampler";
    case Kind::kCombined:
      return "combined image sampler";
  }
  return "?";
}

Answer ofModel(const Program& program) {
  Answer out;
  std::copy(program.localSize, program.localSize + 3, out.localSize);
  out.pushBytes = program.pushBytes;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::string>> kinds;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> counts;
  for (const ir::ResourceDeclaration& r : program.resources) {
    if (!r.used) continue;
    kinds[{r.set, r.binding}].insert(nameOf(r));
    counts[{r.set, r.binding}] = std::max(counts[{r.set, r.binding}], r.count);
  }
  for (const auto& [at, names] : kinds)
    out.bindings[at] = fmt::format("{} x{}", names.size() == 1 ? *names.begin() : "combined image sampler", counts[at]);
  return out;
}

// The words of a command line, without quotes.
std::vector<std::string> wordsOf(const std::string& command) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : command) {
    if (c == '\'')
      quoted = !quoted;
    else if (c == ' ' && !quoted)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

// What `run` makes of the command that `inspect` prints.
Expected<RunJob> ofRun(const std::shared_ptr<const ShaderModule>& module, const std::string& entry, const std::string& command) {
  RunRequest request;
  request.module = module;
  request.entry = entry;
  std::map<std::string, std::vector<std::string>*> lists = {{"--buffer", &request.buffers}, {"--texel-buffer", &request.buffers},
                                                            {"--image", &request.images},   {"--sampler", &request.samplers},
                                                            {"--out", &request.outs},       {"--push", &request.push},
                                                            {"--spec", &request.spec},      {"--memory", &request.memory}};
  const std::vector<std::string> words = wordsOf(command);
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (const auto list = lists.find(words[i]); list != lists.end()) list->second->push_back(words[i + 1]);
  return makeRunJob(request);
}

std::set<std::pair<std::uint32_t, std::uint32_t>> boundBy(const Job& job) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> out;
  for (const Binding& b : job.dispatches[0].bindings) out.insert({b.set, b.binding});
  return out;
}

std::vector<std::shared_ptr<const ShaderModule>> everyModule() {
  std::vector<std::shared_ptr<const ShaderModule>> out;
  for (const auto& set : {testKernels(), embeddedModules()})
    for (const EmbeddedModule& m : set)
      out.push_back(std::make_shared<ShaderModule>(ShaderModule{std::string(m.name), {m.words.begin(), m.words.end()}}));
  for (const std::string& file : text::programFiles()) {
    const auto module = text::programModule(file);
    EXPECT_TRUE(module) << file;
    if (module) out.push_back(*module);
  }
  return out;
}

struct Counts {
  int entries = 0, planned = 0, decoded = 0;
  std::vector<std::string> refused;  // by the model
};

void compare(const std::shared_ptr<const ShaderModule>& module, Model& model, Counts& counts) {
  const Expected<spirv::Module> parsed = spirv::parse(module->name, module->words);
  const Expected<Interface> interface = readInterface(*module);
  ASSERT_TRUE(parsed && interface) << interface.error().text();
  const Inspection inspection = inspect(*module, *parsed, *interface);
  const nlohmann::json json = nlohmann::json::parse(inspectJson(inspection, "test"));
  for (std::size_t i = 0; i < interface->entries.size(); ++i) {
    const InterfaceEntry& entry = interface->entries[i];
    ++counts.entries;
    const Answer said = ofInspect(json["entryPoints"][i]);
    EXPECT_EQ(said.text(), ofBackend(entry).text()) << "inspect and the Vulkan backend";
    EXPECT_FALSE(refused(entry, said, entry.workgroupBytes));
    Answer less = said;
    --less.pushBytes;
    EXPECT_EQ(refused(entry, less, entry.workgroupBytes), said.pushBytes > 0);
    EXPECT_EQ(refused(entry, said, entry.workgroupBytes - 1), entry.workgroupBytes > 0);

    Dispatch dispatch;
    dispatch.module = module;
    dispatch.entryPoint = entry.name;
    if (const auto program = model.program(dispatch, 32)) {
      ++counts.decoded;
      EXPECT_EQ(said.text(), ofModel(**program).text()) << "inspect and the model";
      EXPECT_EQ(entry.workgroupBytes, (*program)->workgroupBytes);
    } else {
      counts.refused.push_back(module->name + " " + entry.name);
    }

    const Expected<RunJob> plan = ofRun(module, entry.name, inspection.entries[i].command);
    ASSERT_TRUE(plan) << plan.error().text() << "\n" << inspection.entries[i].command;
    std::set<std::pair<std::uint32_t, std::uint32_t>> bindings;
    for (const auto& [at, what] : said.bindings) bindings.insert(at);
    EXPECT_EQ(boundBy(plan->job), bindings) << "inspect and run";
    EXPECT_EQ(plan->job.dispatches[0].push.size(), said.pushBytes);
    InterfaceEntry sized = entry;
    sizeRuntimeArrays(plan->job.dispatches[0], sized);
    const InterfaceEntry* const entries[] = {&sized};
    const Expected<CheckedJob> planned = checkJob(plan->job, entries);
    EXPECT_TRUE(planned) << "run and the Vulkan backend: " << (planned ? "" : planned.error().text());
    counts.planned += planned.ok();
  }
}

TEST(SameInterface, OfEveryModule) {
  Counts counts;
  Model model;
  for (const auto& module : everyModule()) {
    SCOPED_TRACE(module->name);
    compare(module, model, counts);
  }
  EXPECT_GT(counts.entries, 200);
  EXPECT_GT(counts.planned, 200);
  EXPECT_GT(counts.decoded, 190);
  // Workgroup memory above the limit, and a cluster of three.
  EXPECT_THAT(counts.refused, testing::UnorderedElementsAre("entry_points.spvasm other", "subgroup_cluster_of_three.spvasm main"));
}

}  // namespace
}  // namespace lanewise
