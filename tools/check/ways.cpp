#include "tools/check/ways.h"

#include <fmt/format.h>

#include "model/contract/profiles.h"
#include "model/contract/schedule.h"
#include "model/model.h"

namespace lanewise {

const char* axisName(Axis axis) {
  constexpr const char* kNames[] = {
      "nothing", "the schedule", "the subgroup size", "which invocations are a subgroup", "what Vulkan lets devices choose", "the device"};
  return kNames[static_cast<std::size_t>(axis)];
}

std::vector<CheckWay> modelWays(const CheckModel& model, bool sizes) {
  const auto deviceOf = [&](Profile profile, const char* schedule, bool findings) {
    return std::shared_ptr<Device>(makeModel({std::move(profile), *parseSchedule(schedule), findings, model.isValid}));
  };
  std::vector<CheckWay> ways;
  ways.push_back({"in-order", deviceOf(model.profile, "in-order", true), Axis::kNone, 0, true, false, nullptr});
  for (const char* token : {"reverse", "last:0", "lanes", "lanes-reverse"})
    ways.push_back({token, deviceOf(model.profile, token, false), Axis::kSchedule, 0, false, false, nullptr});
  for (const char* token : {"interleave:seed:1@4", "interleave:seed:2@4"})
    ways.push_back({token, deviceOf(model.profile, token, true), Axis::kSchedule, 0, true, true, nullptr});
  const std::shared_ptr<Device> quiet = deviceOf(model.profile, "in-order", false);
  if (sizes)
    for (const std::uint32_t size : {4u, 32u, 128u})
      ways.push_back({fmt::format("subgroups of {}", size), quiet, Axis::kSubgroupSize, size, false, false, nullptr});
  Profile dealt = model.profile;
  dealt.subgroupMapping = SubgroupMapping::kInterleaved;
  ways.push_back({"subgroupMapping=interleaved", deviceOf(dealt, "in-order", false), Axis::kMapping, 0, false, false, nullptr});
  ways.push_back({"profile adverse", deviceOf(*profileByName("adverse"), "in-order", false), Axis::kChoices, 0, false, false, nullptr});
  return ways;
}

}  // namespace lanewise
