#include "tools/check/ways.h"

#include <fmt/format.h>

#include "model/contract/profiles.h"
#include "model/contract/schedule.h"
#include "model/mend.h"

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

// The order that a token names, with the progress that is taken for granted.
Schedule scheduleOf(const CheckModel& model, const std::string& token) {
  Schedule schedule = *parseSchedule(token);
  schedule.progress = model.progress;
  return schedule;
}

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
  way.mend = [own](MendRuns& runs, const RunFinding& race) { return mendText(runs, race, own); };
  way.model = own;
  way.run = row.run;
  way.against = row.against;
  return way;
}

}  // namespace

CheckWay staleWay(const CheckWay& first, std::uint64_t seed, std::uint32_t subgroupSize) {
  ModelOptions own = *first.model;
  constexpr Schedule::Order kOrders[] = {Schedule::Order::kInOrder, Schedule::Order::kReverse, Schedule::Order::kInterleave};
  own.schedule.order = kOrders[seed % std::size(kOrders)];
  own.schedule.seed = own.schedule.order == Schedule::Order::kInterleave ? seed : 0;
  own.schedule.resident = 0;
  own.schedule.weak = seed;
  const std::string token = own.schedule.token();
  CheckWay way;
  way.name = token;
  way.axis = Axis::kMemory;
  way.subgroupSize = subgroupSize;
  way.findings = way.slow = true;
  way.run = {first.run.profile, token, subgroupSize};
  way.model = own;
  own.findings = true;
  way.device = std::shared_ptr<Device>(makeModel(own));
  return way;
}

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
  const auto under = [&](const std::string& token) { return scheduleOf(model, token).token(); };
  const std::string inOrder = under("in-order"), said = model.progress == Schedule::Progress::kNone ? "" : inOrder;
  std::vector<WayRow> rows = {{inOrder, Axis::kNone, model.profile, inOrder, {profile, said}, true}};
  const auto add = [&](const std::string& token, Axis axis, bool findings, bool slow, const std::string& against = {}) {
    rows.push_back({under(token), axis, model.profile, under(token), {profile, under(token)}, findings, slow, against});
  };
  for (const char* order : {"reverse", "last:0", "last:1", "lanes", "lanes-reverse"}) add(order, Axis::kSchedule, false, false);
  for (const char* order : {"interleave:seed:1@4", "interleave:seed:2@4"}) add(order, Axis::kSchedule, true, true);
  std::uint64_t seed = model.weakSeed;
  for (const char* order : {"in-order", "reverse", "interleave:seed:1@4"})
    add(fmt::format("{}+weak:{}", order, seed++), Axis::kMemory, true, true, under(order));
  for (const std::uint32_t size : {4u, 32u, 128u})
    if (sizes)
      rows.push_back({fmt::format("subgroups of {}", size), Axis::kSubgroupSize, model.profile, inOrder, {profile, said, size}, size == 4});
  for (const auto& [mapping, name] :
       {std::pair(SubgroupMapping::kInterleaved, "interleaved"), std::pair(SubgroupMapping::kTiled, "tiled")}) {
    Profile dealt = model.profile;
    dealt.subgroupMapping = mapping;
    const std::string change = fmt::format("subgroupMapping={}", name);
    rows.push_back({change, Axis::kMapping, dealt, inOrder, {fmt::format("{},{}", base, change), said}});
  }
  rows.push_back({"profile adverse", Axis::kChoices, *profileByName("adverse"), inOrder, {"adverse", said}});
  std::vector<CheckWay> ways;
  for (const WayRow& row : rows) ways.push_back(wayOf(model, row));
  return ways;
}

}  // namespace lanewise
