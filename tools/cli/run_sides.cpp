#include "tools/cli/run_sides.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/contract/profiles.h"
#include "model/mend.h"
#include "model/model.h"
#include "tools/subject/comma_lists.h"
#include "tools/subject/way.h"

namespace lanewise {
namespace {

constexpr const char* kAllSchedules = "in-order,reverse,seed:1,last:0,lanes,lanes-reverse,interleave:seed:1";
constexpr const char* kAllSizes = "1,2,4,8,16,32,64,128";

// The first of each: the same way twice would only be compared with itself.
template <typename T>
std::vector<T> withoutRepeats(const std::vector<T>& all) {
  std::vector<T> out;
  for (const T& one : all)
    if (std::ranges::find(out, one) == out.end()) out.push_back(one);
  return out;
}

Expected<std::vector<Schedule>> schedulesOf(const std::string& text) {
  const Expected<std::vector<std::string>> tokens = parseNames("--schedule", text == "all" ? kAllSchedules : text);
  if (!tokens) return tokens.error();
  std::vector<Schedule> out;
  for (const std::string& token : withoutRepeats(*tokens)) {
    Expected<Schedule> schedule = parseSchedule(token);
    if (!schedule) return Error{schedule.error().outcome, schedule.error().what, "--schedule " + token, schedule.error().hint};
    out.push_back(*schedule);
  }
  return out;
}

// "strict,minMax=second,adverse": what has a '=' belongs to the profile before it.
Expected<std::vector<Profile>> profilesOf(const std::string& text, const Subject& subject) {
  std::vector<std::string> names;
  if (text == "all")
    for (const std::string_view name : profileNames()) names.emplace_back(name);
  const Expected<std::vector<std::string>> parts = parseNames("--profile", text.empty() || text == "all" ? "strict" : text);
  if (!parts) return parts.error();
  for (const std::string& part : *parts) {
    if (text.empty() || text == "all") break;
    if (part.find('=') != std::string::npos && !names.empty())
      names.back() += "," + part;
    else
      names.push_back(part);
  }
  if (names.empty()) names.emplace_back();  // a capsule's own, or strict
  std::vector<Profile> out;
  for (const std::string& name : withoutRepeats(names)) {
    const Expected<Way> way = wayOf(subject, name, "");
    if (!way) return way.error();
    out.push_back(way->profile);
  }
  return out;
}

// 0 stands for the job's own.
Expected<std::vector<std::uint32_t>> sizesOf(const std::string& text) {
  if (text.empty()) return std::vector<std::uint32_t>{0};
  const Expected<std::vector<std::uint32_t>> sizes = parseSubgroupSizes("--subgroup-size", text == "all" ? kAllSizes : text);
  if (!sizes) return sizes.error();
  return withoutRepeats(*sizes);
}

Status addModels(const RunOptions& o, const Subject& subject, std::span<const std::uint32_t> sizes, const std::atomic<bool>* stop,
                 RunSides& out) {
  const Expected<Way> way = wayOf(subject, "", "");
  if (!way) return way.error();
  const Expected<std::vector<Schedule>> schedules = schedulesOf(o.schedule.empty() ? way->schedule.token() : o.schedule);
  if (!schedules) return schedules.error();
  const Expected<std::vector<Profile>> profiles = profilesOf(o.profile, subject);
  if (!profiles) return profiles.error();
  const Expected<Tier> tier = parseTier(o.tier.tiers);
  if (!tier) return tier.error();
  for (const Profile& profile : *profiles)
    for (const Schedule& schedule : *schedules) {
      ModelOptions options;
      options.profile = profile;
      options.schedule = schedule;
      options.findings = o.findings;
      options.stop = stop;
      options.tier = *tier;
      options.codeFolder = codeFolder(o.tier);
      std::unique_ptr<Device> made;
      if (o.findings)
        made = std::make_unique<MendingModel>(std::move(options));
      else
        made = makeModel(std::move(options));
      const auto model = out.open.devices.insert(out.open.devices.end(), std::move(made));
      for (const std::uint32_t size : sizes) {
        RunSide side;
        side.run.name = "model";
        if (profiles->size() > 1) side.run.name += " " + profile.name;
        if (schedules->size() > 1) side.run.name += " " + schedule.token();
        if (sizes.size() > 1) side.run.name += fmt::format(" subgroups of {}", size);
        side.run.schedule = schedule.token();
        side.run.description = fmt::format("profile {}, schedule {}", profile.name, schedule.token());
        side.device = model->get();
        side.model = true;
        side.profile = profile.name;
        side.schedule = schedule.token();
        side.subgroupSize = size;
        out.sides.push_back(std::move(side));
      }
    }
  return std::nullopt;
}

// Of a list of sizes a device runs those that it can have; a single one it may refuse itself.
void addDevice(const Side& device, std::span<const std::uint32_t> sizes, RunSides& out) {
  const Profile& profile = device.device->profile();
  std::vector<std::uint32_t> has;
  for (const std::uint32_t size : sizes)
    if (size == 0 || sizes.size() == 1 || (size >= profile.minSubgroupSize && size <= profile.maxSubgroupSize)) has.push_back(size);
  if (has.size() < sizes.size())
    out.notes.push_back(fmt::format("{} has subgroups of {} to {}: {} of the {} sizes run on it", device.info.name, profile.minSubgroupSize,
                                    profile.maxSubgroupSize, has.size(), sizes.size()));
  for (const std::uint32_t size : has) {
    RunSide one;
    one.run.name = device.info.name + (has.size() > 1 ? fmt::format(" subgroups of {}", size) : "");
    one.run.description = device.info.description;
    one.device = device.device;
    one.deviceName = device.info.name;
    one.subgroupSize = size;
    out.sides.push_back(std::move(one));
  }
}

}  // namespace

Expected<RunSides> openRunSides(const RunOptions& o, const Subject& subject, const std::atomic<bool>* stop) {
  RunSides out;
  Expected<std::vector<std::string>> names = parseNames("--device", o.device);
  if (!names) return names.error();
  const Expected<std::vector<std::uint32_t>> sizes = sizesOf(o.subgroupSizes);
  if (!sizes) return sizes.error();
  const bool all = std::find(names->begin(), names->end(), "all") != names->end();
  const bool model = std::erase(*names, "model") != 0 || all;
  if (!names->empty()) {
    SideOptions devices;
    devices.devices = fmt::format("{}", fmt::join(*names, ","));
    devices.threads = o.threads;
    devices.timeout = o.subject.module.timeout;
    Expected<OpenSides> open = openSides(devices);
    if (!open) return open.error();
    out.open = std::move(*open);
  }
  if (model)
    if (Status wrong = addModels(o, subject, *sizes, stop, out)) return *wrong;
  const std::pair<const char*, bool> modelOptions[] = {
      {"--profile", !o.profile.empty()}, {"--schedule", !o.schedule.empty()}, {"--findings", o.findings}};
  for (const auto& [option, given] : modelOptions)
    if (given && !model) return Error{Outcome::kBadInput, "only the model has it", option, "--device model,..."};
  for (const Side& side : out.open.sides)
    if (!side.info.isModel) addDevice(side, *sizes, out);
  if (out.sides.empty())
    return Error{Outcome::kDeviceTrouble, "no device has one of these subgroup sizes", "--subgroup-size " + o.subgroupSizes, ""};
  for (RunSide& side : out.sides) {
    if (side.subgroupSize == 0) side.subgroupSize = subject.job.subgroupSize;
    side.run.subgroupSize = side.subgroupSize ? side.subgroupSize : side.device->profile().subgroupSize;
  }
  return out;
}

}  // namespace lanewise
