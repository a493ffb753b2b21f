#include "tools/check/ways.h"

#include <fmt/format.h>

#include "model/contract/profiles.h"
#include "model/contract/schedule.h"
#include "model/mend.h"

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
  const auto mend = [profile = model.profile](const char* schedule) {
    return [=](const Job& job, const RunFinding& race) {
      return triedMend(job, race, {.profile = profile, .schedule = *parseSchedule(schedule)});
    };
  };
  const std::string profile = model.profileName.empty() ? "" : " --profile " + model.profileName;
  std::vector<CheckWay> ways;
  ways.push_back({"in-order", deviceOf(model.profile, "in-order", true), Axis::kNone, 0, true, false, nullptr, mend("in-order"), profile});
  const auto addSchedule = [&](const char* token, bool slow) {
    ways.push_back({token, deviceOf(model.profile, token, slow), Axis::kSchedule, 0, slow, slow, nullptr, mend(token),
                    fmt::format("{} --schedule {}", profile, token)});
  };
  for (const char* token : {"reverse", "last:0", "lanes", "lanes-reverse"}) addSchedule(token, false);
  for (const char* token : {"interleave:seed:1@4", "interleave:seed:2@4"}) addSchedule(token, true);
  const std::shared_ptr<Device> quiet = deviceOf(model.profile, "in-order", false);
  if (sizes)
    for (const std::uint32_t size : {4u, 32u, 128u})
      ways.push_back({fmt::format("subgroups of {}", size),
                      quiet,
                      Axis::kSubgroupSize,
                      size,
                      false,
                      false,
                      nullptr,
                      {},
                      fmt::format("{} --subgroup-size {}", profile, size)});
  Profile dealt = model.profile;
  dealt.subgroupMapping = SubgroupMapping::kInterleaved;
  const std::string base = model.profileName.empty() ? model.profile.name : model.profileName;
  ways.push_back({"subgroupMapping=interleaved",
                  deviceOf(dealt, "in-order", false),
                  Axis::kMapping,
                  0,
                  false,
                  false,
                  nullptr,
                  {},
                  fmt::format(" --profile {},subgroupMapping=interleaved", base)});
  ways.push_back({"profile adverse",
                  deviceOf(*profileByName("adverse"), "in-order", false),
                  Axis::kChoices,
                  0,
                  false,
                  false,
                  nullptr,
                  {},
                  " --profile adverse"});
  return ways;
}

}  // namespace lanewise
