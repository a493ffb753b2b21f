// Vulkan devices of this host. Each runs in a process of its own (lanewise-worker), so a driver that crashes costs one run.
#ifndef LANEWISE_DEVICES_H
#define LANEWISE_DEVICES_H

#include <memory>
#include <string>
#include <vector>

#include "run.h"

namespace lw {

struct DeviceInfo {
  std::string name;         // "lavapipe", as Device::open takes it
  std::string description;  // as the driver says
  std::uint32_t subgroupSize = 0, minSubgroupSize = 0, maxSubgroupSize = 0;
};

// Errors (device trouble): no Vulkan loader, no device, a worker that cannot be started, crashes or hangs. Several threads may call it.
LANEWISE_EXPORT Expected<std::vector<DeviceInfo>> devices();

// Cheap to copy. run() may be called from several threads at once.
class LANEWISE_EXPORT Device {
 public:
  // Without a name: a device on the CPU, lavapipe or SwiftShader. Errors: those of devices(); device trouble if there is none on the CPU;
  // bad input if none has this name.
  static Expected<Device> open(const std::string& name = "");
  // `stop`: as RunOptions::stop.
  Run run(const Job& job, const std::atomic<bool>* stop = nullptr) const;
  std::string name() const;

 private:
  std::shared_ptr<void> device_;
};

}  // namespace lw

#endif
