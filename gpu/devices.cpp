// See devices.h.
#include "gpu/devices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vulkan/vulkan_core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "gpu/mesa_version.h"
#include "gpu/worker_device.h"
#include "model/base/program_folder.h"

namespace lanewise {
namespace {

constexpr const char* kSwiftShaderDriver = "/usr/lib/chromium/vk_swiftshader_icd.json";

struct LavapipeWidth {
  std::uint32_t lanes;
  const char* bits;
};
constexpr LavapipeWidth kLavapipeWidths[] = {{4, "128"}, {8, "256"}, {16, "512"}};

using Environment = std::map<std::string, std::string>;

// The environment of every worker. Mesa's disk cache of shaders ignores the subgroup width, so one width would run another's code. Mesa's
// layer that orders devices by the current display would change indices.
Environment workerEnvironment() {
  return {{"MESA_SHADER_CACHE_DISABLE", "true"}, {"NODEVICE_SELECT", "1"}};
}

bool userChoseDrivers() {
  return std::getenv("VK_DRIVER_FILES") || std::getenv("VK_ICD_FILENAMES");
}

std::string workerProgram(const DeviceOptions& options) {
  return options.worker.empty() ? ownPart("lanewise-worker").string() : options.worker;
}

// "NVIDIA H200" becomes "nvidia-h200".
std::string slug(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u)) {
      out += char(std::tolower(u));
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? "device" : out;
}

std::string baseName(const ListedDevice& device) {
  switch (VkDriverId(device.driverId)) {
    case VK_DRIVER_ID_MESA_LLVMPIPE:
      return "lavapipe";
    case VK_DRIVER_ID_GOOGLE_SWIFTSHADER:
      return "swiftshader";
    case VK_DRIVER_ID_NVIDIA_PROPRIETARY:
      return "nvidia";
    default:
      return slug(device.deviceName);
  }
}

Expected<std::vector<DeviceEntry>> listDevices(const DeviceOptions& options, Environment environment) {
  environment.merge(workerEnvironment());
  WorkerCommand command{workerProgram(options), {"--list", "--loader", options.loader}, environment};
  Expected<Greeting> greeting = startAndReceive(command, "listing the devices", MessageKind::kDevices, options.startSeconds);
  if (!greeting) return greeting.error();
  Expected<std::vector<ListedDevice>> devices = decodeDevices(greeting->payload);
  if (!devices) return devices.error();
  std::vector<DeviceEntry> entries;
  for (ListedDevice& d : *devices) {
    DeviceEntry entry{baseName(d), d.deviceName, std::move(d.profile), true, d.index, d.driverId, environment};
    entries.push_back(std::move(entry));
  }
  return entries;
}

void numberEqualNames(std::vector<DeviceEntry>& entries) {
  std::map<std::string, int> count, next;
  for (const DeviceEntry& e : entries) ++count[e.name];
  for (DeviceEntry& e : entries) {
    if (count[e.name] > 1) {
      const int number = next[e.name]++;
      e.name = fmt::format("{}-{}", e.name, number);
    }
  }
}

// Adds lavapipe's widths after lavapipe itself: those that the driver accepts.
Expected<std::vector<DeviceEntry>> withLavapipeWidths(const DeviceOptions& options, const std::vector<DeviceEntry>& entries) {
  std::vector<DeviceEntry> out;
  for (const DeviceEntry& e : entries) {
    out.push_back(e);
    if (e.driverId != VK_DRIVER_ID_MESA_LLVMPIPE) continue;
    for (const LavapipeWidth& width : kLavapipeWidths) {
      Environment environment = e.environment;
      environment["LP_NATIVE_VECTOR_WIDTH"] = width.bits;
      Expected<std::vector<DeviceEntry>> wide = listDevices(options, environment);
      if (!wide) return wide;
      if (e.index >= wide->size() || (*wide)[e.index].profile.subgroupSize != width.lanes) continue;
      out.push_back(std::move((*wide)[e.index]));
      out.back().name = fmt::format("{}-{}", e.name, width.lanes);
      std::ranges::find(out, e.name, &DeviceEntry::name)->inAll = false;
    }
  }
  for (DeviceEntry& e : out) e.profile.name = e.name;
  return out;
}

std::string namesOf(const std::vector<DeviceEntry>& entries) {
  std::vector<std::string> names;
  for (const DeviceEntry& e : entries) names.push_back(e.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool isOnCpu(const DeviceEntry& entry) {
  return entry.driverId == VK_DRIVER_ID_MESA_LLVMPIPE || entry.driverId == VK_DRIVER_ID_GOOGLE_SWIFTSHADER;
}

bool leavesFencedLoops(const DeviceEntry& entry) {
  // Mesa 26.2.6 does not. Versions between were not tried.
  return entry.driverId == VK_DRIVER_ID_MESA_LLVMPIPE && mesaVersion(entry.profile) < std::pair(26, 2);
}

bool losesLoopValues(const DeviceEntry& entry) {
  return leavesFencedLoops(entry) || entry.driverId == VK_DRIVER_ID_GOOGLE_SWIFTSHADER;
}

std::vector<std::string> knownFaults(const DeviceEntry& entry) {
  std::vector<std::string> faults;
  if (losesLoopValues(entry))
    faults.push_back(fmt::format("{} may lose what a loop has loaded, where other invocations of the subgroup leave the loop later",
                                 leavesFencedLoops(entry) ? "lavapipe 22.3.6" : "SwiftShader"));
  if (leavesFencedLoops(entry)) {
    faults.emplace_back("lavapipe 22.3.6 ends every loop once an invocation has made 65535 iterations");
    faults.emplace_back(
        "lavapipe 22.3.6 stops subgroups that are still in a loop with barriers, memory barriers or accesses that make available or "
        "visible "
        "when others have left it");
  }
  return faults;
}

const DeviceEntry* usualDevice(const std::vector<DeviceEntry>& entries) {
  for (const VkDriverId driver : {VK_DRIVER_ID_MESA_LLVMPIPE, VK_DRIVER_ID_GOOGLE_SWIFTSHADER})
    for (const DeviceEntry& e : entries)
      if (e.driverId == static_cast<std::uint32_t>(driver)) return &e;
  return nullptr;
}

Expected<std::vector<DeviceEntry>> discoverDevices(const DeviceOptions& options) {
  Expected<std::vector<DeviceEntry>> entries = listDevices(options, {});
  if (!entries) return entries;
  const auto isSwiftShader = [](const DeviceEntry& e) { return e.driverId == VK_DRIVER_ID_GOOGLE_SWIFTSHADER; };
  if (!userChoseDrivers() && std::filesystem::exists(kSwiftShaderDriver) && std::ranges::none_of(*entries, isSwiftShader)) {
    Expected<std::vector<DeviceEntry>> more = listDevices(options, {{"VK_DRIVER_FILES", kSwiftShaderDriver}});
    if (!more) return more;
    entries->insert(entries->end(), more->begin(), more->end());
  }
  if (entries->empty()) {
    return Error{Outcome::kDeviceTrouble, "the Vulkan loader is there but finds no device", "",
                 "install a driver (mesa-vulkan-drivers has lavapipe, which needs no GPU), or check VK_DRIVER_FILES"};
  }
  numberEqualNames(*entries);
  return withLavapipeWidths(options, *entries);
}

Expected<std::vector<DeviceEntry>> selectDevices(const std::vector<DeviceEntry>& entries, const std::vector<std::string>& names) {
  std::vector<DeviceEntry> chosen;
  const auto choose = [&](const DeviceEntry& e) {
    const bool there = std::ranges::any_of(chosen, [&](const DeviceEntry& c) { return c.name == e.name; });
    if (!there) chosen.push_back(e);
  };
  for (const std::string& name : names) {
    bool found = false;
    for (const DeviceEntry& e : entries) {
      if (name == "all" ? !e.inAll : e.name != name) continue;
      choose(e);
      found = true;
    }
    if (!found) {
      return Error{Outcome::kDeviceTrouble, "no Vulkan device named '" + name + "'", "", "there are: " + namesOf(entries) + ", or all"};
    }
  }
  return chosen;
}

Expected<std::unique_ptr<WorkerDevice>> openWorkerDevice(const DeviceEntry& entry, const DeviceOptions& options) {
  WorkerCommand command{
      workerProgram(options),
      {"--device", std::to_string(entry.index), "--device-name", entry.deviceName, "--name", entry.name, "--loader", options.loader},
      entry.environment};
  const auto add = [&](const char* option, std::uint32_t value) {
    command.arguments.push_back(option);
    command.arguments.push_back(std::to_string(value));
  };
  if (options.validation) command.arguments.push_back("--validation");
  if (options.repeat) add("--repeat", options.repeat);
  if (options.descriptorSlack) add("--descriptor-slack", options.descriptorSlack);
  if (options.threads && entry.driverId == VK_DRIVER_ID_MESA_LLVMPIPE) {
    command.environment["LP_NUM_THREADS"] = std::to_string(options.threads);
  } else if (options.threads && isOnCpu(entry)) {  // a GPU's driver compiles wherever there is room
    add("--threads", options.threads);
  }
  Expected<std::unique_ptr<WorkerDevice>> device =
      WorkerDevice::open({command, entry.name, options.startSeconds, options.buildSeconds, isOnCpu(entry), options.slowBuilds});
  if (!device) return device.error();
  const std::uint32_t lanes = (*device)->profile().subgroupSize;
  if (lanes != entry.profile.subgroupSize) {
    return Error{Outcome::kDeviceTrouble,
                 fmt::format("the device reports subgroups of {} lanes, {} were expected", lanes, entry.profile.subgroupSize), entry.name,
                 ""};
  }
  return device;
}

Expected<std::unique_ptr<Device>> openDevice(const DeviceEntry& entry, const DeviceOptions& options) {
  Expected<std::unique_ptr<WorkerDevice>> device = openWorkerDevice(entry, options);
  if (!device) return device.error();
  return std::unique_ptr<Device>(std::move(*device));
}

}  // namespace lanewise
