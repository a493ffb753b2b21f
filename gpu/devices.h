// Lists the Vulkan devices by name, and opens them.
//
// Discovery asks the loader in a short-lived worker process, so a driver that crashes does no harm. Names: lavapipe is `lavapipe` at the
// driver's own subgroup width and `lavapipe-4`, `lavapipe-8`, `lavapipe-16` at a chosen one. (The width is fixed for a process: Mesa reads
// LP_NATIVE_VECTOR_WIDTH once.) SwiftShader is `swiftshader`, from Debian's chromium package if VK_DRIVER_FILES is not set. NVIDIA is
// `nvidia`. Others have the driver's name. Several of one name get -0, -1, ...
//
// Measured, and important for planning a kernel: lavapipe (Mesa 22.3.6) lets an invocation make 65535 iterations in all. After these, each
// loop ends after one iteration, without an error. SwiftShader has no such limit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/process.h"
#include "gpu/slow_builds.h"
#include "model/contract/device.h"

namespace lanewise {

struct DeviceEntry {
  std::string name;        // as `--devices` takes it
  std::string deviceName;  // as the driver says
  Profile profile;
  bool inAll = true;  // chosen by "all"; `lavapipe` is not, since one of its widths is the same device
  // For finding it again.
  std::uint32_t index = 0;                         // in the loader's list, under this environment
  std::uint32_t driverId = 0;                      // VkDriverId
  std::map<std::string, std::string> environment;  // the worker's, on top of ours
};

// Whether the host's processor does the work.
bool isOnCpu(const DeviceEntry& entry);
// Whether subgroups that are still in a loop with memory barriers may stop there when others have left it.
bool leavesFencedLoops(const DeviceEntry& entry);
// Whether what an invocation has loaded in a loop may be 0 behind it, if others of its subgroup leave the loop later.
bool losesLoopValues(const DeviceEntry& entry);
// What is known to be wrong with the device without an error, for users. docs/device-deviations.md has the rest.
std::vector<std::string> knownFaults(const DeviceEntry& entry);
// The one to take if none is named: lavapipe, else SwiftShader; nullptr without either.
const DeviceEntry* usualDevice(const std::vector<DeviceEntry>& entries);

// A compiler on the CPU takes long on a busy machine.
inline constexpr double kBuildSeconds = 60;

struct DeviceOptions {
  bool validation = false;    // VK_LAYER_KHRONOS_validation on; each message from it is an error of the run
  std::uint32_t threads = 0;  // host threads that a CPU device may use; 0: as many as it likes
  // Not 0: the device measures time. Each run warms it up, then dispatches this often between two timestamps. A run's seconds are those of
  // one repetition, and its results those of the last one.
  std::uint32_t repeat = 0;
  double startSeconds = 60;                  // time limit for a worker to start
  double buildSeconds = kBuildSeconds;       // time limit for a pipeline to be built
  std::shared_ptr<SlowBuilds> slowBuilds{};  // of equal devices; none: the device's own
  // For tests.
  std::string worker = {};                // the worker program; empty: lanewise-worker beside the running program
  std::string loader = "libvulkan.so.1";  // the loader library
  std::uint32_t descriptorSlack = 0;      // bytes by which a buffer's descriptor is too long: a planted bug for the canaries
};

// Errors (device trouble): no loader library, no device, a worker that cannot be started, crashes or hangs.
Expected<std::vector<DeviceEntry>> discoverDevices(const DeviceOptions& options = {});

// Selects devices by names, or "all". An unknown name is device trouble, and the error lists the known ones. The order is that of `names`,
// without repetitions.
Expected<std::vector<DeviceEntry>> selectDevices(const std::vector<DeviceEntry>& entries, const std::vector<std::string>& names);

// Starts the device's worker process. The profile has the entry's name.
Expected<std::unique_ptr<Device>> openDevice(const DeviceEntry& entry, const DeviceOptions& options = {});

// The worker device itself, for tests that need its process.
class WorkerDevice;
Expected<std::unique_ptr<WorkerDevice>> openWorkerDevice(const DeviceEntry& entry, const DeviceOptions& options = {});

}  // namespace lanewise
