#include "tools/check/ways.h"

#include <fmt/format.h>

#include "model/contract/profiles.h"
#include "model/contract/schedule.h"
#include "model/mend.h"
#include "model/parting.h"

namespace lanewise {

const char* axisName(Axis axis) {
  constexpr const char* kNames[] = {"nothing",
                                    "the schedule",
                                    "stale memory",
                                    "the subgroup size",
                                    "which invocations are a subgroup",
                                    "what Vulkan lets devices choose",
                                    "the device"};
  return kNames[static_cast<std::size_t>(axis)];
}

namespace {

// A way, as it differs from the first.
struct WayRow {
  std::string name;
  Axis axis;
  Profile profile;
  std::string schedule;
  DebugWay run;
  bool findings = false, slow = false;
  std::string against = {};
};

CheckWay wayOf(const CheckModel& model, const WayRow& row) {
  const ModelOptions own{.profile = row.profile, .schedule = *parseSchedule(row.schedule), .isValid = model.isValid, .stop = model.stop};
  ModelOptions first = own;
  first.profile = model.profile;
  first.schedule = *parseSchedule(row.against.empty() ? "in-order" : row.against);
  ModelOptions watched = own;
  watched.findings = row.findings;
  watched.tier = model.tier;
  watched.codeFolder = model.codeFolder;
  CheckWay way;
  way.name = row.name;
  way.device = std::shared_ptr<Device>(makeModel(watched));
  watched.findings = true;
  if (!row.findings) way.observer = std::shared_ptr<Device>(makeModel(watched));
  way.axis = row.axis;
  way.subgroupSize = row.run.subgroupSize;
  way.findings = row.findings;
  way.slow = row.slow || own.schedule.lanes;
  way.mend = [own](const Job& job, const RunFinding& race) { return mendText(job, race, own); };
  way.part = [first, own](const Job& other, const Job& job) { return partingOf({other, first}, {job, own}); };
  way.run = row.run;
  way.against = row.against;
  return way;
}

}  // namespace

Job jobIn(const CheckWay& way, Job job) {
  if (way.subgroupSize != 0) job.subgroupSize = way.subgroupSize;
  return job;
}

RunResult runIn(const CheckWay& way, const Job& asked) {
  const Job job = jobIn(way, asked);
  std::unique_lock<std::mutex> alone;
  if (way.queue) alone = std::unique_lock(*way.queue);
  RunResult run = way.device->run(job);
  if (run.error && run.error->outcome == Outcome::kFinding && way.observer) run.findings = way.observer->run(job).findings;
  return run;
}

std::pair<DebugWay, std::string> besides(const DebugWay& other, const CheckWay& way) {
  if (way.axis == Axis::kDevice) return {other, way.name};
  if (way.axis == Axis::kSubgroupSize) return {other, fmt::format("subgroup-size {}", way.run.subgroupSize)};
  if (way.axis == Axis::kMapping || way.axis == Axis::kChoices) return {other, "profile " + way.run.profile};
  return {way.run, "schedule " + (other.schedule.empty() ? Schedule().token() : other.schedule)};
}

std::vector<CheckWay> modelWays(const CheckModel& model, bool sizes) {
  const std::string& profile = model.profileName;
  const std::string base = model.profileName.empty() ? model.profile.name : model.profileName;
  std::vector<WayRow> rows = {{"in-order", Axis::kNone, model.profile, "in-order", {profile, ""}, true}};
  for (const char* token : {"reverse", "last:0", "last:1", "lanes", "lanes-reverse"})
    rows.push_back({token, Axis::kSchedule, model.profile, token, {profile, token}});
  for (const char* token : {"interleave:seed:1@4", "interleave:seed:2@4"})
    rows.push_back({token, Axis::kSchedule, model.profile, token, {profile, token}, true, true});
  std::uint64_t seed = model.weakSeed;
  for (const char* order : {"in-order", "reverse", "interleave:seed:1@4"}) {
    const std::string token = fmt::format("{}+weak:{}", order, seed++);
    rows.push_back({token, Axis::kMemory, model.profile, token, {profile, token}, false, true, order});
  }
  for (const std::uint32_t size : {4u, 32u, 128u})
    if (sizes)
      rows.push_back(
          {fmt::format("subgroups of {}", size), Axis::kSubgroupSize, model.profile, "in-order", {profile, "", size}, size == 4});
  for (const auto& [mapping, name] :
       {std::pair(SubgroupMapping::kInterleaved, "interleaved"), std::pair(SubgroupMapping::kTiled, "tiled")}) {
    Profile dealt = model.profile;
    dealt.subgroupMapping = mapping;
    const std::string change = fmt::format("subgroupMapping={}", name);
    rows.push_back({change, Axis::kMapping, dealt, "in-order", {fmt::format("{},{}", base, change), ""}});
  }
  rows.push_back({"profile adverse", Axis::kChoices, *profileByName("adverse"), "in-order", {"adverse", ""}});
  std::vector<CheckWay> ways;
  for (const WayRow& row : rows) ways.push_back(wayOf(model, row));
  return ways;
}

}  // namespace lanewise
