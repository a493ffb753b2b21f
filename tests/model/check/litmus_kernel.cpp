#include "tests/model/check/litmus_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <spirv/unified1/spirv.hpp11>

#include "tests/text/program_modules.h"

namespace lanewise::memory_model {
namespace {

constexpr std::uint32_t kSubgroupSize = 4;  // threads of a subgroup, at most
constexpr std::uint32_t kLocations = 16;

// Where the threads of a program are in a dispatch.
struct Layout {
  std::map<std::uint32_t, std::uint32_t> groups;                                // by number of the program
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> subgroups;    // by workgroup
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> invocations;  // by subgroup
  std::uint32_t size = kSubgroupSize;

  explicit Layout(const Program& p) {
    for (const Event& e : p.events) {
      groups.try_emplace(e.workgroup, static_cast<std::uint32_t>(groups.size()));
      auto& in = subgroups[e.workgroup];
      in.try_emplace(e.subgroup, static_cast<std::uint32_t>(in.size()));
      auto& lanes = invocations[e.subgroup];
      lanes.try_emplace(e.invocation, static_cast<std::uint32_t>(lanes.size()));
      size = std::max(size, static_cast<std::uint32_t>(in.size()) * kSubgroupSize);
    }
  }
  std::uint32_t threadOf(const Event& e) const {
    return groups.at(e.workgroup) * size + subgroups.at(e.workgroup).at(e.subgroup) * kSubgroupSize +
           invocations.at(e.subgroup).at(e.invocation);
  }
};

std::uint32_t scopeOf(Scope s) {
  constexpr spv::Scope kScopes[] = {spv::Scope::Invocation, spv::Scope::Subgroup, spv::Scope::Workgroup, spv::Scope::QueueFamily,
                                    spv::Scope::Device};
  return static_cast<std::uint32_t>(kScopes[static_cast<std::size_t>(s)]);
}

std::uint32_t semanticsOf(const Event& e) {
  std::uint32_t mask = e.acquire && e.release ? 8 : e.acquire ? 2 : e.release ? 4 : 0;
  if (mask == 0) return 0;
  if ((e.semanticsClasses & 1) != 0) mask |= 0x40;
  if ((e.semanticsClasses & 2) != 0) mask |= 0x800;
  if (e.semanticsAvailable) mask |= 0x2000;
  if (e.semanticsVisible) mask |= 0x4000;
  return mask;
}

class Text {
 public:
  explicit Text(const Program& p) : p_(p), at_(p) {}

  std::string module() {
    code();
    std::string interface = "%out %id %subgroup";
    for (const auto& [name, image] : variables_) interface += " %" + name;
    std::string out = R"(OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability VulkanMemoryModelDeviceScope
OpCapability GroupNonUniform
OpCapability Image1D
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %main "main" )" +
                      interface + fmt::format("\nOpExecutionMode %main LocalSize {} 1 1\n", at_.size) + R"(
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %subgroup BuiltIn SubgroupId
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
)";
    std::uint32_t binding = 1;
    for (const auto& [name, image] : variables_)
      out += fmt::format("OpDecorate %{0} DescriptorSet 0\nOpDecorate %{0} Binding {1}\nOpDecorate %{0} Aliased\n", name, binding++);
    out += R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%v4 = OpTypeVector %uint 4
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%pblock = OpTypePointer StorageBuffer %block
%word = OpTypePointer StorageBuffer %uint
%image = OpTypeImage %uint 1D 0 0 0 2 R32ui
%pimage = OpTypePointer UniformConstant %image
%texel = OpTypePointer Image %uint
%input3 = OpTypePointer Input %v3
%input = OpTypePointer Input %uint
%out = OpVariable %pblock StorageBuffer
%id = OpVariable %input3 Input
%subgroup = OpVariable %input Input
)";
    for (const std::uint32_t c : constants_) out += fmt::format("%c{0} = OpConstant %uint {0}\n", c);
    for (const auto& [name, image] : variables_)
      out += image ? fmt::format("%{} = OpVariable %pimage UniformConstant\n", name)
                   : fmt::format("%{} = OpVariable %pblock StorageBuffer\n", name);
    out += "%main = OpFunction %void None %fn\n%entry = OpLabel\n%ids = OpLoad %v3 %id\n%x = OpCompositeExtract %uint %ids 0\n" + body_ +
           "OpReturn\nOpFunctionEnd\n";
    return out;
  }
  // The bindings of each class, in their order behind that of the results.
  std::vector<bool> images() const {
    std::vector<bool> all;
    for (const auto& [name, image] : variables_) all.push_back(image);
    return all;
  }

 private:
  std::string constant(std::uint32_t value) {
    constants_.insert(value);
    return fmt::format("%c{}", value);
  }
  std::string variable(const Event& e) {
    const std::string name = fmt::format("{}{}", e.storageClass == 1 ? "image" : "buffer", e.reference);
    variables_[name] = e.storageClass == 1;
    return "%" + name;
  }
  std::string fresh() { return fmt::format("%t{}", ++ids_); }

  // Threads go together from barrier to barrier.
  void code() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> threads;
    for (std::uint32_t e = 0; e < p_.events.size(); ++e) threads[at_.threadOf(p_.events[e])].push_back(e);
    for (bool any = true; any;) {
      any = false;
      std::vector<std::uint32_t> barriers;
      for (auto& [thread, events] : threads) {
        std::vector<std::uint32_t> now;
        while (!events.empty() && !p_.events[events.front()].controlBarrier) {
          now.push_back(events.front());
          events.erase(events.begin());
        }
        if (!now.empty()) guarded(thread, now);
        if (events.empty()) continue;
        any = true;
        const Event& b = p_.events[events.front()];
        if (std::ranges::none_of(barriers, [&](std::uint32_t other) { return p_.events[other].instance == b.instance; }))
          barriers.push_back(events.front());
        events.erase(events.begin());
      }
      for (const std::uint32_t b : barriers) barrier(p_.events[b]);
    }
  }

  void guarded(std::uint32_t thread, const std::vector<std::uint32_t>& events) {
    inside(fmt::format("OpIEqual %bool %x {}", constant(thread)), [&] {
      for (const std::uint32_t e : events) event(e);
    });
  }
  template <class Body>
  void inside(const std::string& condition, const Body& body) {
    const std::string is = fresh(), then = fresh(), after = fresh();
    body_ += fmt::format("{} = {}\nOpSelectionMerge {} None\nOpBranchConditional {} {} {}\n{} = OpLabel\n", is, condition, after, is, then,
                         after, then);
    body();
    body_ += fmt::format("OpBranch {0}\n{0} = OpLabel\n", after);
  }
  // All invocations of its scope come to it.
  void barrier(const Event& e) {
    const std::uint32_t group = at_.groups.at(e.workgroup), first = group * at_.size;
    const std::string from = fresh();
    body_ += fmt::format("{} = OpISub %uint %x {}\n", from, constant(first));
    const std::string sub = fresh();
    body_ += fmt::format("{} = OpLoad %uint %subgroup\n", sub);
    inside(fmt::format("OpULessThan %bool {} {}", from, constant(at_.size)), [&] {
      const auto write = [&] {
        body_ += fmt::format("OpControlBarrier {0} {0} {1}\n", constant(scopeOf(e.scope)), constant(semanticsOf(e)));
      };
      if (e.scope != Scope::kSubgroup) return write();
      inside(fmt::format("OpIEqual %bool {} {}", sub, constant(at_.subgroups.at(e.workgroup).at(e.subgroup))), write);
    });
  }

  void event(std::uint32_t index) {
    const Event& e = p_.events[index];
    if (e.fence) {
      body_ += fmt::format("OpMemoryBarrier {} {}\n", constant(scopeOf(e.scope)), constant(semanticsOf(e)));
      return;
    }
    const std::string place = constant(e.location), value = constant(index + 1), name = variable(e), got = fresh();
    if (e.atomic) {
      const std::string pointer = fresh(), scope = constant(scopeOf(e.scope)), semantics = constant(semanticsOf(e));
      if (e.storageClass == 1)
        body_ += fmt::format("{} = OpImageTexelPointer %texel {} {} {}\n", pointer, name, place, constant(0));
      else
        body_ += fmt::format("{} = OpAccessChain %word {} {} {}\n", pointer, name, constant(0), place);
      if (e.read && e.write)
        body_ += fmt::format("{} = OpAtomicExchange %uint {} {} {} {}\n", got, pointer, scope, semantics, value);
      else if (e.read)
        body_ += fmt::format("{} = OpAtomicLoad %uint {} {} {}\n", got, pointer, scope, semantics);
      else
        body_ += fmt::format("OpAtomicStore {} {} {} {}\n", pointer, scope, semantics, value);
    } else {
      plain(e, name, place, value, got);
    }
    if (e.read) {
      const std::string to = fresh();
      body_ += fmt::format("{} = OpAccessChain %word %out {} {}\nOpStore {} {}\n", to, constant(0), constant(index), to, got);
    }
  }

  void plain(const Event& e, const std::string& name, const std::string& place, const std::string& value, const std::string& got) {
    const bool image = e.storageClass == 1, available = e.write && e.available, visible = e.read && e.visible;
    std::string how;
    if (available) how = image ? "MakeTexelAvailable|NonPrivateTexel " : "MakePointerAvailable|NonPrivatePointer ";
    if (visible) how = image ? "MakeTexelVisible|NonPrivateTexel " : "MakePointerVisible|NonPrivatePointer ";
    if (available || visible)
      how += constant(scopeOf(e.scope));
    else if (e.nonPrivate)
      how = image ? "NonPrivateTexel" : "NonPrivatePointer";
    if (image) {
      const std::string loaded = fresh(), four = fresh();
      body_ += fmt::format("{} = OpLoad %image {}\n", loaded, name);
      if (e.read)
        body_ += fmt::format("{} = OpImageRead %v4 {} {} {}\n{} = OpCompositeExtract %uint {} 0\n", four, loaded, place, how, got, four);
      else
        body_ +=
            fmt::format("{0} = OpCompositeConstruct %v4 {1} {1} {1} {1}\nOpImageWrite {2} {3} {0} {4}\n", four, value, loaded, place, how);
      return;
    }
    const std::string pointer = fresh();
    body_ += fmt::format("{} = OpAccessChain %word {} {} {}\n", pointer, name, constant(0), place);
    body_ += e.read ? fmt::format("{} = OpLoad %uint {} {}\n", got, pointer, how) : fmt::format("OpStore {} {} {}\n", pointer, value, how);
  }

  const Program& p_;
  Layout at_;
  std::string body_;
  std::set<std::uint32_t> constants_;
  std::map<std::string, bool> variables_;  // whether it is an image
  std::uint32_t ids_ = 0;
};

}  // namespace

std::optional<Job> kernelOf(const Litmus& litmus) {
  const Program& p = litmus.program;
  for (const Event& e : p.events)
    if (e.queueFamily != p.events[0].queueFamily || e.deviceAvailability || e.deviceVisibility || e.location >= kLocations ||
        (e.controlBarrier && e.scope > Scope::kWorkgroup))
      return {};
  if (!p.systemSynchronizes.empty()) return {};
  Text text(p);
  Dispatch d;
  const std::string module = text.module();
  d.module = text::assembled(module);
  const Layout layout(p);
  d.groups = {static_cast<std::uint32_t>(layout.groups.size()), 1, 1};
  Job job;
  job.subgroupSize = kSubgroupSize;
  Resource out{"out", BufferData{std::vector<std::byte>(p.events.size() * 4)}};
  out.output = true;
  job.resources.push_back(std::move(out));
  job.resources.push_back({"buffer", BufferData{std::vector<std::byte>(kLocations * 4)}});
  ImageData image;
  image.format = Format::R32_UINT;
  image.extent = {kLocations, 1, 1};
  image.dimensions = 1;
  image.bytes.resize(kLocations * 4);
  job.resources.push_back({"image", std::move(image)});
  d.bindings.push_back({.set = 0, .binding = 0, .element = 0, .resource = "out"});
  std::uint32_t binding = 1;
  for (const bool isImage : text.images())
    d.bindings.push_back({.set = 0, .binding = binding++, .element = 0, .resource = isImage ? "image" : "buffer"});
  job.dispatches.push_back(std::move(d));
  return job;
}

std::vector<std::int32_t> readsOf(const Litmus& litmus, const RunResult& result) {
  std::vector<std::int32_t> reads(litmus.program.events.size(), Execution::kInitial);
  for (std::size_t e = 0; e < reads.size(); ++e) {
    std::uint32_t value = 0;
    std::memcpy(&value, result.outputs[0].bytes().data() + e * 4, 4);
    if (litmus.program.events[e].read) reads[e] = static_cast<std::int32_t>(value) - 1;
  }
  return reads;
}

}  // namespace lanewise::memory_model
