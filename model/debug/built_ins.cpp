#include "model/debug/built_ins.h"

#include <algorithm>
#include <array>

#include "model/state/workgroup.h"

namespace lanewise::debug {
namespace {

using Three = std::array<std::uint32_t, 3>;
Three threeOf(const Extent3& e) {
  return {e.x, e.y, e.z};
}

// Where a lane is among the invocations. Its environment has the workgroup.
struct Invocation {
  explicit Invocation(const LaneState& lane) : env(*lane.env), p(*env.program), at{lane.batch->index, lane.lane} {}
  const Environment& env;
  const Program& p;
  Program::LanePlace at;
  std::uint32_t local() const { return p.invocationOf(at); }
};

struct BuiltIn {
  std::string_view name;
  std::size_t count;  // of components
  Three (*value)(const Invocation&);
};
constexpr BuiltIn kBuiltIns[] = {
    {"gl_GlobalInvocationID", 3, [](const Invocation& i) { return threeOf(globalInvocation(i.p.localSize, i.env.group, i.local())); }},
    {"gl_LocalInvocationID", 3, [](const Invocation& i) { return threeOf(localInvocation(i.p.localSize, i.local())); }},
    {"gl_LocalInvocationIndex", 1, [](const Invocation& i) { return Three{i.local()}; }},
    {"gl_WorkGroupID", 3, [](const Invocation& i) { return threeOf(i.env.group); }},
    {"gl_NumWorkGroups", 3, [](const Invocation& i) { return threeOf(i.env.groups); }},
    {"gl_WorkGroupSize", 3,
     [](const Invocation& i) {
       return Three{i.p.localSize[0], i.p.localSize[1], i.p.localSize[2]};
     }},
    {"gl_SubgroupID", 1, [](const Invocation& i) { return Three{i.p.subgroupOf(i.at)}; }},
    {"gl_SubgroupInvocationID", 1, [](const Invocation& i) { return Three{i.at.lane % i.p.subgroupSize}; }},
    {"gl_SubgroupSize", 1, [](const Invocation& i) { return Three{i.p.subgroupSize}; }},
    {"gl_NumSubgroups", 1, [](const Invocation& i) { return Three{(i.p.invocations + i.p.subgroupSize - 1) / i.p.subgroupSize}; }},
};
constexpr auto kBuiltInNames = [] {
  std::array<std::string_view, std::size(kBuiltIns)> names;
  std::ranges::transform(kBuiltIns, names.begin(), &BuiltIn::name);
  return names;
}();

}  // namespace

std::span<const std::string_view> builtInNames() {
  return kBuiltInNames;
}

std::optional<Tuple> builtInValue(std::string_view name, const LaneState& lane) {
  const auto* const found = std::ranges::find(kBuiltIns, name, &BuiltIn::name);
  if (found == std::end(kBuiltIns)) return {};
  Tuple out{Scalar::kI32, false, {}};
  const Three value = found->value(Invocation(lane));
  for (std::size_t i = 0; i < found->count; ++i) out.parts.push_back({ScalarValue::State::kKnown, out.type, out.isSigned, value[i]});
  return out;
}

}  // namespace lanewise::debug
