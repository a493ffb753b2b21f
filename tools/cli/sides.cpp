#include "tools/cli/sides.h"

#include <fmt/format.h>

#include "model/contract/profiles.h"
#include "model/model.h"
#include "model/patch/patched_device.h"
#include "tools/subject/comma_lists.h"
#ifdef LANEWISE_GPU
#include "gpu/devices.h"
#endif

namespace lanewise {
namespace {

void addModel(OpenSides& open, const std::string& name, ModelOptions options, std::function<bool(const Case&)> takes) {
  options.isValid = isBuiltModule;
  auto model = std::make_unique<Model>(options);
  const Profile& profile = model->profile();
  const std::string what = fmt::format("the simulated GPU, profile {}, schedule {}{}", profile.name, options.schedule.token(),
                                       options.findings ? ", observed" : "");
  open.sides.push_back({{name, what, profile.subgroupSize, true}, model.get(), true, {}, options.schedule, std::move(takes)});
  open.devices.push_back(std::move(model));
}

// The models that show what is wrong with known-bad kernels; the others run on the plain one.
Status addWays(OpenSides& open, const std::set<DefectWay>& ways) {
  const auto shows = [](const Case& c, const DefectWay& way) {
    return std::ranges::any_of(c.kernel->defects, [&](const Defect& d) { return d.way() == way; });
  };
  if (!ways.empty()) open.sides.back().takes = [shows](const Case& c) { return !c.kernel->broken() || shows(c, {}); };
  for (const DefectWay& way : ways) {
    const Expected<Profile> profile = parseProfile(way.profile.empty() ? "strict" : way.profile);
    if (!profile) return profile.error();
    const Expected<Schedule> schedule = parseSchedule(way.schedule.empty() ? Schedule().token() : way.schedule);
    if (!schedule) return schedule.error();
    std::string name = "model";
    for (const std::string& word : {way.profile, way.schedule, std::string(way.findings ? "findings" : "")})
      if (!word.empty()) name += " " + word;
    addModel(open, name, {.profile = *profile, .schedule = *schedule, .findings = way.findings},
             [shows, way](const Case& c) { return shows(c, way); });
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
  for (const std::string& token : tokens) {
    const Expected<Schedule> schedule = parseSchedule(token);
    if (!schedule) return Error{schedule.error().outcome, schedule.error().what, "--schedules", schedule.error().hint};
    addModel(open, *schedule == Schedule() ? "model" : "model " + schedule->token(),
             {.profile = *profileNamed, .schedule = *schedule, .findings = o.findings}, {});
  }
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
  }
  return {};
}

#ifdef LANEWISE_GPU
Status addDevices(OpenSides& open, std::span<const DeviceEntry> entries, const DeviceOptions& options, std::uint32_t workers) {
  for (const DeviceEntry& entry : entries) {
    Expected<std::unique_ptr<Device>> device = openDevice(entry, options);
    if (!device) return device.error();
    const Profile& profile = (*device)->profile();
    open.sides.push_back({{entry.name, profile.description, profile.subgroupSize, false}, device->get(), false});
    open.devices.push_back(std::move(*device));
    const bool onCpu = entry.name.starts_with("lavapipe") || entry.name == "swiftshader";
    for (std::uint32_t i = 1; onCpu && i < workers; ++i) {
      Expected<std::unique_ptr<Device>> twin = openDevice(entry, options);
      if (!twin) return twin.error();
      open.sides.back().twins.push_back(twin->get());
      open.devices.push_back(std::move(*twin));
    }
  }
  return {};
}

// Adds the first CPU device that exists, for a run without --devices.
Status addDefaultDevice(OpenSides& open, const DeviceOptions& options, std::uint32_t workers) {
  const Expected<std::vector<DeviceEntry>> found = discoverDevices(options);
  if (found)
    for (const char* name : {"lavapipe", "swiftshader"})
      for (const DeviceEntry& entry : *found)
        if (entry.name == name) return addDevices(open, {&entry, 1}, options, workers);
  open.notes.push_back(fmt::format("only the model runs: no CPU Vulkan device{}", found ? "" : " (" + found.error().text() + ")"));
  return {};
}

Status addNamedDevices(OpenSides& open, const std::vector<std::string>& names, const DeviceOptions& options, std::uint32_t workers) {
  const Expected<std::vector<DeviceEntry>> found = discoverDevices(options);
  if (!found) return found.error();
  const Expected<std::vector<DeviceEntry>> chosen = selectDevices(*found, names);
  return chosen ? addDevices(open, *chosen, options, workers) : Status{chosen.error()};
}
#endif

}  // namespace

Expected<OpenSides> openSides(const SideOptions& o) {
  const std::string& names = o.devices;
  OpenSides open;
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
  Status bad;
  if (names.empty())
    bad = addDefaultDevice(open, options, o.workers);
  else if (!devices.empty())
    bad = addNamedDevices(open, devices, options, o.workers);
  if (bad) return *bad;
#else
  if (!devices.empty())
    return Error{Outcome::kDeviceTrouble, "this build has no Vulkan backend", "--devices", "configure with LANEWISE_GPU=ON"};
  if (names.empty()) open.notes.push_back("only the model runs: this build has no Vulkan backend");
#endif
  if (Status unpatched = patchSides(open, o.patch)) return *unpatched;
  return open;
}

}  // namespace lanewise
