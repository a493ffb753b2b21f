#include "tools/cli/sides.h"

#include <fmt/format.h>

#include "model/contract/profiles.h"
#include "model/model.h"
#include "model/patch/patched_device.h"
#include "tools/run/optimise.h"
#include "tools/subject/comma_lists.h"
#ifdef LANEWISE_GPU
#include "gpu/devices.h"
#include "gpu/mesa_version.h"
#endif

namespace lanewise {
namespace {

void addModel(OpenSides& open, const std::string& name, ModelOptions options, std::function<std::string(const Case&)> leavesOut) {
  options.isValid = isBuiltModule;
  options.stop = open.stop;
  auto model = std::make_unique<Model>(options);
  const Profile& profile = model->profile();
  Side& side = open.sides.emplace_back();
  side.info.name = name;
  side.info.description = fmt::format("the simulated GPU, profile {}, schedule {}{}", profile.name, options.schedule.token(),
                                      options.findings ? ", observed" : "");
  side.info.subgroupSize = profile.subgroupSize;
  side.info.isModel = true;
  side.info.debugWay = debugWayOf(profile, options.schedule);
  side.device = model.get();
  side.parallel = true;
  side.schedule = options.schedule;
  side.leavesOut = std::move(leavesOut);
  open.devices.push_back(std::move(model));
}

// What must not change the bytes of a kernel of which nothing else is known. Its expectation is the plain model's result.
Status addInvariants(OpenSides& open, const Profile& plain) {
  const auto others = [](const Case& c) -> std::string { return c.kernel->invariants ? "" : "its results are known"; };
  for (const char* token : {"reverse", "lanes-reverse", "interleave:seed:1"}) {
    const Expected<Schedule> schedule = parseSchedule(token);
    if (!schedule) return schedule.error();
    addModel(open, fmt::format("model {}", token), {.profile = plain, .schedule = *schedule}, others);
  }
  for (const std::uint32_t size : {8u, 64u}) {
    Profile other = plain;
    other.subgroupSize = size;
    addModel(open, fmt::format("model subgroups of {}", size), {.profile = other, .schedule = {}},
             [others](const Case& c) { return c.subgroupSize == 0 ? others(c) : "the case has its own subgroup size"; });
  }
  // What a checker finds needs no reference either.
  addModel(open, "model observed", {.profile = plain, .schedule = {}, .findings = true}, others);
  addModel(open, "model optimised", {.profile = plain, .schedule = {}}, others);
  open.devices.push_back(std::make_unique<OptimisingDevice>(*open.sides.back().device));
  open.sides.back().device = open.devices.back().get();
  open.sides.back().info.description += ", modules by spirv-opt -O";
  open.sides.back().info.debugWay.reset();
  return {};
}

// The models that show what is wrong with known-bad kernels; the others run on the plain one.
Status addWays(OpenSides& open, const std::set<DefectWay>& ways) {
  const auto otherWay = [](const Case& c, const DefectWay& way) -> std::string {
    const bool shows = std::ranges::any_of(c.kernel->defects, [&](const Defect& d) { return d.way() == way; });
    return shows ? "" : "what is wrong shows on another model";
  };
  if (!ways.empty()) open.sides.front().leavesOut = [otherWay](const Case& c) { return c.kernel->broken() ? otherWay(c, {}) : ""; };
  for (const DefectWay& way : ways) {
    const Expected<Profile> profile = parseProfile(way.profile.empty() ? "strict" : way.profile);
    if (!profile) return profile.error();
    const Expected<Schedule> schedule = parseSchedule(way.schedule.empty() ? Schedule().token() : way.schedule);
    if (!schedule) return schedule.error();
    std::string name = "model";
    for (const std::string& word : {way.profile, way.schedule, std::string(way.findings ? "findings" : "")})
      if (!word.empty()) name += " " + word;
    addModel(open, name, {.profile = *profile, .schedule = *schedule, .findings = way.findings},
             [otherWay, way](const Case& c) { return otherWay(c, way); });
  }
  return {};
}

// A model for each schedule; the plain one is called "model".
Status addModels(OpenSides& open, const SideOptions& o) {
  std::vector<std::string> tokens = {Schedule().token()};
  const Expected<Profile> profileNamed = parseProfile(o.profile);
  if (!profileNamed) return profileNamed.error();
  if (!o.schedules.empty()) {
    Expected<std::vector<std::string>> named = parseNames("--schedules", o.schedules);
    if (!named) return named.error();
    tokens = std::move(*named);
  }
  const Expected<std::vector<std::string>> tiers = parseNames("--tier", o.tier.tiers);
  if (!tiers) return tiers.error();
  for (const std::string& token : tokens)
    for (const std::string& tierName : *tiers) {
      const Expected<Schedule> schedule = parseSchedule(token);
      if (!schedule) return Error{schedule.error().outcome, schedule.error().what, "--schedules", schedule.error().hint};
      const Expected<Tier> tier = parseTier(tierName);
      if (!tier) return tier.error();
      std::string name = *schedule == Schedule() ? "model" : "model " + schedule->token();
      if (tiers->size() > 1) name += " " + tierName;
      ModelOptions options;
      options.profile = *profileNamed;
      options.schedule = *schedule;
      options.findings = o.findings;
      options.tier = *tier;
      options.codeFolder = codeFolder(o.tier);
      addModel(open, name, std::move(options), {});
    }
  if (o.invariants)
    if (Status bad = addInvariants(open, *profileNamed)) return bad;
  return addWays(open, o.ways);
}

// The same patch for every side, within the limits of all of them.
Status patchSides(OpenSides& open, const std::string& name) {
  const Expected<Patch> patch = parsePatch(name);
  if (!patch) return patch.error();
  if (*patch == Patch::kNone) return {};
  CommonControls controls;
  for (const Side& side : open.sides) controls.narrow(side.device->profile());
  const auto patcher = std::make_shared<JobPatcher>(*patch, controls);
  open.patch = [patcher](const Job& job) { return (*patcher)(job); };
  const auto inFront = [&](Device& device) {
    open.devices.push_back(std::make_unique<PatchedDevice>(device, patcher));
    return open.devices.back().get();
  };
  for (Side& side : open.sides) {
    side.device = inFront(*side.device);
    for (Device*& twin : side.twins) twin = inFront(*twin);
    side.info.description += fmt::format(", modules patched: {}", patchName(*patch));
    side.info.debugWay.reset();
  }
  return {};
}

#ifdef LANEWISE_GPU
Status addDevices(OpenSides& open, std::span<const DeviceEntry> entries, DeviceOptions options, const SideOptions& o) {
  for (const DeviceEntry& entry : entries) {
    options.slowBuilds = std::make_shared<SlowBuilds>();
    Expected<std::unique_ptr<Device>> device = openDevice(entry, options);
    if (!device) return device.error();
    const Profile& profile = (*device)->profile();
    open.sides.push_back({{entry.name, profile.description, profile.subgroupSize, false, DebugWay{}}, device->get(), false});
    open.devices.push_back(std::move(*device));
    for (std::string& fault : knownFaults(entry)) open.knownFaults.insert(std::move(fault));
    if (leavesFencedLoops(entry)) open.leavesFencedLoops.insert(entry.name);
    if (losesLoopValues(entry)) open.losesLoopValues.insert(entry.name);
    Side& side = open.sides.back();
    side.unbuilt = [builds = options.slowBuilds, &profile](const Job& job) { return builds->of(job, profile); };
    const bool onCpu = isOnCpu(entry);
    side.leavesOut = [name = entry.name, slow = onCpu && !isQuickMesa(profile)](const Case& c) -> std::string {
      const bool minutes = c.quick && std::ranges::count(c.kernel->minutesOn, name) != 0;
      if (!minutes && !(slow && c.slow)) return {};
      return fmt::format("{} compiles it for {}: it is not in its quick set; --sizes runs it", name, minutes ? "minutes" : "seconds");
    };
    for (std::uint32_t i = 1; onCpu && i < o.workers; ++i) {
      Expected<std::unique_ptr<Device>> twin = openDevice(entry, options);
      if (!twin) return twin.error();
      side.twins.push_back(twin->get());
      open.devices.push_back(std::move(*twin));
    }
  }
  return {};
}

// Adds the first CPU device that exists, for a run without --devices.
Status addDefaultDevice(OpenSides& open, const DeviceOptions& options, const SideOptions& o) {
  const Expected<std::vector<DeviceEntry>> found = discoverDevices(options);
  if (found)
    if (const DeviceEntry* usual = usualDevice(*found)) return addDevices(open, {usual, 1}, options, o);
  open.notes.push_back(fmt::format("only the model runs: no CPU Vulkan device{}", found ? "" : " (" + found.error().text() + ")"));
  return {};
}

Status addNamedDevices(OpenSides& open, const std::vector<std::string>& names, const DeviceOptions& options, const SideOptions& o) {
  const Expected<std::vector<DeviceEntry>> found = discoverDevices(options);
  if (!found) return found.error();
  const Expected<std::vector<DeviceEntry>> chosen = selectDevices(*found, names);
  return chosen ? addDevices(open, *chosen, options, o) : Status{chosen.error()};
}
#endif

}  // namespace

Expected<OpenSides> openSides(const SideOptions& o) {
  const std::string& names = o.devices;
  OpenSides open;
  open.stop = o.stop;
  std::vector<std::string> devices;
  if (!names.empty()) {
    Expected<std::vector<std::string>> parsed = parseNames("--devices", names);
    if (!parsed) return parsed.error();
    devices = std::move(*parsed);
  }
  const bool all = std::find(devices.begin(), devices.end(), "all") != devices.end();
  const bool unnamed = devices.empty();
  const bool named = std::erase(devices, "model") != 0;
  if (unnamed || all || named)
    if (Status bad = addModels(open, o)) return *bad;
#ifdef LANEWISE_GPU
  DeviceOptions options;
  options.threads = o.threads;
  options.repeat = o.repeat;
  if (o.timeout > 0) options.buildSeconds = o.timeout;
  Status bad;
  if (names.empty())
    bad = addDefaultDevice(open, options, o);
  else if (!devices.empty())
    bad = addNamedDevices(open, devices, options, o);
  if (bad) return *bad;
#else
  if (!devices.empty())
    return Error{Outcome::kDeviceTrouble, "this build has no Vulkan backend", "--devices", "configure with LANEWISE_GPU=ON"};
  if (names.empty()) open.notes.emplace_back("only the model runs: this build has no Vulkan backend");
#endif
  if (Status unpatched = patchSides(open, o.patch)) return *unpatched;
  return open;
}

}  // namespace lanewise
