// Vulkan devices.
#include "library/lanewise/devices.h"

#include <algorithm>

#include "gpu/devices.h"
#include "gpu/worker_device.h"
#include "library/access.h"

namespace lw {

Expected<std::vector<DeviceInfo>> devices() {
  return guardedValue<std::vector<DeviceInfo>>([]() -> Expected<std::vector<DeviceInfo>> {
    const auto found = lanewise::discoverDevices();
    if (!found) return {{}, errorOf(found.error())};
    std::vector<DeviceInfo> all;
    for (const lanewise::DeviceEntry& e : *found)
      all.push_back({e.name, e.profile.description.empty() ? e.deviceName : e.profile.description, e.profile.subgroupSize,
                     e.profile.minSubgroupSize, e.profile.maxSubgroupSize});
    return {std::move(all), {}};
  });
}

Expected<Device> Device::open(const std::string& name) {
  return guardedValue<Device>([&]() -> Expected<Device> {
    const auto found = lanewise::discoverDevices();
    if (!found) return {{}, errorOf(found.error())};
    const lanewise::DeviceEntry* entry = lanewise::usualDevice(*found);
    lanewise::Expected<std::vector<lanewise::DeviceEntry>> selected = std::vector<lanewise::DeviceEntry>{};
    if (!name.empty()) {
      selected = lanewise::selectDevices(*found, {name});
      if (!selected) return {{}, errorOf(selected.error())};
      entry = selected->data();
    }
    if (entry == nullptr)
      return {{},
              Error{Outcome::deviceTrouble, "there is no Vulkan device on the CPU", "", "install mesa-vulkan-drivers, or name a device"}};
    auto opened = lanewise::openDevice(*entry);
    if (!opened) return {{}, errorOf(opened.error())};
    Device device;
    device.device_ = std::shared_ptr<lanewise::Device>(std::move(*opened));
    return {std::move(device), {}};
  });
}

Run Device::run(const Job& job, const std::atomic<bool>* stop) const {
  return guarded<Run>(&failedRun, [&] {
    if (device_ == nullptr) return failedRun({Outcome::badInput, "no device was opened", "", "Device::open gives one"});
    auto& device = *static_cast<lanewise::Device*>(device_.get());
    auto* worker = dynamic_cast<lanewise::WorkerDevice*>(&device);
    auto kept = std::make_shared<const Job>(job);
    const lanewise::Expected<lanewise::Job> inside = jobInside(job);
    Run made = inside ? runOutside(kept, worker ? worker->run(*inside, stop) : device.run(*inside)) : failedRun(errorOf(inside.error()));
    made.job = kept;
    made.device = device.profile().name;
    return made;
  });
}

std::string Device::name() const {
  return device_ == nullptr ? "" : static_cast<const lanewise::Device*>(device_.get())->profile().name;
}

}  // namespace lw
